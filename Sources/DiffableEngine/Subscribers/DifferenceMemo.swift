/// What happened between two revisions: the part of a batch besides the two states.
package struct Findings: Sendable {
  package let difference: SnapshotDifference
  package let notes: (any RevisionNotes)?

  package init(difference: SnapshotDifference, notes: (any RevisionNotes)?) {
    (self.difference, self.notes) = (difference, notes)
  }
}

extension HubTransition {
  /// What the writer of the only revision has found; `nil` if there are several.
  package var storedFindings: Findings? {
    guard notes.count < 2 else { return nil }
    if isReset { return Findings(difference: SnapshotDifference(), notes: notes.first) }
    guard base?.revision.next == target.revision, let difference = target.state.difference else {
      return nil
    }
    return Findings(difference: difference, notes: notes.first)
  }
}

/// The differences that subscribers request, each computed once, in a separate task.
///
/// Only a detached task is never on the main executor, whichever task consumes the batches and
/// however it was started. Annotations on functions do not help if the consumer runs under
/// `Task.immediate` or prefers an executor of the main queue. This actor must not even compute
/// small differences itself: like every actor on the default executor, it follows the task executor
/// preference of its caller. A batch of one revision needs no task, as it is not computed here.
/// Several subscribers with the same lag share a task, so they do not occupy the pool with the same
/// work.
package actor DifferenceMemo {
  private struct Key: Hashable {
    let base: Revision?
    let target: Revision
    let isReset: Bool
  }

  /// Subscribers with the same lag request within a short time, so few results must be kept.
  private static let capacity = 8

  private var tasks: [(key: Key, task: Task<Findings, Never>)] = []

  /// What happened during a transition.
  ///
  /// The work continues if the task of the first request is cancelled: others may wait for it, and
  /// a batch that has begun is delivered.
  ///
  /// - Parameter compute: Computes it; called off the main executor, and then released.
  package func findings(
    of transition: HubTransition, compute: @escaping @Sendable () -> Findings
  ) async -> Findings {
    let key = Key(
      base: transition.base?.revision, target: transition.target.revision,
      isReset: transition.isReset)
    if let known = tasks.first(where: { $0.key == key }) {
      return await known.task.value
    }
    // A finished task keeps its closure, and the closure would keep both states.
    let work = Handover(compute)
    let task = Task.detached(priority: Task.currentPriority) {
      work.take()?() ?? Findings(difference: SnapshotDifference(), notes: nil)
    }
    if tasks.count == Self.capacity { tasks.removeFirst() }
    tasks.append((key, task))
    return await task.value
  }
}
