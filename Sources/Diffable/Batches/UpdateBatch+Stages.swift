extension UpdateBatch {
  /// Cuts the batch into stages for a list view, to be performed one after another.
  ///
  /// Every stage is valid for the profile, and there are as few stages as its rules allow:
  ///
  /// - An empty batch has no stage. A reset has one, and so has a batch with more changes than the
  ///   profile's limit, see ``ListProfile/resetting(past:)``.
  /// - For ``ListProfile/collectionView``, all structural changes are one stage. There are two only
  ///   if sections move *and* items change. The first deletes sections and changes items while the
  ///   other sections keep their old order; the second inserts and moves sections.
  /// - For ``ListProfile/tableView``, deleted and inserted sections are in another stage than row moves,
  ///   which takes at most one more stage.
  /// - For ``ListProfile/movesApart``, deletes and inserts are the first stage, item moves the
  ///   second, and section moves the third.
  /// - For ``ListProfile/sequential``, every stage is one operation on one element or on adjacent
  ///   elements, with indices in the state after the previous stages.
  /// - Reloads and reconfigures are last, in new positions. An item inside a reloaded section is
  ///   not listed again.
  /// - Renamed items have their old identifiers until the stage that reconfigures or reloads them.
  ///
  /// If the difference of a batch was changed by hand and no longer fits the snapshots, the batch
  /// becomes a reset.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of changes. In addition, a number of edits of
  ///   a snapshot: one for each section change (collection and table views, if there is more than
  ///   one stage), for each deleted or inserted range (if moves are apart) or for each stage
  ///   (sequential).
  public func stages(for profile: ListProfile) -> [UpdateStage<SectionID, ItemID>] {
    let reset = [UpdateStage(resettingTo: snapshot)]
    guard !isReset(for: profile) else { return reset }
    guard !difference.isEmpty, let previousSnapshot else { return [] }
    // The states in between can only be flat lists: there may be no outline that shows just some of
    // the changes.
    let cutter = StageCutter(from: previousSnapshot.flattened, to: snapshot, difference)
    do throws(SnapshotError) {
      let stages =
        switch profile.kind {
        case .collectionView: try cutter.batchedStages(keepingRowMovesApart: false)
        case .tableView: try cutter.batchedStages(keepingRowMovesApart: true)
        case .movesApart: try cutter.apartStages()
        case .sequential: try cutter.sequentialStages()
        }
      return withOutlineChanges(stages, from: previousSnapshot)
    } catch {
      return reset
    }
  }
}

extension UpdateBatch {
  /// Lists in each stage the sections whose outline differs after it.
  ///
  /// - Complexity: O(k · log s) for k of s sections that are outlines, for each stage but the last
  ///   ones that lead from the final snapshot to itself.
  private func withOutlineChanges(
    _ stages: [UpdateStage<SectionID, ItemID>], from start: Snapshot<SectionID, ItemID>
  ) -> [UpdateStage<SectionID, ItemID>] {
    guard !start.outlineIndices.isEmpty || !snapshot.outlineIndices.isEmpty else { return stages }
    guard !stages.isEmpty else {
      var change = SnapshotDifference()
      change.outlineChanges = difference.outlineChanges
      return [UpdateStage(difference: change, snapshot: snapshot)]
    }
    // The first stage that ends with the final snapshot, names aside, brings its outlines.
    let last =
      difference.itemRenames.isEmpty
      ? stages.lastIndex { $0.difference.isStructural } ?? 0 : stages.count - 1
    var stages = stages
    var state = start
    for index in 0...last {
      stages[index].difference.outlineChanges = changedOutlines(
        from: state, to: stages[index].snapshot, stages[index].difference)
      state = stages[index].snapshot
    }
    return stages
  }

  private func changedOutlines(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ stage: SnapshotDifference
  ) -> RangeSet<Int> {
    let map = PositionMap(stage)
    var changes = RangeSet<Int>()
    let newIndices = old.outlineIndices.compactMap(map.newSection(forOld:)) + new.outlineIndices
    for index in newIndices {
      guard let origin = map.oldSection(forNew: index) else { continue }
      if old.outline(ofSectionAt: origin) != new.outline(ofSectionAt: index) {
        changes.insert(contentsOf: index..<index + 1)
      }
    }
    return changes
  }
}

/// One update for a list view: what changes, and the data for the view afterwards.
///
/// The stages of a batch form a chain. The first starts from the state before the batch, each other
/// one from the ``snapshot`` of the previous one, and the last ends with the batch's snapshot. Set
/// the view's data to ``snapshot`` inside the view's update, together with the operations.
///
/// ```swift
/// for stage in batch.stages(for: .collectionView) {
///   if stage.isReset {
///     rows = stage.snapshot
///     view.reloadData()
///   } else {
///     view.performBatchUpdates {
///       rows = stage.snapshot
///       view.deleteItems(at: stage.difference.itemDeletes.map(indexPath))
///       // … and so on for the other kinds of change.
///     }
///   }
/// }
/// ```
public struct UpdateStage<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// What changes; empty in a reset.
  ///
  /// Old positions are in the state before this stage, new ones in ``snapshot``.
  public var difference: SnapshotDifference
  /// The state after this stage.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// Whether ``snapshot`` is to be shown from scratch.
  public var isReset: Bool

  /// Creates a stage that changes what a view shows.
  package init(difference: SnapshotDifference, snapshot: Snapshot<SectionID, ItemID>) {
    self.difference = difference
    self.snapshot = snapshot
    isReset = false
  }

  /// Creates a stage that shows a state from scratch.
  package init(resettingTo snapshot: Snapshot<SectionID, ItemID>) {
    difference = SnapshotDifference()
    self.snapshot = snapshot
    isReset = true
  }
}

extension UpdateStage: CustomStringConvertible {
  /// What changes, and the state it leads to, in compact notation.
  public var description: String {
    isReset ? "reset to \(snapshot)" : "\(difference) ⇒ \(snapshot)"
  }
}

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
