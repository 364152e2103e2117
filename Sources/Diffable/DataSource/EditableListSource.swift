/// A source that decides by itself what changes, in the order of the calls.
///
/// It declares what ``DataSourceActor`` and ``ModelSource`` have in common. Both are actors, so no
/// other write comes between the beginning and the end of an update.
public protocol EditableListSource<SectionID, ItemID>: Actor, WritableListSource {
  /// What an edit changes: the snapshot, or a draft of order and models.
  associatedtype Draft = Batch.Draft where Draft == Batch.Draft

  /// The live state and everything that changes it.
  var _core: _SourceCore<SectionID, ItemID> { get }
  /// What can be used without waiting for the actor.
  nonisolated var _entrance: _SourceEntrance<SectionID, ItemID> { get }
}

extension EditableListSource {
  package var core: SourceCore<SectionID, ItemID> { _core }
  package nonisolated var entrance: SourceEntrance<SectionID, ItemID> { _entrance }
  /// What the app says about drags.
  public nonisolated var _drops: _DropRules<SectionID, ItemID> { _entrance.drops }

  /// The live state.
  ///
  /// Inside an update, where `assumeIsolated` can read it, it is the state before the update.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  /// The number of the live state.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { core.revision }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// Writes that were enqueued before are applied; later ones are rejected. A subscriber that has
  /// not yet received the last state receives it before its stream ends. If this is called from
  /// inside an update, the source ends after the update. A second call does nothing.
  public func finish() {
    core.finish()
  }
}

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
  let duplicates: DuplicatePolicy
  /// How two versions of a model are merged, if the source can.
  package let merging: ModelMerging?

  init(_ core: SourceCore<SectionID, ItemID>, _ drops: DropRules<SectionID, ItemID>) {
    (queue, kernels, duplicates) = (core.queue, core.kernels, core.duplicates)
    merging = core.live.merging
    self.drops = drops
  }
}
