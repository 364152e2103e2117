#if SQLite
import Dispatch

/// Runs the code of an actor on a queue of its own, since it waits for the disk.
///
/// So no thread of Swift's pool waits.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// Calls a function on the queue at intervals of a millisecond or more, until it returns `false`.
  func keepCalling(_ body: @escaping @Sendable () -> Bool, every interval: Duration) {
    let nanoseconds = min(max(interval / .nanoseconds(1), 1e6), 1e18)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [self] in
      if body() { keepCalling(body, every: interval) }
    }
  }
}
#endif
