import Diffable

/// What a delta says without naming an element: the states that it joins, and what changes in positions.
///
/// It has no type parameters, so the code for it is compiled once.
struct DeltaFrame: Sendable, Equatable {
  /// The name of a proposal; `nil` in a delta.
  var proposal: ProposalName?
  /// As ``UpdateDelta/base``.
  let base: ResumeToken?
  /// Empty in a proposal, which cannot know what state it leads to.
  let target: ResumeToken
  let presentation: Presentation
  let difference: SnapshotDifference
  /// How many sections and visible items there are afterwards; `nil` in a proposal.
  let counts: Counts?
  /// As `UpdateBatch.proposals`.
  var accepted: [WriteID] = []

  /// How a proposal is called.
  struct ProposalName: Sendable, Equatable {
    let id: WriteID
    /// The name of the change, for undo.
    let name: String?
  }

  struct Counts: Sendable, Equatable {
    let sections: Int
    let items: Int
  }
}

extension DeltaFrame {
  /// Makes the frame of a batch; that of a reset if the difference does not fit the states.
  init(_ step: BatchStep) {
    let isReset = step.base == nil || !step.fits
    self.init(
      base: isReset ? nil : step.baseToken, target: step.targetToken,
      presentation: step.presentation,
      difference: isReset ? SnapshotDifference() : step.difference,
      counts: Counts(sections: step.snapshot.order.count, items: step.snapshot.itemCount))
  }
}

extension SnapshotDifference {
  /// The number of ranges and moves.
  var namedCount: Int {
    var count = sectionMoves.count + itemMoves.count
    count += itemDeletes.ranges.count + itemInserts.ranges.count + itemRenames.ranges.count
    count += itemReloads.ranges.count + itemReconfigures.ranges.count
    count += sectionDeletes.ranges.count + sectionInserts.ranges.count + outlineChanges.ranges.count
    return count + sectionReloads.ranges.count + sectionReconfigures.ranges.count
  }
}
