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
