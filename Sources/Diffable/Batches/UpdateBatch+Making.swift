extension UpdateBatch {
  /// Creates the batch that a source would make of a change, for tests and for hosts of your own.
  ///
  /// The marks of the new state are in the difference, and its renames in ``renamedItems``.
  ///
  /// - Parameters:
  ///   - previous: The state before.
  ///   - snapshot: The state after.
  ///   - epoch: The epoch of the revisions. All batches created without one share an epoch, so one
  ///     can continue another.
  ///   - base: The revision of the state before.
  ///   - presentation: How to show the change.
  /// - Throws: ``SnapshotError`` if an identifier appears twice in one of the states.
  /// - Complexity: The same as ``Snapshot/difference(from:)``.
  public init(
    from previous: Snapshot<SectionID, ItemID>, to snapshot: Snapshot<SectionID, ItemID>,
    epoch: Epoch? = nil, base: Revision = Revision(1),
    presentation: Presentation = .animated
  ) throws(SnapshotError) {
    let difference = try snapshot.difference(from: previous)
    self.init(
      epoch: epoch ?? Epoch(high: 0, low: 0), base: base, target: base.next, difference: difference,
      previousSnapshot: previous, snapshot: snapshot, presentation: presentation,
      renamedItems: snapshot.renamedItems)
  }

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
      epoch: epoch, base: nil, target: place.revision, difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: snapshot, presentation: .reset)
    setDigests(base: .none, target: place.digest)
  }
}
