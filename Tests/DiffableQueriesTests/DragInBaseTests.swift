import Diffable
import DiffableTesting
import ListSupport
import Synchronization
import TestScope
import Testing

@testable import DiffableQueries

@Suite("What a drag in a derived source means for its base", .deadline)
struct DragInBaseTests {
  /// What the app of a source was asked to allow.
  private final class Asked: Sendable {
    private let calls = Mutex<[(items: [Int], rows: [[Int]])]>([])

    func note(_ items: [Int], in state: Snapshot<Folder, Int>) {
      calls.withLock { $0.append((items, DragInBaseTests.rows(state))) }
    }

    func take() -> [(items: [Int], rows: [[Int]])] {
      calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
    }
  }

  private static func rows(_ state: Snapshot<Folder, Int>) -> [[Int]] {
    state.sectionIdentifiers.map { state.itemIdentifiers(inSection: $0) }
  }

  @Test func `A drag of the last rows to the end costs what it does for each`() async throws {
    func comparisons(_ count: Int) async throws -> Int {
      let counter = IdentifierCounter()
      let rows = (0..<1_000).map { CountedIdentifier(number: $0, counter: counter) }
      let base = DataSourceActor<String, CountedIdentifier>()
      try await base.update { state in
        state.appendSections(["rows"])
        try state.appendItems(rows)
      }
      let list = base.derived { $0.filter { _ in true } }
      var drag = try #require(try await list.beginReorder(rows.suffix(count)))
      counter.reset()
      _ = try drag.proposed(to: .end(of: "rows"))
      #expect(drag.refusal == nil)
      return counter.comparisonCount
    }
    let (few, many) = (try await comparisons(200), try await comparisons(800))
    #expect(many < 6 * few, "\(few) comparisons, and \(many) for four times as many rows")
  }

  @Test("The app of the base is asked about the very drop that is made", arguments: 0..<3)
  func asked(kind: Int) async throws {
    var drops = 0
    for seed in 0..<rounds(80 as UInt64) {
      var random = SplitMix64(seed: seed)
      let asked = Asked()
      let base = Notes(
        reordering: ReorderingHandlers(canReorder: { items, destination, proposed in
          if destination != nil { asked.note(items, in: proposed) }
          return true
        })
      ) { note, folder in note.folder = folder }
      // Rows of two folders would seldom be near a place in a group.
      let notes = (0..<10).map {
        Note(id: $0, folder: Folder(kind == 2 ? 0 : $0 % 2), title: random.number(below: 2))
      }
      try await base.apply(notes, section: \.folder)
      let list = base.derived { query in
        switch kind {
        case 0: query.filter { $0.id != 5 }
        case 1: query.sorted(by: \.id, reverse: true)
        default: query.grouped(by: { Folder($0.title) }).onMove { $0.title = $1.number }
        }
      }
      for step in 0..<6 {
        let shown = await list.snapshot
        let items = random.sample(shown.itemIdentifiers, oneIn: 3)
        guard !items.isEmpty, let anchor = random.element(of: shown.itemIdentifiers),
          !items.contains(anchor), var drag = try await list.beginReorder(items)
        else { continue }
        _ = asked.take()
        let place: ReorderDestination<Folder, Int> =
          switch random.number(below: 3) {
          case 0: .before(anchor)
          case 1: .after(anchor)
          default: .end(of: try #require(shown.sectionIdentifier(containingItem: anchor)))
          }
        _ = try drag.proposed(to: place)
        guard drag.refusal == nil, try await drag.commit() != nil else { continue }
        let rows = Self.rows(await base.snapshot)
        for call in asked.take() {
          drops += 1
          let comment: Comment = "seed \(seed), step \(step): \(items) to \(place), \(shown)"
          #expect(call.items == drag.items && call.rows == rows, comment)
        }
      }
    }
    #expect(drops > 10)
  }

  @Test func `It begins from what is shown, also if the base has forgotten that`() async throws {
    let base = Notes(options: SourceOptions(history: 0))
    try await base.apply((0..<4).map { Note(id: $0) }, section: \.folder)
    let list = base.derived(options: SourceOptions(history: 8)) { $0.filter { $0.id != 9 } }
    _ = await list.snapshot
    let shown = await list.revision
    for id in 4..<7 {
      try await base.update { try $0.appendItems([Note(id: id)], toSection: 0) }
      #expect(await list.snapshot.containsItem(id))
    }
    var drag = try #require(try await list.beginReorder([0], at: shown))
    let preview = try drag.proposed(to: .after(3))
    #expect(preview.snapshot.description == "0[1 2 3 0]")
    try await drag.commit()
    #expect(await base.snapshot.description == "0[1 2 3 0 4 5 6]")
    #expect(await list.snapshot.description == "0[1 2 3 0 4 5 6]")
  }

  /// A list, and a tree below it.
  private static func makeListAndTree() async throws -> Notes {
    let base = Notes()
    try await base.apply(
      (0..<6).map { Note(id: $0, folder: $0 < 3 ? 0 : 1) }, section: \.folder)
    var tree = try Outline([3, 5])
    try tree.append([4], to: 3)
    tree.expand([3])
    try await base.update { [tree] in try $0.snapshot.setOutline(tree, forSection: 1) }
    return base
  }

  @Test func `Rows of a list have no place in a tree`() async throws {
    let base = try await Self.makeListAndTree()
    let start = await base.snapshot
    // The last one shows no row of the tree.
    for (list, anchors) in [
      (base.derived { $0 }, [3, 4, 5]), (base.derived { $0.filter { $0.id < 9 } }, [3, 4, 5]),
      (base.derived { $0.filter { $0.id < 3 } }, []),
    ] {
      var places: [ReorderDestination<Folder, Int>] = [.end(of: 1)]
      for anchor in anchors { places += [.before(anchor), .after(anchor)] }
      // Elsewhere no row can have children.
      if await list.snapshot.outline(ofSection: 1) != nil { places += anchors.map { .into($0) } }
      for items in [[0], [2, 1]] {
        for place in places {
          var drag = try #require(try await list.beginReorder(items))
          _ = try drag.proposed(to: place)
          #expect(drag.refusal == .tree, "\(items) to \(place)")
          #expect(try await drag.commit() == nil)
        }
      }
    }
    #expect(await base.snapshot == start)
  }

  @Test func `If one of the rows belongs to a tree, they have no place`() async throws {
    let base = try await Self.makeListAndTree()
    for list in [base.derived { $0 }, base.derived { $0.filter { $0.id < 9 } }] {
      let shown = Array(await list.snapshot.itemIdentifiers)
      #expect(shown.count > 4)
      for items in shown.flatMap({ first in shown.map { [first, $0] } }) {
        var drag = try #require(try await list.beginReorder(items))
        let anchor = try #require((0..<3).first { !items.contains($0) })
        _ = try drag.proposed(to: .before(anchor))
        #expect(drag.refusal == (items.contains { $0 > 2 } ? .tree : nil), "\(items)")
      }
    }
  }
}
