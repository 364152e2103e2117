import Diffable

/// A change of the live state that is not published, and perhaps never will be.
extension SourceCore {
  /// What a commit on the latest state is for followers.
  ///
  /// - Parameter place: The place that it makes if it is published.
  func batch(
    of commit: Live.Commit, _ presentation: Presentation, at place: HistoryPlace
  ) -> UpdateBatch<SectionID, ItemID> {
    let base = latestPlace
    var batch = UpdateBatch<SectionID, ItemID>(
      BatchStep(
        epoch: hub.epoch, base: base.revision, target: place.revision,
        difference: commit.difference, previousSnapshot: latest.base,
        snapshot: commit.snapshot.base, presentation: presentation, isFromSource: true,
        digests: (base.digest, place.digest)))
    if let notes = commit.notes { batch.add(notes) }
    return batch
  }

  /// Goes back to the latest state, which the last change that was not made has left.
  func withdraw() {
    live.revert(to: latest)
  }

  /// Goes back to the published state.
  func withdrawAll() {
    unpublished = []
    withdraw()
  }
}
