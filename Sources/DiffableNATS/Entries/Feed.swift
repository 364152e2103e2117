#if NATS
import CNATS
import Diffable
import Synchronization

/// Reads the log from one revision on: a consumer of the stream, and the entries that it has sent.
///
/// The server keeps nothing for the consumer but its position. If an entry is missing, the feed ends,
/// and a new one continues from there. So a reader sees each entry once and in order, even if messages
/// are lost or repeated on the way.
final class Feed: Sendable {
  fileprivate typealias Outcome = Result<[LogEntry]?, RevisionLogError>

  /// A task that waits for entries.
  fileprivate struct Reader {
    /// The entry after which it reads.
    let last: UInt64
    /// The last entry that it knows, which may be one that is still to arrive.
    let known: @Sendable () -> UInt64
    let answer: Answer<[LogEntry]?>
  }

  fileprivate struct State {
    var buffer: FeedBuffer
    var waiting: [Reader] = []
    var subscription: Handle?
  }

  let number = Feed.registry.number()
  private let state: Mutex<State>

  /// The feeds that callbacks can reach.
  static let registry = Registry<Feed>()

  init(after last: UInt64) {
    state = Mutex(State(buffer: FeedBuffer(after: last)))
    Self.registry.register(self, as: number)
  }

  deinit {
    Self.registry.remove(number)
    end()
  }

  func keep(_ subscription: Handle) {
    state.withLock { $0.subscription = subscription }
  }

  /// Whether the feed has the entries after a sequence number, or will have them.
  func continues(after last: UInt64) -> Bool {
    state.withLock { state in
      state.buffer.last <= last && !(state.buffer.isEmpty && state.buffer.isToRestart)
    }
  }

  /// The last sequence number that has arrived, if the feed is open and somebody waits for more.
  var awaited: UInt64? {
    state.withLock { state in
      state.buffer.end == nil && !state.waiting.isEmpty ? state.buffer.next - 1 : nil
    }
  }

  var hasEnded: Bool { state.withLock { $0.buffer.end != nil } }

  /// The page after a sequence number; `nil` if that takes another feed.
  ///
  /// The caller may have entries that have not arrived here: those that it has appended itself.
  func page(
    after last: UInt64, known: @escaping @Sendable () -> UInt64
  ) async throws(RevisionLogError) -> [LogEntry]? {
    let answer = Answer<[LogEntry]?>()
    let given = state.withLock { state -> [(Answer<[LogEntry]?>, Outcome)]? in
      guard state.buffer.last <= last else { return nil }
      // A task that waits may need what this one has.
      if state.waiting.isEmpty { state.buffer.skip(through: last) }
      state.waiting.append(Reader(last: last, known: known, answer: answer))
      return state.outcomes()
    }
    guard let given else { return nil }
    give(given)
    defer { forget(answer) }
    return try await answer.value()
  }

  private func forget(_ answer: Answer<[LogEntry]?>) {
    state.withLock { $0.waiting.removeAll { $0.answer === answer } }
  }

  /// The callback of the library, which gets the number of the feed instead of a pointer.
  static func receive(_ message: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
    defer { natsMsg_Destroy(message) }
    guard let message, let feed = registry[closure] else { return }
    var place: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&place, message) == NATS_OK, let place else { return }
    feed.receive(LogEntry(message), place.pointee.Sequence.Stream)
    jsMsgMetaData_Destroy(place)
  }

  private func receive(_ entry: LogEntry?, _ sequence: UInt64) {
    change { $0.receive(entry, sequence) }
  }

  /// Ends the feed.
  func end() {
    change { $0.finish(.restart) }
  }

  /// Changes the buffer, and gives a page to each task that waits for what it has now.
  private func change(_ body: (inout FeedBuffer) -> Void) {
    let given = state.withLock { state in
      body(&state.buffer)
      return state.outcomes()
    }
    give(given)
  }

  private func give(_ outcomes: [(Answer<[LogEntry]?>, Outcome)]) {
    for (answer, outcome) in outcomes { answer.give(outcome) }
  }
}

extension Feed.Reader {
  /// Whether the reader must not wait any longer.
  fileprivate func isDue(_ buffer: FeedBuffer) -> Bool {
    buffer.end != nil || buffer.hasFullPage || buffer.next > max(last, known()) + 1
  }
}

extension Feed.State {
  /// Takes pages for the tasks that wait, which then no longer wait.
  fileprivate mutating func outcomes() -> [(Answer<[LogEntry]?>, Feed.Outcome)] {
    var given: [(Answer<[LogEntry]?>, Feed.Outcome)] = []
    while waiting.contains(where: { $0.isDue(buffer) }) {
      let first = buffer.last
      guard let outcome = buffer.outcome() else { break }
      guard case .success(let page?) = outcome else {
        given += waiting.map { ($0.answer, outcome) }
        waiting = []
        break
      }
      for reader in waiting where reader.last < buffer.last {
        given.append((reader.answer, .success(Array(page.dropFirst(Int(reader.last - first))))))
      }
      waiting.removeAll { $0.last < buffer.last }
    }
    return given
  }
}

extension FeedBuffer {
  var isToRestart: Bool {
    if case .restart = end { true } else { false }
  }

  /// The next page, or why there is none; `nil` while more may come.
  mutating func outcome() -> Result<[LogEntry]?, RevisionLogError>? {
    if !isEmpty { return .success(takePage()) }
    return switch end {
    case nil: nil
    case .restart: .success(nil)
    case .failed(let error): .failure(error)
    }
  }
}
#endif
