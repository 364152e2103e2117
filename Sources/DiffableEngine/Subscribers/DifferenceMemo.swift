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
