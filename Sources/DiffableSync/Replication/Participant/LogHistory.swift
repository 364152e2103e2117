import Diffable

/// Finds out what a log has now, without changing a list.
struct LogHistory<Delta: ListDelta>: Sendable {
  let log: any RevisionLog
  let epoch: Epoch
  let coder: DeltaCoder<Delta>
  let limits: DeltaLimits

  /// The place of a revision in the log; `nil` if the log can no longer tell.
  ///
  /// It starts from a stored state before the revision, since the state of the revision itself may be
  /// that of a participant whose entries were lost.
  ///
  /// - Complexity: O(n + k) for n items of a state and k entries after it.
  func place(of revision: Revision) async throws(RevisionLogError) -> HistoryPlace? {
    var place = HistoryPlace.start
    if let state = try await state(before: revision) {
      place = state
    } else if let state = try await log.newestState(), state.revision == revision,
      case .cut = try await log.entries(after: .empty)
    {
      return self.place(of: state)
    }
    while place.revision < revision {
      guard case .entries(let entries, let base) = try await log.entries(after: place.revision),
        base.isOfLog, base <= place.revision
      else { return nil }
      for entry in entries.dropFirst(place.revision.number - base.number)
      where place.revision < revision {
        place = place.next(entry.id)
      }
    }
    return place
  }

  private func state(before revision: Revision) async throws(RevisionLogError) -> HistoryPlace? {
    var state = try await log.newestState()
    while let found = state {
      if found.revision < revision, let place = place(of: found) { return place }
      state = try await log.state(before: found.revision)
    }
    return nil
  }

  /// The place of a stored state; `nil` if it cannot be read.
  private func place(of state: StoredState) -> HistoryPlace? {
    (try? coder.read(state, in: epoch, limits))?.place
  }
}
