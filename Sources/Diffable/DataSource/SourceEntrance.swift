package typealias SourceEntrance = _SourceEntrance

/// What writers can use of a source without waiting for its actor.
public struct _SourceEntrance<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable
{
  /// Holds lists that were handed over until they are applied.
  let queue: WriteQueue<QueuedWrite<SectionID, ItemID>>
  /// What the app says about drags.
  let drops: DropRules<SectionID, ItemID>
  /// What the source knows of its identifiers and models.
  let kernels: SnapshotKernels

  init(_ core: SourceCore<SectionID, ItemID>, _ drops: DropRules<SectionID, ItemID>) {
    (queue, kernels, self.drops) = (core.queue, core.kernels, drops)
  }
}
