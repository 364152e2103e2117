import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("One change is reverted, and others stay", .deadline)
struct RevertTests {
  @Test("It is a merge of the reverse", arguments: 0..<rounds(20 as UInt64, least: 6))
  func merge(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let source = DataSourceActor<String, Int>()
    var states = [await source.snapshot]
    while states.count < 12 {
      let edit = generator.outlineEdit(of: await source.snapshot)
      _ = try? await source.update { try edit.apply(to: &$0) }
      if await source.revision.number == states.count { states.append(await source.snapshot) }
    }
    for number in (1..<states.count).shuffled(using: &generator.random).prefix(5) {
      let live = await source.snapshot
      // Without renames, which only the history knows.
      let expected = try live.merging(states[number - 1], basedOn: states[number])
      let reverted = try await source.revert(source.change(of: Revision(number)))
      #expect(reverted.initialSnapshot == live)
      #expect(await reverted.finalSnapshot == source.snapshot)
      #expect(reverted.reversedChange?.revision == Revision(number))
      if !source.hasRenamed(Revision(number)) {
        #expect(reverted.finalSnapshot == expected.snapshot, "seed \(seed), revision \(number)")
      }
    }
  }

  @Test("Of changes that are reverted together, the older ones know the names that the newer give")
  func renamedTwice() async throws {
    let source = try DataSourceActor<String, Int>(.list([1]))
    let first = try await source.update { try $0.renameItem(1, to: 4) }
    let second = try await source.update { try $0.renameItem(4, to: 5) }
    try await source.update { try $0.appendItems([9]) }
    let reverted = try await source.revertAll([first.change, second.change])
    #expect(await source.snapshot.itemIdentifiers == [1, 9])
    #expect(reverted.conflicts.isEmpty && reverted.difference.itemRenames.count == 1)
  }

  @Test("A row that was renamed and reloaded is reloaded under its old name")
  func reloadedAgain() async throws {
    let source = try DataSourceActor<String, Int>(.list([1, 2]))
    let change = try await source.update { list in
      try list.renameItem(1, to: 4)
      try list.reloadItems([4])
    }
    let reverted = try await source.revert(change.change)
    #expect(await source.snapshot.itemIdentifiers == [1, 2])
    #expect(reverted.difference.itemReloads.elementsEqual([ItemPath(section: 0, item: 0)]))
  }

  @Test("A revision that the history does not have")
  func unknown() async throws {
    let source = try DataSourceActor<String, Int>(.list([1]), options: SourceOptions(history: 1))
    for item in 2...4 { try await source.update { try $0.appendItems([item]) } }
    for number in [Int.min, -1, 0, 1, 2, 5, .max] {
      await #expect(throws: DataSourceError.unknownRevision(Revision(number))) {
        try await source.revert(source.reader.hub.change(Revision(number), named: nil))
      }
    }
    #expect(await source.revision == Revision(4))
  }
}

extension DataSourceActor {
  /// Whether a revision has given items other identifiers, or one after it has.
  fileprivate nonisolated func hasRenamed(_ revision: Revision) -> Bool {
    guard let live = nextUndo()?.revision else { return true }
    return (revision.number...Swift.max(live.number, revision.number)).contains {
      !reader.hub.notes(after: Revision($0 - 1)).isEmpty
    }
  }
}

/// A list that others have led back to where a change had left it.
@Suite("Undo in a list that has come back to what the change had made", .deadline)
struct ComeBackTests {
  private typealias State = Snapshot<Int, Int>
  private typealias Edit = @Sendable (inout State) throws -> Void

  private static let rows = [1, 2, 3]

  /// Every change of one row.
  private static let changes: [Edit] =
    rows.flatMap { row -> [Edit] in
      [
        { $0.deleteItems([row]) }, { try $0.renameItem(row, to: 4) },
        { try $0.insertItems([4], beforeItem: row) }, { try $0.moveItem(row, toSection: 0) },
        { [first = rows[0]] in try $0.moveItem(row, beforeItem: first) },
      ]
    }

  /// What others do, one edit after the other: the list is the same after it, and has other rows.
  private static func detours(in items: [Int]) -> [[Edit]] {
    items.indices.flatMap { index -> [[Edit]] in
      let (row, other) = (items[index], items[(index + 1) % items.count])
      let isLast = index + 1 == items.count
      let comesBack: Edit = {
        if isLast {
          try $0.appendItems([row], toSection: 0)
        } else {
          try $0.insertItems([row], beforeItem: other)
        }
      }
      let leaves: [Edit] = [{ try $0.renameItem(row, to: 9) }, { $0.deleteItems([9]) }]
      guard other != row else { return [leaves + [comesBack]] }
      let exchange: [Edit] = [(row, 9), (other, row), (9, other)].map { old, new in
        { try $0.renameItem(old, to: new) }
      }
      let ordering: Edit = { for item in items { try $0.moveItem(item, toSection: 0) } }
      return [leaves + [comesBack], exchange + [ordering]]
    }
  }

