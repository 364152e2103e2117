import Diffable
import Foundation
import Synchronization

typealias Source = DataSourceActor<String, Int>
typealias List = Snapshot<String, Int>

extension Snapshot where SectionID == String, ItemID == Int {
  /// One section with some items.
  static func list(
    _ items: some Sequence<Int>, reload: [Int] = [], reconfigure: [Int] = []
  ) throws -> List {
    var snapshot = List()
    snapshot.appendSections(["list"])
    try snapshot.appendItems(items)
    try snapshot.reloadItems(reload)
    try snapshot.reconfigureItems(reconfigure)
    return snapshot
  }

  /// Items that stand where they are not allowed to, for errors.
  static func duplicates() throws -> List { try list([1, 2, 1]) }
}

/// Something that has not happened yet, that a task can wait for without a thread.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }

  func raise() { state.store(true, ordering: .releasing) }
}

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
