extension UpdateBatch {
  /// Makes the batch that a source would make of the change from one state to another, for tests and
  /// for hosts of your own.
  ///
  /// The marks of the new state are in the difference, and what it has renamed in ``renamedItems``.
  ///
  /// - Parameters:
  ///   - previous: The state before.
  ///   - snapshot: The state after.
  ///   - epoch: The life that the revisions are of. Those without one are all of the same life, so that
  ///     one batch can lead on from another.
  ///   - base: The revision that the state before is.
  ///   - presentation: How the change is to be shown.
  /// - Throws: ``SnapshotError`` if an identifier is in one of the states twice.
  /// - Complexity: That of ``Snapshot/difference(from:)``.
  public init(
    from previous: Snapshot<SectionID, ItemID>, to snapshot: Snapshot<SectionID, ItemID>,
    epoch: Epoch? = nil, base: Revision = Revision(1),
    presentation: Presentation = .animated
  ) throws(SnapshotError) {
    let difference = try snapshot.difference(from: previous)
    var unmarked = snapshot
    unmarked.marks = Snapshot.Marks()
    self.init(
      epoch: epoch ?? Epoch(high: 0, low: 0), base: base, target: base.next, difference: difference,
      previousSnapshot: previous, snapshot: unmarked, presentation: presentation,
      renamedItems: snapshot.renamedItems)
  }

  /// Makes the batch that shows a state from scratch.
  ///
  /// - Parameters:
  ///   - snapshot: The state.
  ///   - epoch: The life that the revision is of, as in ``init(from:to:epoch:base:presentation:)``.
  ///   - target: The revision that the state is.
  /// - Throws: ``SnapshotError`` if an identifier is in the state twice.
  /// - Complexity: O(n) for n items.
  public init(
    showing snapshot: Snapshot<SectionID, ItemID>, epoch: Epoch? = nil,
    target: Revision = Revision(1)
  ) throws(SnapshotError) {
    try snapshot.validate()
    var unmarked = snapshot
    unmarked.marks = Snapshot.Marks()
    self.init(
      epoch: epoch ?? Epoch(high: 0, low: 0), base: nil, target: target,
      difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: unmarked, presentation: .reset)
  }
}
