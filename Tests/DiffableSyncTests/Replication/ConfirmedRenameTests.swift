import ListSupport
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("A row that an optimistic change has renamed stays the same row when that is confirmed")
struct ConfirmedRenameTests {
  private typealias Batch = UpdateBatch<Int, Int>
  private typealias Core = SourceCore<Int, Int>

  @Test(
    "Others may have renamed it before and after, and all of it may be read at once",
    arguments: [false, true], [false, true])
  func atOnce(isRenamedBefore: Bool, isRenamedAfter: Bool) throws {
    let below = Core(SourceOptions(), kernels: .ofNumbers(), children: nil)
    try below.begin(with: [1, 2], in: 0)
    let core = Core(SourceOptions(), kernels: .ofNumbers(), children: nil)
    let overlay = Overlay<Batch, Bool>(core, on: below, released: false)
    overlay.rebase(.reset)
    let edit = try overlay.add(
      { state, _, _ in
        try state.renameItem(1, to: 5)
        return Contradictions()
      }, named: nil, .animated
    ).edit
    #expect(core.snapshot.itemIdentifiers == [5, 2])
    let cursor = CursorToken(hub: core.hub, policy: .coalesced, after: core.revision)

    if isRenamedBefore { try below.write { try $0.renameItem(1, to: 7) } }
    try below.write { try $0.renameItem(isRenamedBefore ? 7 : 1, to: 5) }
    let own = below.revision
    if isRenamedAfter { try below.write { try $0.renameItem(5, to: 9) } }
    overlay.remove(edit.id)
    overlay.rebase(showing: [own])

    #expect(core.snapshot.itemIdentifiers == (isRenamedAfter ? [9, 2] : [5, 2]))
    let batch = try #require(RevisionReader<Int, Int>(hub: core.hub).poll(cursor))
    #expect(batch.renamedItems == (isRenamedAfter ? [ItemRename(old: 5, new: 9)] : []))
    #expect(batch.difference.itemDeletes.isEmpty && batch.difference.itemInserts.isEmpty)
    #expect(batch.unconfirmedItems.isEmpty)
  }
}
