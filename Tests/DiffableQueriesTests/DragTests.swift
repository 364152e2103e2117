import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A drag in a derived source is a move in its base, or is refused", .deadline)
struct DragTests {
  typealias Derived = DerivedLawTests.Derived

  private func makeNotes(_ reordering: ReorderingHandlers<Folder, Int> = .init()) async throws
    -> Notes
  {
    let source = Notes(reordering: reordering) { note, folder in note.folder = folder }
    try await source.apply(
      (0..<8).map { Note(id: $0, folder: 0, title: $0 % 2, text: $0 % 4) }, section: \.folder)
    return source
  }

  private static func byTitle(_ query: QueryScript.Query) -> QueryScript.Query {
    query.grouped(by: { Folder($0.title) }).onMove { $0.title = $1.number }
  }

  /// Drops items, and returns what is shown then, or why that was refused.
  private func drop(
    _ items: [Int], _ destination: ReorderDestination<Folder, Int>, in source: Derived
  ) async throws -> String {
    var drag = try #require(try await source.beginReorder(items))
    _ = try drag.proposed(to: destination)
    if let refusal = drag.refusal {
      #expect(try await drag.commit() == nil)
      return "\(refusal)"
    }
    let (start, preview) = (await source.snapshot, drag.proposedSnapshot)
    let transaction = try #require(try await drag.commit(named: "Drag"))
    let state = await source.snapshot
    #expect(transaction.initialSnapshot == start && transaction.finalSnapshot == state)
    #expect(transaction.name == "Drag")
    #expect(transaction.target == (await source.revision))
    #expect(await drag.batch(completing: transaction).snapshot == state)
    #expect(preview.itemIdentifiers.count == state.itemIdentifiers.count)
    return state.description
  }

  @Test func `Between groups, models change and rows are moved`() async throws {
    let base = try await makeNotes()
    let groups = base.derived { Self.byTitle($0) }
    #expect(try await drop([6], .before(1), in: groups) == "0[0 2 4] 1[6 1 3 5 7]")
    #expect(await base.model(for: 6)?.title == 1)
    #expect(base.nextUndo(.named)?.name == "Drag")
    #expect(try await drop([6, 7], .end(of: 0), in: groups) == "0[0 2 4 6 7] 1[1 3 5]")
    // One change of the base each.
    #expect(await base.revision == Revision(3))
    try await base.undo()
    #expect(await groups.snapshot.description == "0[0 2 4] 1[6 1 3 5 7]")
  }

  @Test func `What means nothing in the base is refused with its reason`() async throws {
    let base = try await makeNotes()
    let plain = base.derived { $0.grouped(by: { Folder($0.title) }) }
    #expect(try await drop([6], .end(of: 1), in: plain) == "\(ReorderRefusal.otherGroup)")
    let mapped = base.derived { query in
      query.map { Card(id: $0.id, column: "\($0.title)") }.grouped(by: \.column)
        .onMove { card, column in card.column = column }
    }
    var drag = try #require(try await mapped.beginReorder([6]))
    _ = try drag.proposed(to: .end(of: "1"))
    #expect(drag.refusal == .otherGroup)
    // It does not matter which of several queries maps them.
    let cards = base.derived { query in query.map { Card(id: $0.id, column: "\($0.title)") } }
    let above = cards.derived { query in
      query.grouped(by: \.column).onMove { card, column in card.column = column }
    }
    var second = try #require(try await above.beginReorder([6]))
    _ = try second.proposed(to: .end(of: "1"))
    #expect(second.refusal == .otherGroup)
    let back = cards.derived { query in
      query.map { Note(id: $0.id, title: Int($0.column) ?? 0) }
        .grouped(by: { Folder($0.title) }).onMove { $0.title = $1.number }
    }
    var third = try #require(try await back.beginReorder([6]))
    _ = try third.proposed(to: .before(1))
    try await third.commit()
    #expect(await back.snapshot.description == "0[0 2 4] 1[6 1 3 5 7]")
    try await base.undo()
    let tree = base.derived { $0.outlined(by: { $0.id > 3 ? 0 : nil }) }
    #expect(try await drop([6], .before(1), in: tree) == "\(ReorderRefusal.tree)")
    let merged = base.merged(with: base.derived { $0 })
    #expect(try await drop([6], .before(1), in: merged) == "\(ReorderRefusal.severalSources)")
    let twice = base.derived {
      $0.grouped(by: { Folder($0.text) }).grouped(by: { Folder($0.title) })
    }
    #expect(try await drop([6], .before(2), in: twice) == "\(ReorderRefusal.sorted)")
    // Two folders of the base show rows in one group.
    try await base.update { draft in
      draft.appendSections([1])
      try draft.appendItems([Note(id: 8, folder: 1)], toSection: 1)
    }
    let groups = base.derived { Self.byTitle($0) }
    #expect(try await drop([8], .before(2), in: groups) == "\(ReorderRefusal.otherSection)")
    #expect(try await drop([0, 8], .before(2), in: groups) == "\(ReorderRefusal.otherSection)")
    #expect(try await drop([8], .before(1), in: groups) == "0[0 2 4 6] 1[1 3 5 7 8]")
    #expect(try await drop([8], .before(1), in: base.derived { $0 }) == "0[0 8 1 2 3 4 5 6 7] 1[]")
    #expect(await base.model(for: 8)?.folder == 0)
  }

