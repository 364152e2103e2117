import Diffable
import ListSupport
import TestScope
import Testing

@testable import DiffableQueries

/// A row that names its parent.
private struct Branch: Identifiable, Equatable, Sendable {
  let id: Int
  var parent: Int?
}

@Suite("A row of a derived tree stays folded under another identifier", .deadline)
struct RenamedFoldTests {
  private static func tree(
    _ query: ListQuery<ModelBatch<String, Branch>, ModelBatch<String, Branch>>
  ) -> ListQuery<ModelBatch<String, Branch>, ModelBatch<String, Branch>> {
    query.outlined { $0.parent }
  }

  /// A row is folded by its name, or by the one under which it is still shown.
  private enum Act: CaseIterable { case collapse, expand, collapseShown, expandShown, rename, look }

  @Test(
    "Every sequence in which one row is folded and renamed, and somebody looks now and then",
    arguments: [false, true])
  func everyOrder(isSearch: Bool) async throws {
    for acts in everySequence(of: Act.allCases, length: scoped(usual: 3, wide: 4, long: 6)) {
      let source = ModelSource<String, Branch>()
      try await source.apply([Branch(id: 0), Branch(id: 1, parent: 0)]) { _ in "a" }
      let derived = source.derived { query in
        isSearch ? Self.tree(query).searched { _ in true } : Self.tree(query)
      }
      _ = await derived.snapshot
      var (name, shown, isExpanded) = (0, 0, true)
      for (step, act) in acts.enumerated() {
        switch act {
        case .collapse, .collapseShown:
          isExpanded = false
          if act == .collapse { shown = name }
          try await derived.collapseItems([shown])
        case .expand, .expandShown:
          isExpanded = true
          if act == .expand { shown = name }
          try await derived.expandItems([shown])
        case .rename:
          let (old, new) = (name, 10 + step)
          try await source.update { draft in
            try draft.renameItem(old, to: Branch(id: new))
            try draft.update(1) { $0.parent = new }
          }
          name = new
        case .look:
          shown = name
          _ = await derived.snapshot
        }
      }
      let outline = await derived.snapshot.outline(ofSection: "a")
      #expect(outline?.isExpanded(name) == isExpanded, "\(acts)")
    }
  }

  @Test("Folds that nobody has looked at do not pile up") func foldedOften() {
    var flags = ExpansionFlags<Int>()
    for number in 0..<1000 { flags.set(number % 2 == 0, for: [1, 2], isThere: { _ in true }) }
    #expect(flags.news.count == 2)
    #expect(flags[1] == false && flags[2] == false)
  }

  @Test(
    "The rows of two merged sources, of which one renames a row later", arguments: [true, false])
  func merged(isOneSource: Bool) async throws {
    let sources = [ModelSource<String, Branch>(), ModelSource<String, Branch>()]
    try await sources[0].apply([Branch(id: 1)]) { _ in "a" }
    let rows = [Branch(id: 1), Branch(id: 2, parent: 1), Branch(id: 3), Branch(id: 4, parent: 3)]
    try await sources[1].apply(rows) { _ in "a" }
    let both = sources[0].merged(with: sources[1])
    let tree = isOneSource ? both : both.derived(Self.tree)
    if isOneSource { try await both.setQuery(Self.tree) }
    try await tree.collapseItems([1, 3])
    #expect(await tree.snapshot.itemIdentifiers == [1, 3])
    try await sources[1].update { draft in
      try draft.renameItem(3, to: Branch(id: 30))
      draft.setModel(Branch(id: 4, parent: 30))
    }
    #expect(await tree.snapshot.itemIdentifiers == [1, 30])
    try await sources[0].update { try $0.renameItem(1, to: Branch(id: 10)) }
    // The other source still has the row under the old identifier: there are two rows.
    #expect(await tree.snapshot.itemIdentifiers == [10, 1, 30])
    // Nobody looks before the row is gone.
    try await tree.collapseItems([1])
    try await sources[1].update { draft in
      try draft.renameItem(1, to: Branch(id: 10))
      draft.setModel(Branch(id: 2, parent: 10))
    }
    // An identifier in both states names the same row, which was not folded.
    #expect(await tree.snapshot.itemIdentifiers == [10, 2, 30])
  }

