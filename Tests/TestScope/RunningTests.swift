import Foundation

/// The tests with a deadline that are running.
///
/// A test that does not end when it is cancelled would run for ever, and so would all tests whose
/// turn it is after one that keeps a thread. Nothing inside the process can take back the threads.
/// So one that waits for none of them ends the process when no test has begun or ended for long,
/// and says which are running.
///
/// Unchecked, because the compiler does not know that the lock protects the state. A `Mutex` would
/// hide from the thread sanitizer what it protects.
final class RunningTests: @unchecked Sendable {
  static let shared = RunningTests()

  /// The seconds without an event after which the process ends: more than any test takes on a busy
  /// machine.
  private static let limit = 20 * Int(patience.components.seconds)

  private let lock = NSLock()
  private var names: [Int: String] = [:]
  private var beginnings = 0
  private var ends = 0

  private init() {
    Thread.detachNewThread { self.watch() }
  }

  /// A test begins.
  ///
  /// - Returns: Its number, for its end.
  func begin(_ name: String) -> Int {
    lock.withLock {
      beginnings += 1
      names[beginnings] = name
      return beginnings
    }
  }

  func end(_ number: Int) {
    lock.withLock {
      ends += 1
      names[number] = nil
    }
  }

  /// Looks once a second; while the process is stopped, it does not look.
  private func watch() -> Never {
    var (last, looks) = (0, 0)
    while true {
      Thread.sleep(forTimeInterval: 1)
      let (events, running) = lock.withLock { (beginnings + ends, names.values.sorted()) }
      looks = events == last && !running.isEmpty ? looks + 1 : 0
      last = events
      guard looks < Self.limit else {
        let list = running.joined(separator: "; ")
        fatalError("No test has begun or ended for \(Self.limit) seconds. These run: \(list)")
      }
    }
  }
}