  /// What becomes of a drop, worked out with arrays.
  private struct PlainDrop {
    let isSorted: Bool
    let isGrouped: Bool
    let changesGroups: Bool
    /// The rows of two sections of the base, of which the query hides row 2.
    var folders = [[0, 1, 2], [3, 4, 5]]
    var titles = [0, 1, 0, 1, 0, 1]

    var shown: [[Int]] {
      var rows = folders.map { $0.filter { $0 != 2 } }
      if isGrouped { rows = [0, 1].map { title in rows.joined().filter { titles[$0] == title } } }
      return isSorted ? rows.map { $0.sorted(by: >) } : rows
    }

    private func folder(of row: Int) -> Int { folders[0].contains(row) ? 0 : 1 }

    /// Drops rows, in the order in which they are shown.
    ///
    /// - Parameter anchor: A row that is not one of them, or without one the end of the section.
    mutating func drop(
      _ rows: [Int], _ anchor: Int?, isBefore: Bool, in section: Int
    ) -> ReorderRefusal? {
      let rows = shown.joined().filter(rows.contains)
      let isElsewhere = !rows.allSatisfy(shown[section].contains)
      let next = anchor ?? shown[section].last { !rows.contains($0) }
      let isNear = rows.allSatisfy { row in next.map(folder) == folder(of: row) }
      if !isElsewhere {
        if isSorted { return .sorted }
        // At the end of a group, all of which is dragged, everything is where it is dropped.
        if isGrouped { if next == nil { return nil } else if !isNear { return .otherSection } }
      } else if isGrouped {
        guard changesGroups else { return .otherGroup }
        for row in rows { titles[row] = section }
        // Only the group changes where the order or another section of the base decides.
        if isSorted || !isNear { return nil }
      }
      folders = folders.map { $0.filter { !rows.contains($0) } }
      let target = next.map(folder) ?? section
      let place = next.flatMap { folders[target].firstIndex(of: $0) }
        .map { anchor != nil && isBefore ? $0 : $0 + 1 }
      let end = folders[target].count
      folders[target].insert(contentsOf: rows, at: isSorted ? end : place ?? end)
      return nil
    }

    func query(_ query: QueryScript.Query) -> QueryScript.Query {
      let rows = query.filter { $0.id != 2 }
      let ordered = isSorted ? rows.sorted(by: \.id, reverse: true) : rows
      guard isGrouped else { return ordered }
      let groups = ordered.grouped(by: { Folder($0.title) })
      return changesGroups ? groups.onMove { $0.title = $1.number } : groups
    }
  }