  @Test(
    "A row of two merged sources, of which the other has it below a folded row",
    arguments: [true, false])
  func hiddenInTheOther(isOneSource: Bool) async throws {
    let sources = [ModelSource<String, Branch>(), ModelSource<String, Branch>()]
    try await sources[0].apply([Branch(id: 1), Branch(id: 2, parent: 1)]) { _ in "a" }
    try await sources[1].update { draft in
      var outline = try Outline([5])
      try outline.append([1], to: 5)
      draft.appendSections(["b"])
      try draft.snapshot.setOutline(outline, forSection: "b")
      draft.setModels([Branch(id: 5), Branch(id: 1)])
    }
    let both = sources[0].merged(with: sources[1])
    let tree = isOneSource ? both : both.derived(Self.tree)
    if isOneSource { try await both.setQuery(Self.tree) }
    try await tree.collapseItems([1])
    #expect(await tree.snapshot.itemIdentifiers == [1, 5])
    try await sources[0].update { draft in
      try draft.renameItem(1, to: Branch(id: 10))
      try draft.update(2) { $0.parent = 10 }
    }
    #expect(await tree.snapshot.itemIdentifiers == [10, 5])
  }

  @Test("What a source has renamed before it becomes the base is about none of the folded rows")
  func renamedBefore() async throws {
    let (first, second) = (ModelSource<String, Branch>(), ModelSource<String, Branch>())
    try await first.apply([Branch(id: 0), Branch(id: 1, parent: 0)]) { _ in "a" }
    try await second.apply([Branch(id: 5), Branch(id: 1, parent: 5)]) { _ in "a" }
    try await second.update { draft in
      try draft.renameItem(5, to: Branch(id: 0))
      try draft.update(1) { $0.parent = 0 }
    }
    let tree = first.derived(Self.tree)
    try await tree.collapseItems([0])
    #expect(await tree.snapshot.itemIdentifiers == [0])
    try await tree.setBase(second)
    #expect(await tree.snapshot.itemIdentifiers == [0])
    // From now on its renames count.
    try await second.update { draft in
      try draft.renameItem(0, to: Branch(id: 7))
      try draft.update(1) { $0.parent = 7 }
    }
    #expect(await tree.snapshot.itemIdentifiers == [7])
  }

  @Test("What a base without history has renamed last is about the rows that were read before")
  func withoutHistory() async throws {
    let source = ModelSource<String, Branch>(options: SourceOptions(history: 0))
    try await source.apply([Branch(id: 0), Branch(id: 1, parent: 0)]) { _ in "a" }
    let tree = source.derived(Self.tree)
    try await tree.collapseItems([0])
    #expect(await tree.snapshot.itemIdentifiers == [0])
    // The source no longer has the state that was read: the next batch is a new start.
    try await source.update { draft in
      try draft.renameItem(0, to: Branch(id: 7))
      try draft.update(1) { $0.parent = 7 }
    }
    #expect(await tree.snapshot.itemIdentifiers == [7])
  }

  @Test("The rows that a join looks up are not those that it shows", arguments: [true, false])
  func joined(isOneSource: Bool) async throws {
    let rows = ModelSource<String, Branch>()
    let names = ModelSource<String, Branch>()
    try await rows.apply([Branch(id: 1), Branch(id: 2, parent: 1)]) { _ in "a" }
    try await names.apply([Branch(id: 1)]) { _ in "a" }
    let joined = rows.joined(with: names, by: { $0.id }) { row, _ in row }
    let tree = isOneSource ? joined : joined.derived(Self.tree)
    if isOneSource { try await joined.setQuery(Self.tree) }
    try await tree.collapseItems([1])
    try await names.update { try $0.renameItem(1, to: Branch(id: 10)) }
    #expect(await tree.snapshot.itemIdentifiers == [1])
    try await rows.update { draft in
      try draft.renameItem(1, to: Branch(id: 11))
      draft.setModel(Branch(id: 2, parent: 11))
    }
    #expect(await tree.snapshot.itemIdentifiers == [11])
  }

  @Test("A second query hears of the first name of a row that comes under a name in between")
  func inBetween() async throws {
    let source = DataSourceActor<Int, Int>()
    try await source.update { draft in
      draft.appendSections([0])
      try draft.appendItems([3, 4], toSection: 0)
    }
    let even = source.derived { $0.filter { $0.isMultiple(of: 2) } }
    var batches = even.updates().makeAsyncIterator()
    _ = await batches.next()
    for (old, new) in [(3, 30), (30, 32)] {
      try await source.update { try $0.renameItem(old, to: new) }
      // The next batch is about both.
      _ = await even.snapshot
    }
    let batch = try #require(await batches.next())
    #expect(batch.renamedItems.map(\.old) == [30])
    let renames = batch.renames(as: Int.self)
    #expect(renames.map(\.old) == [3] && renames.map(\.new) == [32])
  }

