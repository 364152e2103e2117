import Diffable

extension ReplicatedSource {
  /// Starts from a stored state, or from the first entry, and reads on to the end of the log.
  ///
  /// It starts so far back that the history becomes as long as the source keeps it, if the log still has
  /// the entries. So clients resume and named changes can be undone as before the list was closed.
  ///
  /// If the log does not say where it ends, the source starts from the newest state, and its task reads
  /// on later.
  ///
  /// - Returns: What could not be read.
  func begin() async throws(ReplicationError) -> [ReplicationError] {
    // If this has no answer, the source that follows the log asks again.
    let end = try? await log.lastRevision()
    var unreadable: [ReplicationError] = []
    var newer = try await start(
      from: end.map { $0.number - Swift.max(0, options.source.history) } ?? .max, &unreadable)
    guard let end else { return unreadable }
    while list.revision < end {
      let known = list.revision
      if case .entries(let entries, let base)? = try? await log.entries(after: known) {
        // The source that follows the log meets the same error, and reports it.
        try? list.receive(entries, after: base)
        unreadable += list.takeSkipped()
      }
      guard list.revision == known else { continue }
      // A newer state may cover what cannot be read.
      guard let state = newer.popLast() else { break }
      try? list.jump(to: state)
    }
    return unreadable
  }

  /// Starts from a stored state, or from the first entry.
  ///
  /// - Parameters:
  ///   - first: The first revision that the history should have.
  ///   - unreadable: Receives why states could not be read.
  /// - Returns: The states after the one to start from, newest first.
  private func start(
    from first: Int, _ unreadable: inout [ReplicationError]
  ) async throws(ReplicationError) -> [StoredState] {
    var newer: [StoredState] = []
    var state = try await Self.ask { [log] () throws(RevisionLogError) in
      try await log.newestState()
    }
    while let found = state {
      do throws(ReplicationError) {
        if found.revision.number > first {
          try list.check(found)
          newer.append(found)
        } else {
          if !newer.isEmpty, (try? await isCut(after: found.revision)) != false { break }
          try list.jump(to: found)
          return newer
        }
      } catch {
        unreadable.append(error)
      }
      state = try await Self.ask { [log] () throws(RevisionLogError) in
        try await log.state(before: found.revision)
      }
    }
    // There are entries if there is a state.
    guard !newer.isEmpty || !unreadable.isEmpty, try await isCut(after: .empty) else {
      return newer
    }
    while let state = newer.popLast() {
      do throws(ReplicationError) {
        try list.jump(to: state)
        return newer
      } catch {
        unreadable.append(error)
      }
    }
    throw unreadable[0]
  }

  private func isCut(after revision: Revision) async throws(ReplicationError) -> Bool {
    let page = try await Self.ask { [log] () throws(RevisionLogError) in
      try await log.entries(after: revision)
    }
    return page == .cut
  }
}
