import Foundation

/// Something that has not happened yet, that a thread or a task can wait for.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Blocks the thread.
  ///
  /// - Returns: Whether the gate was opened within the limit, which only a failing test reaches.
  func pass(limit: DispatchTimeInterval = .seconds(60)) -> Bool {
    defer { semaphore.signal() }
    return semaphore.wait(timeout: .now() + limit) == .success
  }
}

/// Runs everything on a dispatch queue.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
