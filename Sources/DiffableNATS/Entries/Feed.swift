#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

/// Reads the log from one revision on: a consumer of the stream, and the entries that it has sent.
///
/// The server keeps nothing for the consumer but its position. If an entry is missing, the feed ends,
/// and a new one continues from there. So a reader sees each entry once and in order, even if messages
/// are lost or repeated on the way.
final class Feed: Sendable {
  fileprivate typealias Outcome = Result<LogPage?, RevisionLogError>

  /// A task that waits for entries.
  fileprivate struct Reader {
    /// The last entry that it knows, which may be one that is still to arrive.
    ///
    /// It is a function of the user, so it is never called under the lock.
    let known: @Sendable () -> Int
    let answer: Answer<LogPage?>
    /// What it has said last.
    var last: Int
  }

  fileprivate struct State {
    var buffer: FeedBuffer
    var waiting: [Reader] = []
    var subscription: Handle?
    /// Whether the feed will look again who needs what has arrived.
    var isToLook = false
  }

  let number = Feed.registry.number()
  private let state: Lock<State>

  /// The feeds that callbacks can reach.
  static let registry = Registry<Feed>()

  private let epoch: Epoch
  private let appends: PendingAppends
  private let queue: DispatchQueue
  private let places: KnownPlaces

  /// - Parameters:
  ///   - place: The message to read after.
  ///   - epoch: The epoch of the log.
  ///   - appends: The entries that this participant appends itself.
  ///   - queue: Where to look again.
  ///   - places: Gets the place of each message that arrives.
  init(
    after place: LogPlace, of epoch: Epoch, _ appends: PendingAppends, queue: DispatchQueue,
    places: KnownPlaces
  ) {
    (self.epoch, self.appends, self.queue, self.places) = (epoch, appends, queue, places)
    state = Lock(State(buffer: FeedBuffer(after: place)))
    Self.registry.register(self, as: number)
  }

  deinit {
    Self.registry.remove(number)
    end()
  }

  /// Keeps a subscription as long as the feed takes what it sends.
  func keep(_ subscription: Handle) {
    state.withLock { state in
      if state.buffer.end == nil { state.subscription = subscription }
    }
  }

  /// Whether the feed has the entries after a revision, or will have them.
  func continues(after last: Int) -> Bool {
    state.withLock { state in
      state.buffer.last <= last && !(state.buffer.isEmpty && state.buffer.isToRestart)
    }
  }

  /// The last sequence number that has arrived, if the feed is open and somebody waits for more.
  var awaited: UInt64? {
    state.withLock { state in
      state.buffer.end == nil && !state.waiting.isEmpty ? state.buffer.arrived.sequence : nil
    }
  }

  var hasEnded: Bool { state.withLock { $0.buffer.end != nil } }

  /// The next page for a reader; `nil` if that takes another feed.
  ///
  /// The reader may know entries that have not arrived here: those that it has appended itself.
  func page(
    after known: @escaping @Sendable () -> Int
  ) async throws(RevisionLogError) -> LogPage? {
    ask()
    let reader = Reader(known: known, answer: Answer(), last: known())
    let answer = reader.answer
    let given = state.withLock { state -> [(Answer<LogPage?>, Outcome)]? in
      guard state.buffer.last <= reader.last else { return nil }
      // A task that waits may need what this one has.
      if state.waiting.isEmpty { state.buffer.skip(through: reader.last) }
      state.waiting.append(reader)
      return state.outcomes()
    }
    guard let given else { return nil }
    give(given)
    defer { forget(answer) }
    return try await answer.value()
  }

  /// Asks the tasks that wait what they know.
  ///
  /// They may know more by the time that it counts. Then they are given something that they know, which a
  /// reader passes over.
  private func ask() {
    let known = state.withLock { $0.waiting }.map { (answer: $0.answer, last: $0.known()) }
    state.withLock { state in
      for (answer, last) in known {
        guard let index = state.waiting.firstIndex(where: { $0.answer === answer }) else {
          continue
        }
        state.waiting[index].last = max(state.waiting[index].last, last)
      }
    }
  }

