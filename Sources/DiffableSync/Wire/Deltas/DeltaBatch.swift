public import Diffable

/// A batch that followers in other processes can apply, as a delta: with or without models.
public protocol DeltaBatch<SectionID, ItemID>: ListBatch {
  /// What a follower in another process needs from a batch.
  associatedtype Delta: ListDelta<SectionID, ItemID>

  /// What a follower in another process needs from this batch.
  var delta: Delta { get }
}

extension UpdateBatch: DeltaBatch {
  /// The part of this batch that a follower elsewhere needs.
  ///
  /// - Complexity: The same as ``UpdateDelta/init(_:)``.
  public var delta: UpdateDelta<SectionID, ItemID> { UpdateDelta(self) }
}

extension ModelBatch: DeltaBatch {
  /// The part of this batch that a follower elsewhere needs, including models.
  ///
  /// - Complexity: The same as ``ModelDelta/init(_:)``.
  public var delta: ModelDelta<SectionID, Model> { ModelDelta(self) }
}