  @Test("It gives the list that was there before the change")
  func undo() async throws {
    let start = State(sections: [0], items: [Self.rows])
    for (number, change) in Self.changes.enumerated() {
      var changed = start
      try change(&changed)
      guard changed != start else { continue }
      for (way, detour) in Self.detours(in: changed.itemIdentifiers).enumerated() {
        let comment: Comment = "change \(number) makes \(changed), way \(way)"
        let source = try DataSourceActor<Int, Int>(start)
        let made = try await source.update(change)
        for edit in detour { try await source.update(edit) }
        try #require(await source.snapshot.itemIdentifiers == changed.itemIdentifiers, comment)
        let undone = try await source.revert(made.change)
        #expect(await source.snapshot.itemIdentifiers == Self.rows, comment)
        #expect(undone.conflicts.isEmpty, comment)
      }
    }
  }
}

@Suite("Several changes are reverted as one", .deadline)
struct GroupedUndoTests {
  private static let whole = SourceOptions(history: 200)

  @Test("It is what undoing them one by one makes", arguments: 0..<rounds(20 as UInt64, least: 8))
  func law(seed: UInt64) async throws {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let (one, all) = (
      DataSourceActor<String, Int>(options: Self.whole),
      DataSourceActor<String, Int>(options: Self.whole)
    )
    var start = Revision.empty
    for number in 0..<12 {
      let edit = generator.outlineEdit(of: await one.snapshot)
      let name = Int.random(in: 0..<3, using: &generator.random) == 0 ? nil : "\(number)"
      for source in [one, all] {
        _ = try? await source.update(named: name) { try edit.apply(to: &$0) }
      }
      if number == 3 { start = await one.revision }
    }
    all.groupUndo(since: start)
    // Nothing has happened since.
    all.groupUndo(since: await all.revision)
    all.groupUndo(since: Revision(.max))
    while let next = one.nextUndo(.named), next.revision > start { try await one.undo(.named) }
    let live = await all.snapshot
    let undone = try await all.undo(.named)
    #expect(await all.snapshot == one.snapshot, "seed \(seed)")
    guard let undone else { return }
    let replayed = try live.applying(undone.difference, insertsFrom: undone.finalSnapshot)
    #expect(replayed == undone.finalSnapshot, "seed \(seed)")
    // The source is as whole as ever.
    try await all.redo(.named)
    try await all.undo(.named)
    #expect(await all.snapshot == one.snapshot, "seed \(seed)")
  }

  @Test("Some changes of your choice, with their models and names")
  func revertAll() async throws {
    let source = ModelSource<String, Card>(mergeHandler: { base, theirs, mine in
      Card(id: mine.id, text: "\(base.text) \(theirs.text) \(mine.text)")
    })
    try await source.apply(
      [Card(id: 1, text: "0"), Card(id: 2, text: "0")], section: { _ in "s" })
    var mine: [UndoableChange?] = []
    mine.append(try await source.setModel(Card(id: 1, text: "1")).change)
    try await source.update { try $0.appendItems([Card(id: 3, text: "theirs")], toSection: "s") }
    let renaming = try await source.update { try $0.renameItem(2, to: Card(id: 20, text: "0")) }
    mine.append(renaming.change)
    try await source.setModel(Card(id: 3, text: "more"))
    mine.append(try await source.setModel(Card(id: 1, text: "2")).change)
    let live = await source.revision
    let reverted = try await source.revertAll(mine)
    // The versions in between were their own, so nothing is merged and nothing contradicts.
    #expect(await source.model(for: 1)?.text == "0" && reverted.conflicts.isEmpty)
    #expect(await source.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(await source.model(for: 3)?.text == "more")
    #expect(await source.revision == live.next && reverted.reversedChange?.revision == live)
    #expect(reverted.difference.itemRenames.count == 1)
    #expect(try await source.revertAll([]).target == live.next)
    await #expect(throws: DataSourceError.unknownRevision(Revision(99))) {
      try await source.revertAll([
        source.reader.hub.change(live, named: nil),
        source.reader.hub.change(Revision(99), named: nil),
      ])
    }
    #expect(await source.revision == live.next)
  }
}

