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
