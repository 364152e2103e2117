#if SQLite
import Diffable
import Synchronization

/// Wakes the tasks that wait for entries.
///
/// A reader takes a count, looks for entries, and waits until the count is another one. So no entry
/// comes unnoticed between the look and the wait.
///
/// An own entry does not wake the tasks of its log: their source knows it already, or is about to. They
/// are woken by the next look at the file.
final class Changes: Sendable {
  /// A log, among those of a file.
  struct Reader: Hashable {
    let list: Int
    let log: Int
  }

  private struct State {
    /// The changes that were found in the file, the appends to each list, and those of each log.
    var found = 0
    var appended: [Int: Int] = [:]
    var own: [Reader: Int] = [:]
    var waiting: [Int: (reader: Reader, continuation: CheckedContinuation<Void, Never>)] = [:]
    var lastWaiting = 0

    func count(_ reader: Reader) -> Int {
      found + appended[reader.list, default: 0] - own[reader, default: 0]
    }

    mutating func takeWaiting(
      _ isWoken: (Reader) -> Bool
    ) -> [CheckedContinuation<Void, Never>] {
      let woken = waiting.filter { isWoken($0.value.reader) }
      for number in woken.keys { waiting[number] = nil }
      return woken.values.map(\.continuation)
    }
  }

  private let state = Lock(State())

  func count(_ reader: Reader) -> Int {
    state.withLock { $0.count(reader) }
  }

  /// Whether tasks wait.
  var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Wakes the readers of a list, except for the log that has appended something.
  func append(_ writer: Reader) {
    let woken = state.withLock { state in
      state.appended[writer.list, default: 0] += 1
      state.own[writer, default: 0] += 1
      return state.takeWaiting { $0.list == writer.list && $0 != writer }
    }
    for continuation in woken { continuation.resume() }
  }

  /// Wakes all readers: the file has changed.
  func find() {
    let woken = state.withLock { state in
      state.found += 1
      return state.takeWaiting { _ in true }
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until the count of a reader is another one, or the task is cancelled.
  func wait(_ reader: Reader, after count: Int) async {
    let number = state.withLock { state in
      state.lastWaiting += 1
      return state.lastWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          guard state.count(reader) == count, !Task.isCancelled else { return true }
          state.waiting[number] = (reader, continuation)
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Forgets a log.
  func forget(_ reader: Reader) {
    state.withLock { $0.own[reader] = nil }
  }
}
#endif
