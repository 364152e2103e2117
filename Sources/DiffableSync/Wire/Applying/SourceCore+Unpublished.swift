import Diffable

/// A change of the live state that is not published, and perhaps never will be.
extension SourceCore {
  /// What a commit is for followers.
  ///
  /// - Parameter place: The place that it makes if it is published.
  func batch(
    of commit: Live.Commit, _ presentation: Presentation, at place: HistoryPlace
  ) -> UpdateBatch<SectionID, ItemID> {
    var batch = UpdateBatch<SectionID, ItemID>(
      BatchStep(
        epoch: hub.epoch, base: revision, target: place.revision, difference: commit.difference,
        previousSnapshot: snapshot.base, snapshot: commit.snapshot.base, presentation: presentation,
        isFromSource: true, digests: (self.place.digest, place.digest)))
    if let notes = commit.notes { batch.add(notes) }
    return batch
  }

  /// Goes back to the published state.
  func withdraw() {
    live.revert(to: snapshot)
  }
}
