extension UpdateBatch {
  /// Cuts the batch into what to hand to a list view, one stage after the other.
  ///
  /// Every stage is valid for the profile, and there are as few as its rules allow:
  ///
  /// - An empty batch has no stage. A reset has one, and so has a batch with more changes than the
  ///   profile's ``ListProfile/changeLimit``.
  /// - For ``ListProfile/collectionView``, structure comes in one stage. Only where sections move
  ///   *and* items change it takes two: first sections go and items change while the other
  ///   sections keep their old order, then sections come and move.
  /// - For ``ListProfile/tableView``, sections that go or come stand apart from row moves as well,
  ///   which takes one more stage at most.
  /// - For ``ListProfile/movesApart``, what goes and comes is one stage, items that move are the next
  ///   one, and sections that move the third.
  /// - For ``ListProfile/sequential``, every stage is one operation on one element or on
  ///   neighbouring ones, with indices in the state that the stages before it have made.
  /// - Reloads and reconfigures come last, by the new positions. An item inside a section that is
  ///   reloaded is not listed again.
  /// - Renamed items have their old identifiers until the stage that reconfigures or reloads them.
  ///
  /// A batch whose difference was changed by hand so that it no longer fits the snapshots becomes a
  /// reset.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them, and as many edits of a snapshot as
  ///   there are section changes (collection and table views, if more than one stage is needed),
  ///   ranges that go or come (if moves stand apart) or stages (sequential).
  public func stages(for profile: ListProfile) -> [UpdateStage<SectionID, ItemID>] {
    let reset = [UpdateStage(resettingTo: snapshot)]
    guard base != nil, presentation != .reset else { return reset }
    guard !difference.isEmpty else { return [] }
    guard let previousSnapshot,
      difference.misplacedPosition(from: previousSnapshot, to: snapshot) == nil
    else { return reset }
    if let limit = profile.changeLimit, difference.changeCount > limit { return reset }
    // What lies between can only be lists: an outline that shows just some of the changes need not
    // exist.
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
  /// Lets each stage name the sections that hold another outline after it.
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
    // The first stage that ends on the final snapshot brings its outlines, names aside.
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
