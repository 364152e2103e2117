/// What writers reach of a source without waiting for its actor.
public struct SourceEntrance<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  /// Where lists wait that were handed over.
  let queue: WriteQueue<QueuedWrite<SectionID, ItemID>>
  /// What the app has to say about drags.
  let reordering: ReorderingHandlers<SectionID, ItemID>
  /// What the source knows of its identifiers and models.
  let kernels: SnapshotKernels

  /// Other models that dropped items get, by the state after the drop and the live one.
  let givenByDrop: GivenByDrop?

  typealias GivenByDrop =
    @Sendable (
      [ItemID], _ dropped: Snapshot<SectionID, ItemID>, _ live: Snapshot<SectionID, ItemID>
    ) -> GivenContent<SectionID, ItemID>

  init(
    _ core: SourceCore<SectionID, ItemID>, _ reordering: ReorderingHandlers<SectionID, ItemID>,
    givenByDrop: GivenByDrop? = nil
  ) {
    (queue, kernels) = (core.queue, core.kernels)
    (self.reordering, self.givenByDrop) = (reordering, givenByDrop)
  }
}
