package import Dispatch

/// Runs everything on a dispatch queue: a test may block one that no other test needs.
package final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  package init(_ queue: DispatchQueue = DispatchQueue(label: "QueueExecutor")) {
    self.queue = queue
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
