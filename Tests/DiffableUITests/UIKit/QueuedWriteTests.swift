import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

@Suite("Writes that nobody waits for are made in order, around refused ones too", .deadline)
@MainActor
struct QueuedWriteTests {
  typealias DataSource = CollectionViewDiffableDataSource<Int, Int>
  typealias List = Snapshot<Int, Int>

  /// A write, and the number of its completion.
  private struct Write {
    enum Change {
      /// A state that replaces all; `nil` for one that is not valid.
      case state(List?)
      case edit((inout List) throws -> Void)

      var isState: Bool { if case .state = self { true } else { false } }
    }

    let number: Int
    let change: Change
  }

  /// What should become of writes.
  private struct Model {
    var list: List
    var completions: [Int] = []
    var errors = 0

    /// Makes writes one after the other; of states in a row only the last one counts.
    mutating func make(_ writes: [Write]) throws {
      for (index, write) in writes.enumerated() {
        let isReplaced =
          write.change.isState && index + 1 < writes.count && writes[index + 1].change.isState
        guard !isReplaced else { continue }
        let former = writes[..<index].reversed().prefix { $0.change.isState }
        let told = (write.change.isState ? Array(former) : []) + [write]
        switch write.change {
        case .state(nil):
          errors += 1
          continue
        case .state(let new?): list = new
        case .edit(let edit): try edit(&list)
        }
        completions += told.map(\.number)
      }
    }
  }

  private static func setOutline(_ outline: Outline<Int>, of section: Int, in list: inout List)
    throws
  {
    if !list.containsSection(section) { list.appendSections([section]) }
    try list.setOutline(outline, forSection: section)
  }

  private static func rows(_ list: List) -> [[Int]] {
    list.sectionIdentifiers.map { section in
      [section]
        + (list.outline(ofSection: section)?.items ?? list.itemIdentifiers(inSection: section))
    }
  }

