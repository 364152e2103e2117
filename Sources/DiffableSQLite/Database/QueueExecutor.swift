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
}
#endif
