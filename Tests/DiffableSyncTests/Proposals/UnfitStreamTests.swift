import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

@Suite("A stream that goes wrong after an answer")
struct UnfitStreamTests {
  @Test("What the answer has brought stays, and the list goes on from there")
  func afterAnswer() throws {
    let world = try LatePlaces(.answer)
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    let mirror = world.list.list
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])
    try world.write { $0.deleteItems([4]) }

    // The stream starts before the answer, and has a row too many.
    let reader = RevisionReader<Int, Int>(hub: world.server.hub)
    let whole = UpdateDelta(try #require(reader.batch(since: Revision(1), limit: .max)))
    let unfit = UpdateDelta(
      frame: whole.frame, sections: whole.sections, items: whole.items + [6],
      outlines: whole.outlines, renamedItems: whole.renamedItems, placed: whole.placed,
      droppedItems: whole.droppedItems, droppedSections: whole.droppedSections)
    #expect(throws: DeltaError.self) {
      try world.list.apply { () throws(DeltaError) in unfit }
    }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])

    let next = UpdateDelta(try #require(reader.batch(since: Revision(2), limit: .max)))
    _ = try world.list.apply { () throws(DeltaError) in next }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3])
    #expect(world.list.overlay.core.snapshot == world.server.snapshot)
  }
}