  @Test("Renames of hidden rows that come and go do not pile up for a slow subscriber")
  func hiddenRowsThatComeAndGo() async throws {
    let source = DataSourceActor<Int, Int>()
    try await source.update { draft in
      draft.appendSections([0])
      try draft.appendItems(Array(0..<10), toSection: 0)
    }
    let even = source.derived { $0.filter { $0.isMultiple(of: 2) } }
    var batches = even.updates().makeAsyncIterator()
    _ = await batches.next()
    for item in 0..<10 { try await source.update { try $0.renameItem(item, to: item + 10) } }
    for number in 10..<400 {
      let rows = (10 * number..<10 * number + 10).map { 2 * $0 + 1 }
      for edit: @Sendable (inout Snapshot<Int, Int>) throws -> Void in [
        { try $0.appendItems(rows.map { -$0 }) },
        { for row in rows { try $0.renameItem(-row, to: row) } },
        { $0.deleteItems(rows) },
      ] {
        try await source.update { try edit(&$0) }
        // The next batch is about all of them.
        _ = await even.snapshot
      }
    }
    let batch = try #require(await batches.next())
    #expect(batch.renamedItems.count == 5)
    let renames = batch.renames(as: Int.self)
    #expect(renames.count < 3_000, "\(renames.count)")
    #expect(Set(renames).isSuperset(of: (0..<5).map { ItemRename(old: 2 * $0, new: 2 * $0 + 10) }))
  }

  /// Expects that a folded row stays folded when it gets another identifier.
  private func expectFolded<Row: Identifiable & Equatable & Sendable>(
    _ old: Row.ID, as new: Row.ID,
    in list: DerivedSource<ModelBatch<Folder, Row>, ModelBatch<Folder, Row>>,
    _ write: () async throws -> Void
  ) async throws where Row.ID: Sendable {
    try await list.collapseItems([old])
    #expect(await list.snapshot.disclosure(of: old)?.sign == .collapsed)
    try await write()
    #expect(await list.snapshot.disclosure(of: new)?.sign == .collapsed, "\(old) as \(new)")
  }

  @Test("A row that is made of another one, in each of the lists whose rows are made")
  func made() async throws {
    // The second row of each list names the first by its text; those of the second list name 1, too.
    let left = try await Notes.of([Note(id: 1), Note(id: 2, text: 1)])
    let right = try await Notes.of([Note(id: 10, title: 1), Note(id: 11, title: 1, text: 10)])
    let each = left.joined(withEachOf: right, by: \.title)
    try await each.setQuery { query in
      query.outlined { row in
        row.right.flatMap { $0.text > 0 ? JoinedID<Int, Int>.right($0.text) : nil }
      }
    }
    try await expectFolded(.right(10), as: .right(20), in: each) {
      try await right.update { draft in
        try draft.renameItem(10, to: Note(id: 20, title: 1))
        try draft.update(11) { $0.text = 20 }
      }
    }
    let abridged = left.abridged(to: 2)
    try await abridged.setQuery { query in
      query.outlined { row in
        row.element.flatMap { $0.text > 0 ? AbridgedID<Folder, Int>.row($0.text) : nil }
      }
    }
    try await expectFolded(.row(1), as: .row(3), in: abridged) {
      try await left.update { draft in
        try draft.renameItem(1, to: Note(id: 3))
        try draft.update(2) { $0.text = 3 }
      }
    }
    let parts = left.flatMapped { _ in [Note(id: 0), Note(id: 1)] }
    try await parts.setQuery { query in
      query.outlined { $0.id.part == 0 ? nil : PartID(whole: $0.id.whole, part: 0) }
    }
    try await expectFolded(PartID(whole: 3, part: 0), as: PartID(whole: 4, part: 0), in: parts) {
      try await left.update { try $0.renameItem(3, to: Note(id: 4)) }
    }
    let tree = left.outlined(withEachOf: right, by: \.title)
    try await right.setModels([Note(id: 20, title: 4), Note(id: 11, title: 4)])
    try await expectFolded(.left(4), as: .left(5), in: tree) {
      try await left.update { try $0.renameItem(4, to: Note(id: 5)) }
      try await right.setModels([Note(id: 20, title: 5), Note(id: 11, title: 5)])
    }
  }
}