  @Test("Every row and every two to every place", arguments: [false, true], [false, true])
  func everyDrop(isSorted: Bool, isGrouped: Bool) async throws {
    var number = 0
    let all = [0, 1, 3, 4, 5]
    let dragged = all.flatMap { first in
      all.filter { $0 >= first }.map { $0 == first ? [first] : [$0, first] }
    }
    let choices = isGrouped ? [false, true] : [false]
    for (rows, changesGroups) in dragged.flatMap({ rows in choices.map { (rows, $0) } }) {
      let start = PlainDrop(isSorted: isSorted, isGrouped: isGrouped, changesGroups: changesGroups)
      for (section, shown) in start.shown.enumerated() {
        let anchors = shown.filter { !rows.contains($0) }
          .flatMap { [($0 as Int?, false), ($0, true)] }
        for (anchor, isBefore) in anchors + [(nil, false)] {
          number += 1
          guard isInScope(number, usual: 11) else { continue }
          var plain = start
          let base = Notes(reordering: .init()) { note, folder in note.folder = folder }
          try await base.apply(
            (0..<6).map { Note(id: $0, folder: $0 < 3 ? 0 : 1, title: start.titles[$0]) },
            section: \.folder)
          let list = base.derived { start.query($0) }
          var drag = try #require(try await list.beginReorder(rows))
          let place: ReorderDestination<Folder, Int> =
            anchor.map { isBefore ? .before($0) : .after($0) } ?? .end(of: Folder(section))
          _ = try drag.proposed(to: place)
          let refusal = plain.drop(rows, anchor, isBefore: isBefore, in: section)
          let comment: Comment = "\(rows) to \(place), with other groups: \(changesGroups)"
          #expect(drag.refusal == refusal, comment)
          _ = try await drag.commit()
          let (shown, all) = (await list.snapshot, await base.snapshot)
          #expect([0, 1].map { shown.itemIdentifiers(inSection: $0) } == plain.shown, comment)
          #expect([0, 1].map { all.itemIdentifiers(inSection: $0) } == plain.folders, comment)
        }
      }
    }
  }

  @Test func `Of rows with equal keys, the order of the groups decides which one is shown`()
    async throws
  {
    let base = try await makeNotes()
    let groups = base.derived { Self.byTitle($0).distinct(by: \.text) }
    #expect(await groups.snapshot.description == "0[0 2] 1[1 3]")
    #expect(try await drop([2], .end(of: 1), in: groups) == "\(ReorderRefusal.hidden)")
    // In the sections of the base, a row may be the first elsewhere, too.
    let rows = try await Notes.of([Note(id: 0), Note(id: 1, text: 1)])
    try await rows.update { draft in
      draft.appendSections([1])
      try draft.appendItems([Note(id: 2, text: 2), Note(id: 3)], toSection: 1)
    }
    let distinct = rows.derived { $0.distinct(by: \.text) }
    #expect(try await drop([0], .before(2), in: distinct) == "0[1] 1[0 2]")
  }

