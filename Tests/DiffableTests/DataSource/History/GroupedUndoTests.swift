import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Several changes are reverted as one", .deadline)
struct GroupedUndoTests {
  private static let whole = SourceOptions(history: 200)

  @Test("A step is reverted as a whole or not at all")
  func forgotten() async throws {
    let source = try DataSourceActor<String, Int>(.list([1]), options: SourceOptions(history: 3))
    for item in 2...5 {
      try await source.update(named: "Add") { try $0.appendItems([item]) }
      source.groupUndo(since: .empty)
    }
    #expect(source.nextUndo() == nil)
    #expect(try await source.undo() == nil)
    try await source.update(named: "Other") { try $0.appendItems([6]) }
    #expect(source.nextUndo()?.name == "Other")
  }

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