  @Test("For states, outlines, folds and states that are not valid")
  func law() async throws {
    for seed in 0..<rounds(80 as UInt64, least: 8) {
      var random = SplitMix64(seed: seed)
      let fixture = CollectionViewFixture()
      let dataSource = fixture.makeDataSource()
      var (errors, completions) = (0, [Int]())
      dataSource.errorHandler = { if $0 is DataSourceError { errors += 1 } }
      var model = Model(list: try state([1, 2, 3]))
      try await dataSource.apply(model.list)
      var number = 10
      for step in 0..<5 {
        var writes: [Write] = []
        // As if nothing were refused.
        var newest = model.list
        for _ in 0..<1 + random.number(below: 5) {
          number += 10
          let own = number
          let completion = { completions.append(own) }
          let change: Write.Change
          switch random.number(below: 6) {
          case 0, 1:
            try newest.appendItems([own], toSection: 100)
            if random.chance(oneIn: 2), let first = newest.itemIdentifiers(inSection: 100).first {
              newest.deleteItems([first])
            }
            change = .state(newest)
            dataSource.apply(
              newest, animatingDifferences: random.chance(oneIn: 2), completion: completion)
          case 2:
            change = .state(nil)
            dataSource.apply(try state([99, 99]), completion: completion)
          case 3, 4:
            var outline = try Outline([own, own + 1])
            try outline.append([own + 2], to: own)
            change = .edit { [outline] in try Self.setOutline(outline, of: 200, in: &$0) }
            dataSource.apply(outline, to: 200, completion: completion)
          default:
            let items = newest.outline(ofSection: 200)?.items ?? []
            let isExpanded = random.chance(oneIn: 2)
            change = .edit { isExpanded ? $0.expandItems(items) : $0.collapseItems(items) }
            if isExpanded {
              dataSource.expandItems(items, completion: completion)
            } else {
              dataSource.collapseItems(items, completion: completion)
            }
          }
          writes.append(Write(number: own, change: change))
          if case .edit(let edit) = change { try edit(&newest) }
        }
        // Whoever waits for a write waits for all before it.
        let last = try Outline([number + 5])
        try await dataSource.apply(last, to: 300)
        try model.make(writes)
        try Self.setOutline(last, of: 300, in: &model.list)
        let comment: Comment = "seed \(seed), step \(step), \(writes)"
        #expect(Self.rows(dataSource.snapshot()) == Self.rows(model.list), comment)
        #expect(errors == model.errors, comment)
        try await wait(for: "seed \(seed), step \(step): \(model.completions)") {
          completions.count >= model.completions.count
        }
        #expect(completions.sorted() == model.completions.sorted(), comment)
        let visible = fixture.view.indexPathsForVisibleItems.sorted()
        #expect(fixture.numbers == visible.map { dataSource.itemIdentifier(for: $0) }, comment)
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  @Test func `Until all of them are made, the newest state is what they lead to`() async throws {
    for seed in 0..<rounds(80 as UInt64, least: 8) {
      var random = SplitMix64(seed: seed)
      let fixture = CollectionViewFixture()
      let dataSource = DataSource(collectionView: fixture.view) { _, _, _ in nil }
      dataSource.errorHandler = { if $0 is DataSourceError { Issue.record("refused: \($0)") } }
      var newest = try state([1, 2, 3])
      try await dataSource.apply(newest)
      for number in stride(from: 10, to: 90, by: 10) {
        let items = newest.outline(ofSection: 200)?.items ?? []
        switch random.number(below: 4) {
        case 0:
          try newest.appendItems([number], toSection: 100)
          dataSource.apply(newest, completion: nil)
        case 1:
          var outline = try Outline([number, number + 1])
          try outline.append([number + 2], to: number)
          try Self.setOutline(outline, of: 200, in: &newest)
          dataSource.apply(outline, to: 200, completion: nil)
        case 2:
          newest.expandItems(items)
          dataSource.expandItems(items)
        default:
          newest.collapseItems(items)
          dataSource.collapseItems(items)
        }
      }
      let last = try Outline([100])
      try Self.setOutline(last, of: 300, in: &newest)
      var isOver = false
      dataSource.apply(last, to: 300) { isOver = true }
      // As often as anything else is done on the main actor.
      while !isOver {
        let list = dataSource.snapshot()
        try #require(list.description == newest.description, "seed \(seed)")
        await Task { @MainActor in }.value
      }
      #expect(Self.rows(dataSource.snapshot()) == Self.rows(newest), "seed \(seed)")
    }
  }

  @Test func `A handler gets the children that the last write gave to a row, shown or not`()
    async throws
  {
    let fixture = CollectionViewFixture()
    let dataSource = fixture.makeDataSource()
    // The children of each row, from the top.
    let trees: [[(parent: Int?, children: [Int])]] = [
      [(nil, [1, 2])], [(nil, [1, 2]), (1, [11])], [(nil, [1, 2]), (1, [11, 12]), (11, [111])],
      [(nil, [2]), (2, [1]), (1, [12])], [(nil, [2, 1]), (2, [11, 12])],
    ]
    let outlines = try trees.map { tree in
      var outline = Outline<Int>()
      for (parent, children) in tree { try outline.append(children, to: parent) }
      return outline
    }
    var told: [Int: [Int]] = [:]
    func expected(of outline: Outline<Int>) -> [Int: [Int]] {
      Dictionary(uniqueKeysWithValues: outline.items.map { ($0, outline.outline(of: $0).items) })
    }
    dataSource.errorHandler = { Issue.record("refused: \($0)") }
    for old in outlines {
      for new in outlines {
        try await dataSource.apply(old, to: 100)
        dataSource.apply(new, to: 100, completion: nil)
        told = [:]
        dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { item, children in
          told[item] = children.items
          var more = children
          try? more.append([1000])
          return more
        }
        dataSource.expandItems([1])
        #expect(told == [1: new.outline(of: 1).items], "from \(old.items) to \(new.items)")
        // What was given there is what there is now.
        told = [:]
        dataSource.sectionSnapshotHandlers.snapshotForExpandingParent = { item, children in
          told[item] = children.items
          return children
        }
        var more = new
        try more.append([1000], to: 1)
        dataSource.expandItems(more.items)
        #expect(told == expected(of: more), "from \(old.items) to \(new.items)")
      }
    }
    try await dataSource.apply(outlines[0], to: 100)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}

/// A write that was not made is in no snapshot that is edited and applied next.
@Suite("A write that fails leaves nothing in the newest state", .deadline)
@MainActor
struct CancelledApplyTests {
  /// The calls that wait for the screen.
  enum Call: CaseIterable {
    case apply, applyAtOnce, reload, outline
  }

  private func make<Host>(
    _ call: Call, of items: [Int], in dataSource: DiffableDataSource<Int, Int, Host>
  ) async throws {
    switch call {
    case .apply: try await dataSource.apply(state(items))
    case .applyAtOnce: try await dataSource.apply(state(items), animatingDifferences: false)
    case .reload: try await dataSource.applySnapshotUsingReloadData(state(items))
    case .outline: try await dataSource.apply(Outline(items), to: 100)
    }
  }

  private func check<Host>(
    _ call: Call, in dataSource: DiffableDataSource<Int, Int, Host>, _ shown: () -> [Int?]
  ) async throws {
    try await dataSource.apply(state([1, 2]))
    let cancelled = Task { try await make(call, of: [99], in: dataSource) }
    cancelled.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await cancelled.value }
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2])
    var next = dataSource.snapshot()
    try next.appendItems([3], toSection: 100)
    try await dataSource.apply(next)
    #expect(shown() == [1, 2, 3])

    // Cancelled while another write is queued, which is not lost.
    var isShown = false
    dataSource.apply(try state([1, 2, 3, 4])) { isShown = true }
    let late = Task { try await make(call, of: [99], in: dataSource) }
    late.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await late.value }
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3, 4])
    try await wait { isShown }
    #expect(shown() == [1, 2, 3, 4])
  }

  @Test("A cancelled call of a collection view", arguments: Call.allCases)
  func collection(_ call: Call) async throws {
    let fixture = CollectionViewFixture()
    try await check(call, in: fixture.makeDataSource()) { fixture.numbers }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("A cancelled call of a table", arguments: Call.allCases)
  func table(_ call: Call) async throws {
    let fixture = TableViewFixture()
    try await check(call, in: fixture.makeDataSource()) { fixture.numbers }
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }

  @Test("Edits that wait begin without a state that was rejected")
  func rejected() async throws {
    let fixture = CollectionViewFixture()
    let dataSource = CollectionViewDiffableDataSource<Int, Int>(collectionView: fixture.view) {
      _, _, _ in nil
    }
    try await dataSource.apply(state([1, 2]))
    var errors = 0
    var snapshots: [[Int]] = []
    dataSource.errorHandler = { error in
      guard error is DataSourceError else { return }
      errors += 1
      // The edit that comes next has not been made.
      snapshots.append(dataSource.snapshot().itemIdentifiers)
    }
    dataSource.apply(try state([99, 99])) { Issue.record("It was refused") }
    try await dataSource.apply(Outline([3]), to: 200)
    #expect(errors == 1)
    #expect(snapshots == [[1, 2, 3]])
    #expect(dataSource.snapshot().itemIdentifiers == [1, 2, 3])
  }
}