/// What several changes are together that one undo takes back.
@Suite("A step of several changes has one name, one result and all contradictions", .deadline)
struct UndoneTogetherTests {
  @Test("It is called like the newest of them that has a name, and so are its undo and redo")
  func names() async throws {
    let source = try Source(.list([0]))
    let start = await source.revision
    for (number, name) in [nil, "First", nil, "Second", nil].enumerated() {
      try await source.update(named: name) { try $0.appendItems([number + 1]) }
    }
    source.groupUndo(since: start)
    for scope in UndoScope.ofAll { #expect(source.nextUndo(scope)?.name == "Second") }
    let undone = try #require(try await source.undo())
    #expect(undone.name == "Second" && undone.reversedChange?.name == "Second")
    #expect(try await source.snapshot == .list([0]))
    for scope in UndoScope.ofAll { #expect(source.nextRedo(scope)?.name == "Second") }
    #expect(try await source.redo()?.name == "Second")
    #expect(source.nextUndo()?.name == "Second")
    #expect(try await source.snapshot == .list(0...5))
  }

  @Test("Changes that take back one another make no revision, and leave nothing to undo")
  func nothing() async throws {
    let source = try Source(.list([1]))
    let added = try await source.update(named: "Add") { try $0.appendItems([2]) }
    let removed = try await source.update(named: "Remove") { $0.deleteItems([2]) }
    let reverted = try await source.revertAll([added.change, removed.change])
    #expect(reverted.change == nil && reverted.difference.isEmpty && reverted.conflicts.isEmpty)
    #expect(await source.revision == removed.revision)
    #expect(try await source.snapshot == .list([1]))
    for scope in UndoScope.ofAll {
      #expect(source.nextUndo(scope) == nil && source.nextRedo(scope) == nil)
    }
    // The source is as whole as ever.
    try await source.update { try $0.appendItems([2]) }
    #expect(try await source.snapshot == .list([1, 2]))
  }

  @Test("Each row that others have changed since has its own contradiction, with all versions")
  func versions() async throws {
    func card(_ id: Int, _ text: String) -> Card { Card(id: id, text: text) }
    let source = ModelSource<String, Card>()
    try await source.apply([card(1, "old"), card(2, "old")], section: { _ in "s" })
    var mine: [UndoableChange?] = []
    for id in 1...2 { mine.append(try await source.setModel(card(id, "mine")).change) }
    for id in 1...2 { try await source.setModel(card(id, "theirs")) }
    let reverted = try await source.revertAll(mine)
    #expect(Set(reverted.conflicts) == [.item(1, .changedTwice), .item(2, .changedTwice)])
    for id in 1...2 {
      let (theirs, old) = (card(id, "theirs"), card(id, "old"))
      #expect(
        reverted.versions(of: id, as: Card.self)
          == ModelVersions(base: card(id, "mine"), theirs: theirs, mine: old))
      #expect(await source.model(for: id) == theirs)
    }
  }

  @Test("Contradictions about sections come first, also of an older change")
  func sectionsFirst() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1)], section: \.folder, sections: [(0, "old")])
    var mine = [try await source.setSectionModel("mine", for: 0).change]
    mine.append(try await source.setModel(Note(id: 1, text: 1)).change)
    try await source.setSectionModel("theirs", for: 0)
    try await source.setModel(Note(id: 1, text: 2))
    let reverted = try await source.revertAll(mine)
    #expect(reverted.conflicts == [.section(0, .changedTwice), .item(1, .changedTwice)])
    #expect(
      reverted.versions(of: 0) == ModelVersions(base: "mine", theirs: "theirs", mine: "old"))
    #expect(await source.sectionModel(for: 0) == "theirs")
  }
}

/// What a change shows again is shown again when the change is taken back, and when it is made again.
@Suite("Undo and redo show again what the change has shown again", .deadline)
struct TakenBackMarkTests {
  private static func source() async throws -> Source {
    let source = Source()
    try await source.update { list in
      list.appendSections(["a", "b"])
      try list.appendItems([1, 2, 3], toSection: "a")
      try list.appendItems([4], toSection: "b")
    }
    return source
  }

  /// Marks of rows are among the questions of `WorldTests`.
  @Test func `A section that a change has shown again is shown again`() async throws {
    for isReload in [false, true] {
      let source = try await Self.source()
      try await source.update(named: "Change") { list in
        try list.insertItems([9], afterItem: 2)
        if isReload { try list.reloadSections(["a"]) } else { try list.reconfigureSections(["a"]) }
      }
      try await source.update { try $0.moveSection("a", afterSection: "b") }
      for isUndo in [true, false] {
        let made = try #require(try await isUndo ? source.undo(.named) : source.redo(.named))
        let marked =
          isReload ? made.difference.sectionReloads : made.difference.sectionReconfigures
        #expect(marked == RangeSet(1..<2), "\(made)")
      }
    }
  }
}
