import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Each row of one list, with the one that it names", .deadline) struct NestedJoinTests {
  typealias Row = JoinedRow<Note, Note>
  typealias Kind = JoinKind<Folder>

  static let kinds: [Kind] = [
    .inner, .left, .right(unmatchedIn: 1), .full(unmatchedIn: 1), .right(unmatchedIn: 9),
    .full(unmatchedIn: 9),
  ]

  static let name: @Sendable (Note) -> Int? = { $0.title == 0 ? nil : $0.title }

  /// The joined rows, by a look at each pair.
  static func naive(
    _ left: PlainRows<Note>, _ right: PlainRows<Note>, _ kind: Kind, isTree: Bool = false
  ) -> PlainRows<Row> {
    let others = right.sections.flatMap { $0.1 }
    let known = Set(left.sections.flatMap { $0.1.map(\.id) })
    var sections = left.sections.map { section, notes in
      (
        section,
        notes.flatMap { note -> [Row] in
          let partners = others.filter { name($0) == note.id }
          if isTree { return [.left(note)] + partners.map { .right($0) } }
          if partners.isEmpty { return kind.keepsLeft ? [.left(note)] : [] }
          return partners.map { .both(note, $0) }
        }
      )
    }
    let rest = others.filter { name($0).map { !known.contains($0) } ?? true }
    if let unmatched = kind.unmatched, !rest.isEmpty {
      if let index = sections.firstIndex(where: { $0.0 == unmatched }) {
        sections[index].1 += rest.map { .right($0) }
      } else {
        sections.append((unmatched, rest.map { .right($0) }))
      }
    }
    return PlainRows(sections: sections)
  }

  @Test(
    "The rows are those of a look at each pair", arguments: 1...rounds(20 as UInt64), kinds.indices)
  func law(seed: UInt64, kind: Int) async throws {
    let kind = Self.kinds[kind]
    var lists = try await NamingLists(seed: seed, size: seed % 10 == 0 ? 120 : 3 + Int(seed % 9))
    let joined = lists.left.joined(withEachOf: lists.right, by: Self.name, kind, options: .strict)
    let many = lists.left.joined(withMany: lists.right, by: Self.name, options: .strict) {
      Note(id: $0.id, text: $1.reduce($0.text) { 7 * $0 % 1_000_003 + $1.id + $1.text })
    }
    let tree = lists.left.outlined(
      withEachOf: lists.right, by: Self.name, unmatchedIn: kind.unmatched, options: .strict)
    var (rows, values, outlined) = (RowFollower(joined), RowFollower(many), RowFollower(tree))
    for step in 0..<30 {
      let left = PlainRows<Note>(await lists.left.snapshot)
      let right = PlainRows<Note>(await lists.right.snapshot)
      let message: Comment = "seed \(seed), step \(step)"
      let shown = try await rows.rows()
      #expect(shown == Self.naive(left, right, kind), message)
      let others = right.sections.flatMap { $0.1 }
      let expected = PlainRows(
        sections: left.sections.map { section, notes in
          (
            section,
            notes.map { note in
              let partners = others.filter { Self.name($0) == note.id }
              return Note(
                id: note.id,
                text: partners.reduce(note.text) { 7 * $0 % 1_000_003 + $1.id + $1.text })
            }
          )
        })
      #expect(try await values.rows() == expected, message)
      let ofTree: Kind = kind.unmatched.map { .full(unmatchedIn: $0) } ?? .left
      #expect(try await outlined.rows() == Self.naive(left, right, ofTree, isTree: true), message)
      // What one edit changes beside another one is in one change of the joined lists.
      for _ in 0..<(step % 3 == 0 ? 4 : 1) { try await lists.edit() }
    }
  }

  private typealias Joined = DerivedSource<ModelBatch<Folder, Row>, ModelBatch<Folder, Row>>

  /// Two joins of lists with a section for rows without a partner, and an outline.
  private func joins(of left: Notes, _ right: Notes) -> [Joined] {
    [
      left.joined(withEachOf: right, by: Self.name, .right(unmatchedIn: 1), options: .strict),
      left.joined(withEachOf: right, by: Self.name, .full(unmatchedIn: 1), options: .strict),
      left.outlined(withEachOf: right, by: Self.name, unmatchedIn: 1, options: .strict),
    ]
  }

  /// Expects that these show what a look at each pair says.
  private func expectJoined(
    _ lists: [Joined], _ left: Notes, _ right: Notes, _ comment: Comment
  ) async throws {
    let (first, second) = (
      PlainRows<Note>(await left.snapshot), PlainRows<Note>(await right.snapshot)
    )
    for (number, list) in lists.enumerated() {
      let expected = Self.naive(
        first, second, number == 0 ? .right(unmatchedIn: 1) : .full(unmatchedIn: 1),
        isTree: number == 2)
      #expect(PlainRows<Row>(await list.snapshot) == expected, comment)
    }
  }

  @Test("The section of rows without a partner is after all others unless the first list has it")
  func unmatchedSection() async throws {
    let (left, right) = (Notes(), Notes())
    // Two rows that name nothing that there ever is, and one for each row of the first list.
    try await right.apply(
      [0, 7, 1, 2, 3].map { Note(id: 10 + $0, title: $0) }, section: \.folder)
    let lists = joins(of: left, right)
    func show(_ folders: [Int]) async throws {
      try await left.apply(
        folders.map { Note(id: $0 + 1, folder: Folder($0)) }, section: \.folder)
      if folders.contains(1) { try await left.setSectionModel("its own", for: 1) }
    }
    let orders = everyOrderedSubset(of: [0, 1, 2])
    for old in orders {
      // The other two sections are called by the order in which they come.
      for new in orders where (old + new).first(where: { $0 != 1 }) != 2 {
        try await show(old)
        for list in lists { _ = await list.snapshot }
        try await show(new)
        let comment: Comment = "from \(old) to \(new)"
        try await expectJoined(lists, left, right, comment)
        for list in lists {
          let model = await list.snapshot.sectionModel(of: 1)
          #expect(model == (new.contains(1) ? "its own" : nil), comment)
        }
      }
    }
  }

  @Test func `A section of the first list stays without rows, also that of rows without a partner`()
    async throws
  {
    // Whether the first list has the section, and with a row; and what the second list has beside a
    // partner of the first row: one for the row of that section, or one that names nothing.
    let firsts = [(false, false), (true, false), (true, true)]
    let seconds = [[], [12], [13]]
    let states = firsts.flatMap { first in seconds.map { (first: first, second: $0) } }
    let (left, right) = (Notes(), Notes())
    try await left.apply([Note(id: 1), Note(id: 3, folder: 2)], section: \.folder)
    try await right.apply([Note(id: 11, title: 1)], section: \.folder)
    let lists = joins(of: left, right)
    func show(_ state: (first: (hasSection: Bool, hasRow: Bool), second: [Int])) async throws {
      try await left.update { draft in
        // Another row changes with it.
        try draft.update(1) { $0.text += 1 }
        draft.deleteItems([2])
        if !state.first.hasSection {
          draft.snapshot.deleteSections([1])
        } else if !draft.snapshot.containsSection(1) {
          try draft.snapshot.insertSections([1], beforeSection: 2)
        }
        if state.first.hasRow { try draft.appendItems([Note(id: 2, folder: 1)], toSection: 1) }
      }
      try await right.update { draft in
        draft.deleteItems([12, 13])
        for item in state.second {
          try draft.appendItems([Note(id: item, title: item == 12 ? 2 : 7)], toSection: 0)
        }
      }
    }
    for old in states {
      for new in states {
        try await show(old)
        for list in lists { _ = await list.snapshot }
        try await show(new)
        try await expectJoined(lists, left, right, "from \(old) to \(new)")
      }
    }
  }

  @Test func `A row stays when it names another one, and only rows that show it change`()
    async throws
  {
    let (customers, orders) = (Notes(), Notes())
    try await customers.apply([Note(id: 1), Note(id: 2), Note(id: 3)], section: \.folder)
    try await orders.apply(
      [
        Note(id: 10, title: 1), Note(id: 11, title: 2), Note(id: 12, title: 1),
        Note(id: 13, title: 7),
      ],
      section: \.folder)
    let rows = customers.joined(
      withEachOf: orders, by: Self.name, .full(unmatchedIn: 9), options: .strict)
    let tree = customers.outlined(withEachOf: orders, by: Self.name, options: .strict)
    var batches = rows.updates().makeAsyncIterator()
    var trees = tree.updates().makeAsyncIterator()
    _ = (await batches.next(), await trees.next())
    #expect(
      await rows.snapshot.description
        == "0[right(10) right(12) right(11) left(3)] 9[right(13)]")
    #expect(await rows.elements.map { $0.left?.id } == [1, 1, 2, 3, nil])
    #expect(await rows.elements.map { $0.right?.id } == [10, 12, 11, nil, 13])
    try await customers.update { try $0.update(1) { $0.text = 5 } }
    #expect(await batches.next()?.difference.description == "~0:0..<2")
    #expect(await trees.next()?.difference.description == "~0:0")
    // The last row names another customer, and a customer has no orders any more.
    try await orders.update { try $0.update(13) { $0.title = 3 } }
    let moved = try #require(await batches.next())
    #expect(moved.snapshot.description == "0[right(10) right(12) right(11) right(13)]")
    #expect(moved.removedItems == [.left(3)])
    #expect(await trees.next()?.difference.itemInserts.count == 1)
    try await orders.update { try $0.update(12) { $0.text = 1 } }
    #expect(await batches.next()?.difference.description == "~0:1")
    var drag = try #require(try await rows.beginReorder([.right(10)]))
    _ = try drag.proposed(to: .end(of: 0))
    #expect(drag.refusal == .severalSources)
  }

  @Test func `What is said of a hidden row is not said of the rows that name it`() async throws {
    let (customers, orders) = (Notes(), Notes())
    try await customers.update { draft in
      var outline = try Outline([1])
      try outline.append([2], to: 1)
      draft.appendSections([0])
      try draft.snapshot.setOutline(outline, forSection: 0)
      draft.setModels([Note(id: 1), Note(id: 2)])
    }
    try await orders.apply(
      [Note(id: 10, title: 1), Note(id: 12, title: 2)], section: \.folder)
    let joined = customers.joined(
      withEachOf: orders, by: Self.name, .full(unmatchedIn: 9), options: .strict)
    #expect(await joined.snapshot.description == "0[right(10)] 9[right(12)]")
    let revision = await joined.revision
    try await customers.updateOrder { try $0.reloadItems([2]) }
    #expect(await joined.revision == revision)
    try await customers.updateOrder { $0.expandItems([1]) }
    #expect(await joined.snapshot.description == "0[right(10) right(12)]")
  }

  @Test func `If a row of the first list moves, no row is asked again what it names`() async throws
  {
    let (left, right) = (Notes(), Notes())
    try await left.apply((1...4).map { Note(id: $0) }, section: \.folder)
    try await right.apply((1...4).map { Note(id: 10 + $0, title: $0) }, section: \.folder)
    let names = CallCounter()
    let joined = left.joined(
      withEachOf: right,
      by: { note in
        names.count()
        return Self.name(note)
      }, .full(unmatchedIn: 9))
    var batches = joined.updates().makeAsyncIterator()
    _ = await batches.next()
    let before = names.value
    try await left.update { try $0.moveItem(1, afterItem: 4) }
    let moved = try #require(await batches.next())
    #expect(moved.snapshot.description == "0[right(12) right(13) right(14) right(11)]")
    #expect(names.value == before)
  }

  @Test func `A drag of a row with its partners is a drag of the row`() async throws {
    let (customers, orders) = (Notes(), Notes())
    try await customers.apply([Note(id: 1), Note(id: 2), Note(id: 3)], section: \.folder)
    try await orders.apply([Note(id: 10, title: 1)], section: \.folder)
    for joined in [
      customers.joined(withMany: orders, by: Self.name) { note, _ in note },
      customers.joined(with: orders, by: { $0.id }) { note, _ in note },
    ] {
      var drag = try #require(try await joined.beginReorder([3]))
      _ = try drag.proposed(to: .before(1))
      #expect(drag.refusal == nil)
      _ = try await drag.commit()
      #expect(await customers.snapshot.itemIdentifiers.first == 3)
      #expect(await joined.snapshot == customers.snapshot)
      try await customers.apply([Note(id: 1), Note(id: 2), Note(id: 3)], section: \.folder)
    }
  }
}
