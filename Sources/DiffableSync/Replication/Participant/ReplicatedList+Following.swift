import Diffable

extension ReplicatedList {
  /// Applies the entries after a revision; those that were applied already are ignored.
  ///
  /// - Throws: ``ReplicationError/unreadableEntry(_:_:)``, and ``ReplicationError/forked(_:)`` if an
  ///   entry was made on another history than that of this participant. The entries before it are
  ///   applied. To find out which of the two the log has, see ``prove(_:)``.
  func receive(
    _ entries: [LogEntry], after base: Revision
  ) throws(ReplicationError) {
    var next = base.next
    for entry in entries {
      defer { next = next.next }
      guard next > revision else { continue }
      guard next == revision.next else { return }
      if let first = proposals.first?.id {
        if first == entry.id {
          // The log has all of them or none.
          accept(first)
          continue
        }
        withdraw(first)
      }
      let isFollowed: Bool
      do throws(DeltaError) {
        isFollowed = try follow(entry)
      } catch {
        guard error != .finished else { return }
        throw .unreadableEntry(next, error)
      }
      guard isFollowed else { throw .forked(revision) }
      lastForeign = next
      _checkInvariants()
    }
  }

  /// Applies the entry of another participant.
  ///
  /// - Returns: `false` if it was made on another history, and it is not known whose is that of the log.
  private func follow(_ entry: LogEntry) throws(DeltaError) -> Bool {
    let next = place.next(entry.id)
    guard !entry.delta.isEmpty else {
      try skip(next, "no participant has written it")
      return true
    }
    let delta = try coder.read(entry.delta, limits)
    guard delta.base == token(of: place) else {
      // If the lost history had another number of entries here, its revisions have other numbers, too.
      guard let base = delta.base?.parts, base.epoch == core.hub.epoch else {
        throw .wrongBase(expected: token(of: place), found: delta.base)
      }
      guard proven == place else { return false }
      try skip(next, "it was made on entries that the log has lost")
      return true
    }
    guard let reached = place(after: entry.id, delta) else {
      throw .misfit(reason: "it leads to another revision than the next one")
    }
    // Undo is for the changes of its author.
    let isOwn = author != nil && entry.author == author
    let kind = isOwn ? RevisionKind(entry.kind) : .change(name: nil)
    _ = try core.advance(by: delta, within: limits, as: reached, kind: kind)
    return true
  }

  /// The place to which an entry leads; `nil` if it says another one.
  ///
  /// Entries that were written before there were digests have none.
  private func place(after id: WriteID, _ delta: Batch.Delta) -> HistoryPlace? {
    let next = place.next(id)
    return [next, HistoryPlace(revision: next.revision, digest: .none)].first {
      delta.target == token(of: $0)
    }
  }

  private func token(of place: HistoryPlace) -> ResumeToken {
    ResumeToken(epoch: core.hub.epoch, place: place)
  }

  /// Makes a revision that changes nothing.
  private func skip(_ next: HistoryPlace, _ reason: String) throws(DeltaError) {
    try core.pass(to: next)
    skipped.append(.skippedEntry(next.revision, reason: reason))
  }

  /// Continues from a stored state, if it is newer.
  ///
  /// - Throws: ``ReplicationError/unreadableState(_:_:)``. Nothing changes then.
  func jump(to state: StoredState) throws(ReplicationError) {
    guard state.revision > revision else { return }
    do throws(DeltaError) {
      let (reset, reached) = try read(state)
      // The entry that decides on proposals may be among those that were dropped.
      if let open = proposals.first?.id {
        withdraw(open)
        dropped = open
      }
      _ = try core.replace(by: reset, within: limits, as: reached)
    } catch {
      guard error != .finished else { return }
      throw .unreadableState(state.revision, error)
    }
    _checkInvariants()
  }

  /// Checks that a stored state can be read, without continuing from it.
  ///
  /// - Throws: ``ReplicationError/unreadableState(_:_:)``.
  func check(_ state: StoredState) throws(ReplicationError) {
    do throws(DeltaError) {
      _ = try read(state)
    } catch {
      throw .unreadableState(state.revision, error)
    }
  }

  private func read(
    _ state: StoredState
  ) throws(DeltaError) -> (reset: Batch.Delta, place: HistoryPlace) {
    let reset = try coder.read(state.reset, limits)
    return (reset, try reset.place(asStateOf: state.revision, in: core.hub.epoch))
  }

  /// What was skipped since the last call.
  func takeSkipped() -> [ReplicationError] {
    defer { skipped = [] }
    return skipped
  }

  // MARK: Forks

  /// Takes over what the log has at the revision of this participant.
  ///
  /// If it is the place of this participant, entries that were made on another one are skipped from now
  /// on. All participants do so, since all of them read the same log.
  ///
  /// - Throws: ``ReplicationError/forked(_:)`` if it is another place, or unknown.
  func prove(_ found: HistoryPlace?) throws(ReplicationError) {
    guard let found, found == place else { throw .forked(revision) }
    proven = found
  }
}