  @Test(
    "No row of a distinct list vanishes by a drop, and none is kept from a place where it would stay",
    arguments: 1...rounds(60 as UInt64))
  func distinctDrops(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = Notes()
    let notes = (0..<10).map { Note(id: $0, text: random.number(below: 5)) }
    try await base.apply(notes, section: \.folder)
    // Another step after it hides nothing, and knows nothing of the rows that are hidden.
    let distinct =
      seed.isMultiple(of: 2)
      ? base.derived { $0.distinct(by: \.text) }
      : base.derived { $0.distinct(by: \.text).filter { $0.id < 10 } }
    for step in 0..<12 {
      let shown = Array(await distinct.snapshot.itemIdentifiers)
      let items = random.sample(shown, oneIn: 3)
      guard !items.isEmpty, let anchor = random.element(of: shown), !items.contains(anchor)
      else { continue }
      var drag = try #require(try await distinct.beginReorder(items))
      let isBefore = random.chance(oneIn: 2)
      _ = try drag.proposed(to: isBefore ? .before(anchor) : .after(anchor))
      var all = Array(await base.snapshot.itemIdentifiers).filter { !items.contains($0) }
      let place = all.firstIndex(of: anchor).map { isBefore ? $0 : $0 + 1 }
      all.insert(contentsOf: items, at: try #require(place))
      var texts: Set<Int> = []
      let expected = all.filter { texts.insert(notes[$0].text).inserted }
      let comment: Comment = "seed \(seed), step \(step): \(items) to \(anchor), \(all)"
      #expect((drag.refusal == .hidden) == !items.allSatisfy(expected.contains), comment)
      guard drag.refusal == nil else { continue }
      try await drag.commit()
      #expect(Array(await distinct.snapshot.itemIdentifiers) == expected, comment)
    }
  }

  @Test func `A row can be dragged to a group that is empty, if it is always there`() async throws {
    let base = try await makeNotes()
    let board = base.derived { query in
      query.grouped(by: { Folder($0.title) }, sections: [0, 1, 2]).onMove { $0.title = $1.number }
    }
    #expect(try await drop([6], .end(of: 2), in: board) == "0[0 2 4] 1[1 3 5 7] 2[6]")
    #expect(try await drop([6], .end(of: 1), in: board) == "0[0 2 4] 1[1 3 5 7 6] 2[]")
  }

  @Test func `The app of the base has a veto`() async throws {
    let base = try await makeNotes(
      ReorderingHandlers(canReorder: { items, destination, _ in
        items != [7] && destination != .before(0)
      }))
    let derived = base.derived { $0.filter { $0.id < 8 } }.derived { $0 }
    #expect(try await derived.beginReorder([7]) == nil)
    #expect(try await drop([6], .before(0), in: derived) == "\(ReorderRefusal.vetoed)")
    #expect(try await drop([6], .before(1), in: derived) == "0[0 6 1 2 3 4 5 7]")
    await #expect(throws: DataSourceError.self) { try await derived.beginReorder([99]) }
  }

  @Test func `After another query, it means what it means there`() async throws {
    let list = try await makeNotes().derived { $0.sorted(by: \.id, reverse: true) }
    #expect(try await drop([6], .before(1), in: list) == "\(ReorderRefusal.sorted)")
    try await list.setQuery { $0.sorted(by: \.id, reverse: true).map { $0 } }
    #expect(try await drop([6], .before(1), in: list) == "\(ReorderRefusal.sorted)")
    try await list.setQuery { Self.byTitle($0) }
    #expect(try await drop([6], .before(1), in: list) == "0[0 2 4] 1[6 1 3 5 7]")
  }

  @Test func `Through several derived sources`() async throws {
    let base = try await makeNotes()
    let groups = base.derived { Self.byTitle($0) }
    let cut = groups.derived { $0.filter { $0.id > 1 }.prefix(5) }
    #expect(try await drop([3], .before(4), in: cut) == "0[2 3 4 6] 1[5]")
    #expect(await base.model(for: 3)?.title == 0)
    let regrouped = base.derived { $0.filter { $0.id < 9 } }.derived { Self.byTitle($0) }
    #expect(try await drop([3], .after(7), in: regrouped) == "0[0 2 4 6] 1[1 5 7 3]")
  }

  @Test func `A map after the groups shows other models, and leaves what a drag changes`()
    async throws
  {
    let base = try await makeNotes()
    let mapped = base.derived { query in
      Self.byTitle(query).map { Note(id: $0.id, title: $0.title, text: -1) }
    }
    #expect(try await drop([6], .before(1), in: mapped) == "0[0 2 4] 1[6 1 3 5 7]")
    #expect(await base.model(for: 6) == Note(id: 6, title: 1, text: 2))
  }

  @Test func `Each of several derived sources changes the model`() async throws {
    let base = try await makeNotes()
    let marked = base.derived { Self.byTitle($0) }.derived { query in
      query.onMove { note, _ in note.text = 9 }
    }
    #expect(try await drop([6], .before(1), in: marked) == "0[0 2 4] 1[6 1 3 5 7]")
    #expect(await base.model(for: 6) == Note(id: 6, title: 1, text: 9))
  }

  @Test(
    "What the preview shows of several rows is shown after the drop, if there is no order",
    arguments: 1...rounds(60 as UInt64))
  func previews(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = Notes()
    let notes = (0..<random.number(below: 14)).map {
      Note(id: $0, folder: 0, title: random.number(below: 3), text: random.number(below: 3))
    }
    try await base.apply(notes, section: \.folder, sections: [0])
    let derived = base.derived { query in
      Self.byTitle(query.filter { $0.text > 0 }).keepingEmptySections()
    }
    for step in 0..<8 {
      let shown = await derived.snapshot
      let items = random.sample(shown.itemIdentifiers, oneIn: 4)
      guard !items.isEmpty, let anchor = random.element(of: shown.itemIdentifiers)
      else { continue }
      var drag = try #require(try await derived.beginReorder(items))
      let section = try #require(shown.sectionIdentifier(containingItem: anchor))
      let places: [ReorderDestination<Folder, Int>] = [
        .before(anchor), .after(anchor), .end(of: section),
      ]
      _ = try drag.proposed(to: places[random.number(below: 3)])
      guard let transaction = try await drag.commit() else {
        #expect(drag.destination == nil, "seed \(seed), step \(step)")
        continue
      }
      let state = await derived.snapshot
      #expect(transaction.finalSnapshot == state, "seed \(seed), step \(step)")
      // Without a row that stays in the group, nothing says where the others go.
      guard shown.itemIdentifiers(inSection: section).contains(where: { !items.contains($0) })
      else { continue }
      // A group that has lost all its rows is none any more.
      var preview = drag.proposedSnapshot
      preview.deleteSections(preview.sectionIdentifiers.filter { !state.containsSection($0) })
      #expect(preview == state, "seed \(seed), step \(step)")
    }
  }
}