  private func forget(_ answer: Answer<LogPage?>) {
    state.withLock { $0.waiting.removeAll { $0.answer === answer } }
  }

  /// The callback of the library, which gets the number of the feed instead of a pointer.
  static func receive(_ message: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
    defer { natsMsg_Destroy(message) }
    guard let message, let feed = registry[closure] else { return }
    var place: UnsafeMutablePointer<jsMsgMetaData>?
    guard natsMsg_GetMetaData(&place, message) == NATS_OK, let place else { return }
    let sequence = place.pointee.Sequence.Stream
    jsMsgMetaData_Destroy(place)
    feed.receive(AppendMessage.content(of: message, sequence, in: feed.epoch).entries, sequence)
  }

  /// Takes the entries of a message.
  func receive(_ entries: [LogEntry], _ sequence: UInt64) {
    let isOwn = entries.first.map { appends.isLast($0.id) } ?? false
    ask()
    let (given, isFirst, place, useless) = state.withLock { state in
      state.skipKnown()
      state.buffer.receive(entries, sequence)
      let place = state.buffer.arrived
      guard state.buffer.end == nil else {
        // What comes now is lost. The servers need not send it.
        defer { state.subscription = nil }
        return (state.outcomes(), false, place, state.subscription)
      }
      // Its writer is about to know it.
      guard isOwn else { return (state.outcomes(), false, place, nil) }
      defer { state.isToLook = true }
      return ([], !state.isToLook, place, nil)
    }
    withExtendedLifetime(useless) {}
    // Before readers append after it.
    if place.sequence == sequence { places.add(place) }
    give(given)
    if isFirst { look() }
  }

  /// Gives a moment later what is not known by then.
  private func look() {
    queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in
      guard let self else { return }
      ask()
      give(
        state.withLock { state in
          state.isToLook = false
          state.skipKnown()
          return state.outcomes()
        })
    }
  }

  /// Ends the feed.
  func end() {
    change { $0.finish(.restart) }
  }

  /// Changes the buffer, and gives a page to each task that waits for what it has now.
  private func change(_ body: (inout FeedBuffer) -> Void) {
    ask()
    let given = state.withLock { state in
      body(&state.buffer)
      return state.outcomes()
    }
    give(given)
  }

  private func give(_ outcomes: [(Answer<LogPage?>, Outcome)]) {
    for (answer, outcome) in outcomes { answer.give(outcome) }
  }
}

extension Feed.Reader {
  /// Whether the reader must not wait any longer.
  fileprivate func isDue(_ buffer: FeedBuffer) -> Bool {
    buffer.end != nil || buffer.next > last + 1
  }
}

extension Feed.State {
  /// Skips the entries that all tasks that wait know.
  fileprivate mutating func skipKnown() {
    guard let last = waiting.lazy.map(\.last).min() else { return }
    buffer.skip(through: last)
  }

  /// Takes pages for the tasks that wait, which then no longer wait.
  fileprivate mutating func outcomes() -> [(Answer<LogPage?>, Feed.Outcome)] {
    var given: [(Answer<LogPage?>, Feed.Outcome)] = []
    while waiting.contains(where: { $0.isDue(buffer) }) {
      guard let outcome = buffer.outcome() else { break }
      let isPage = if case .success(_?) = outcome { true } else { false }
      let (last, all) = (buffer.last, waiting)
      waiting = []
      for reader in all {
        if isPage, reader.last >= last {
          waiting.append(reader)
        } else {
          given.append((reader.answer, outcome))
        }
      }
    }
    return given
  }
}

extension FeedBuffer {
  var isToRestart: Bool {
    if case .restart = end { true } else { false }
  }

  /// The next page, or why there is none; `nil` while more may come.
  mutating func outcome() -> Result<LogPage?, RevisionLogError>? {
    if !isEmpty {
      let base = Revision(last)
      return .success(.entries(takePage(), after: base))
    }
    return switch end {
    case nil: nil
    case .restart: .success(nil)
    }
  }
}
#endif
