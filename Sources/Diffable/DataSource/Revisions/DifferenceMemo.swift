/// What happened between two revisions: what a batch needs besides their states.
struct Findings: Sendable {
  var difference: SnapshotDifference
  let notes: (any RevisionNotes)?
}

/// What subscribers ask for between revisions, each computed once, in a task of its own.
///
/// A detached task is the only place that is never on the main executor, whoever consumes the
/// batches and however that task was started: annotations on functions do not help when the
/// consumer runs under `Task.immediate` or prefers an executor of the main queue. Nor may this actor
/// compute what is small by itself: like every actor on the default executor it follows the task that
/// calls it to the executor that this prefers. A batch of one revision costs no task, as it does not
/// come here. Sharing the tasks keeps several subscribers that lag alike from occupying the pool with
/// the same work.
actor DifferenceMemo {
  private struct Key: Hashable {
    let base: Revision?
    let target: Revision
    let isReset: Bool
  }

  /// Subscribers that lag alike ask within a short time, so few have to be remembered.
  private static let capacity = 8

  private var tasks: [(key: Key, task: Task<Findings, Never>)] = []

  /// What happened on the way of a transition.
  ///
  /// The work goes on if the task that asked first is cancelled: others may wait for it, and a
  /// batch that has begun is handed over.
  ///
  /// - Parameter compute: How to compute it; called off the main executor, and then released.
  func findings(
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
