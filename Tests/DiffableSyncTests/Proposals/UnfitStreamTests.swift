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

  @Test("If the owner has lost what its answer has brought, the list begins again from scratch")
  func lost() throws {
    let world = try LatePlaces(.answer)
    try world.edit { try $0.insertItems([5], afterItem: 2) }
    let proposal = try #require(world.list.next())
    world.list.receive(try world.accept(proposal), for: proposal.id)
    let mirror = world.list.list
    // The owner was put back from an older copy.
    let owner = SourceCore<Int, Int>(
      SourceOptions(epoch: world.server.hub.epoch), kernels: .ofNumbers(), children: nil)
    try owner.begin(with: [1, 2, 3, 4], in: 0)
    let whole = owner.whole
    // It could as well be another server, which has not heard of the last change yet.
    _ = try world.list.apply { () throws(DeltaError) in whole }
    #expect(mirror.snapshot.itemIdentifiers == [1, 2, 5, 3, 4])

    // Only who asks it knows that it is not.
    try world.edit { try $0.appendItems([6]) }
    for count in 1...2 {
      let next = try #require(world.list.next())
      world.list.receive(try owner.accept(next) { _, _ in }, for: next.id)
      guard count == 1 else { continue }
      #expect(world.list.next() == nil && mirror.token == nil)
      _ = try world.list.apply { () throws(DeltaError) in whole }
      #expect(mirror.snapshot.itemIdentifiers == [1, 2, 3, 4] && mirror.token == whole.target)
      #expect(world.list.overlay.core.snapshot.itemIdentifiers == [1, 2, 3, 4, 6])
    }
    #expect(owner.snapshot.itemIdentifiers == [1, 2, 3, 4, 6] && world.list.undecided.isEmpty)
    #expect(mirror.snapshot == owner.snapshot)
    try world.edit { $0.deleteItems([1]) }
    #expect(world.list.next() != nil)
  }
}
