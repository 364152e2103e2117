import Diffable
import Foundation

/// Something that has not happened yet, that a thread or a task can wait for.
final class Gate: Sendable {
  /// Only a failing test waits so long, also where the main actor has much to do for other tests.
  static let longest = DispatchTimeInterval.seconds(300)

  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Blocks the thread.
  ///
  /// - Returns: Whether the gate was opened within the limit.
  func pass(limit: DispatchTimeInterval = longest) -> Bool {
    defer { semaphore.signal() }
    return semaphore.wait(timeout: .now() + limit) == .success
  }
}

extension ListSource {
  /// The batches after the first one, which shows the list from scratch.
  func changes(_ policy: UpdatePolicy = .coalesced) async -> AsyncStream<Batch>.Iterator {
    var batches = updates(policy).makeAsyncIterator()
    _ = await batches.next(isolation: nil)
    return batches
  }
}
