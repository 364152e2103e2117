extension FollowedList {
  /// The current state, as a reset; `nil` before the first delta.
  ///
  /// Store it, and pass it to a new list after a restart. Or send it on to followers of your own.
  ///
  /// - Complexity: O(n) for n items.
  public var wholeState: UpdateDelta<SectionID, ItemID>? { resetBatch.map { UpdateDelta($0) } }

  /// The state as a batch without a base.
  var resetBatch: UpdateBatch<SectionID, ItemID>? {
    guard let parts = token?.parts else { return nil }
    return UpdateBatch(
      epoch: parts.epoch, base: nil, target: parts.revision, difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: snapshot, presentation: .reset)
  }
}

extension FollowedModels {
  /// The current state, as a reset; `nil` before the first delta.
  ///
  /// Store it, and pass it to a new list after a restart. Or send it on to followers of your own.
  ///
  /// - Complexity: O(n) for n items.
  public var wholeState: ModelDelta<SectionID, Model>? {
    list.resetBatch.map {
      ModelDelta(ModelBatch($0))
    }
  }
}
