extension UpdateBatch {
  /// Whether a list view shows the new state from scratch.
  ///
  /// It does so if the source says so, if the difference was changed by hand and fits the states no
  /// longer, and if there are more changes than the profile allows.
  func isReset(for profile: ListProfile) -> Bool {
    if base == nil || presentation == .reset { return true }
    if difference.isEmpty { return false }
    return previousSnapshot == nil || !step.read { $0.pointee.fits }
      || profile.changeLimit.map { difference.changeCount > $0 } ?? false
  }
}

extension UpdateBatch {
  /// Creates the batch that shows a state from scratch.
  ///
  /// - Parameters:
  ///   - snapshot: The state.
  ///   - epoch: The epoch of the revision, as in ``init(from:to:epoch:base:presentation:)``.
  ///   - target: The revision of the state.
  /// - Throws: ``SnapshotError`` if an identifier appears twice in the state.
  /// - Complexity: O(n) for n items.
  public init(
    showing snapshot: Snapshot<SectionID, ItemID>, epoch: Epoch? = nil,
    target: Revision = Revision(1)
  ) throws(SnapshotError) {
    try snapshot.validate()
    self.init(
      showingValid: snapshot, epoch: epoch ?? Epoch(high: 0, low: 0),
      at: HistoryPlace(revision: target, digest: .none))
  }

  /// Creates the batch that shows a state of a source from scratch.
  package init(
    showingValid snapshot: Snapshot<SectionID, ItemID>, epoch: Epoch, at place: HistoryPlace
  ) {
    self.init(
      BatchStep(
        epoch: epoch, base: nil, target: place.revision, difference: SnapshotDifference(),
        previousSnapshot: nil, snapshot: snapshot.base, presentation: .reset,
        digests: (.none, place.digest)))
  }
}
