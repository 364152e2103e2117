package typealias SourceEntrance = _SourceEntrance

/// What writers can use of a source without waiting for its actor.
public struct _SourceEntrance<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  /// Holds lists that were handed over until they are applied.
  let queue: WriteQueue<QueuedWrite<SectionID, ItemID>>
  /// The app's handlers for drags.
  let reordering: ReorderingHandlers<SectionID, ItemID>
  /// What the source knows of its identifiers and models.
  let kernels: SnapshotKernels

  /// Computes the changed models of dropped items from the state after the drop and the live state.
  ///
  /// Others may have renamed an item since the drag began, so it may have another name in each.
  let givenByDrop: GivenByDrop?

  typealias GivenByDrop =
    @Sendable (
      [(dropped: ItemID, live: ItemID)], _ dropped: Snapshot<SectionID, ItemID>,
      _ live: Snapshot<SectionID, ItemID>
    ) -> GivenContent<SectionID, ItemID>

  init(
    _ core: SourceCore<SectionID, ItemID>, _ reordering: ReorderingHandlers<SectionID, ItemID>,
    givenByDrop: GivenByDrop? = nil
  ) {
    (queue, kernels) = (core.queue, core.kernels)
    (self.reordering, self.givenByDrop) = (reordering, givenByDrop)
  }
}
