public import Diffable
import Synchronization

extension MirrorSource {
  /// Follows a source of another process until that source finishes, over connections that may break.
  ///
  /// ```swift
  /// try await mirror.follow { token in
  ///   var request = URLRequest(url: url)
  ///   request.setValue(token?.description, forHTTPHeaderField: "Last-Event-ID")
  ///   return try await session.body(of: request)          // any HTTP client
  /// } decode: {
  ///   try JSONDecoder().decode(ModelDelta.self, from: Data($0))
  /// }
  /// ```
  ///
  /// The bytes of a connection are server-sent events, as `events(after:_:options:clock:encode:)`
  /// writes them. When a connection ends or fails, the next one starts after a pause, with the token of
  /// the current state. After a rejected delta it starts without a token.
  ///
  /// A server can hang, and a network can lose a connection without a word. Neither ends the bytes. So a
  /// connection on which nothing arrives for too long, not even a heartbeat, is given up as well.
  ///
  /// Follow one source at a time. When that source finishes, the mirror finishes, too. If the mirror is finished here,
  /// following ends with the next delta or with the connection, and that is no failure.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the pauses and the silence; a test can pass one that it advances
  ///     itself.
  ///   - longestWait: The longest pause. The server sets the pause; the default is 2 seconds, and the
  ///     minimum 100 ms. Each failure in a row doubles it. A connection that has brought a change, or has ended
  ///     without an error, ends the row, unless it ends with a delta that does not fit. Up to half of the pause is
  ///     dropped at random, so that clients do not all reconnect at once.
  ///   - silence: How long nothing may arrive, from the call of `connect` on: 45 seconds by default, which
  ///     is three heartbeats. It is noticed a quarter later at most, and the task of the connection is
  ///     cancelled. `nil` waits for any time.
  ///   - connect: Opens a connection and returns its bytes, in pieces of any size. Returns `nil` if the
  ///     server says that the source has finished, for example with status 204. It and the bytes must end
  ///     when their task is cancelled.
  ///   - decode: Decodes a delta from JSON text.
  ///   - failure: Receives the error that ended a connection: an error of `connect` or of its bytes, a
  ///     ``DeltaError`` or an ``EventStreamError``. An error that it throws ends following.
  /// - Throws: `CancellationError` when the task is cancelled, and the errors of `failure`. The mirror
  ///   keeps its state and can follow again.
  public func follow<Body: AsyncSequence & Sendable>(
    clock: any Clock<Duration> = ContinuousClock(), longestWait: Duration = .seconds(30),
    silence: Duration? = .seconds(45),
    connect: @escaping @Sendable (_ token: ResumeToken?) async throws -> Body?,
    decode: @escaping @Sendable (String.UTF8View) throws -> Batch.Delta,
    failure: @Sendable (any Error) throws -> Void = { _ in }
  ) async throws where Body.Element: Sequence<UInt8> {
    var pause = Backoff(first: .seconds(2), longest: longestWait)
    while !list.core.isFinished {
      let connection = FollowedConnection()
      var fault: (any Error)?
      do {
        if try await followOnce(connection, silence, clock, connect, decode) {
          // A connection that is given up may look as if the source had finished.
          try Task.checkCancellation()
          return finish()
        }
      } catch {
        fault = error
      }
      try Task.checkCancellation()
      // The connection is not to blame for that.
      guard !list.core.isFinished else { return }
      let heard = connection.heard.withLock { $0 }
      if let time = heard.reconnectionTime { pause.first = time }
      // A list in which nothing has changed says nothing, and its connection was none the worse. But after a delta
      // that does not fit the whole list comes again, which says nothing about the next delta.
      if fault == nil || heard.hasApplied && !(fault is DeltaError) { pause.failures = 0 }
      if let fault {
        pause.failures += 1
        try failure(fault)
      }
      try await clock.sleep(for: pause.duration())
    }
  }

  /// Follows one connection until it ends, fails, or is silent for too long.
  ///
  /// - Returns: Whether the source has finished.
  private func followOnce<Body: AsyncSequence & Sendable>(
    _ connection: FollowedConnection, _ silence: Duration?, _ clock: any Clock<Duration>,
    _ connect: @escaping @Sendable (ResumeToken?) async throws -> Body?,
    _ decode: @escaping @Sendable (String.UTF8View) throws -> Batch.Delta
  ) async throws -> Bool where Body.Element: Sequence<UInt8> {
    guard let silence else { return try await read(connection, connect, decode) }
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { try await self.read(connection, connect, decode) }
      group.addTask {
        try await connection.waitForSilence(of: silence, clock)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }

  /// Reads one connection to its end.
  ///
  /// - Returns: Whether the source has finished.
  private func read<Body: AsyncSequence & Sendable>(
    _ connection: FollowedConnection,
    _ connect: @Sendable (ResumeToken?) async throws -> Body?,
    _ decode: @Sendable (String.UTF8View) throws -> Batch.Delta
  ) async throws -> Bool where Body.Element: Sequence<UInt8> {
    let token = list.token
    guard let body = try await connect(token) else { return true }
    connection.hear()
    // The owner can be reached, also for what waits after a failure.
    sender?.hurry()
    // A line has the name of the field before its value.
    let limit = list.limits.byteCount
    var parser = EventParser(
      limits: EventParser.Limits(lineByteCount: min(limit, .max - 16) + 16, eventByteCount: limit))
    for try await bytes in body {
      connection.hear()
      var events: [EventParser.Event] = []
      let end = Result { try parser.parse(bytes) { events.append($0) } }
      if let time = parser.reconnectionTime {
        connection.heard.withLock { $0.reconnectionTime = .milliseconds(max(100, time)) }
      }
      for event in events {
        if event.name == "end" { return true }
        guard event.name == "delta" else { continue }
        try apply(event.data.utf8, decode: decode)
        connection.heard.withLock { $0.hasApplied = true }
      }
      try end.get()
    }
    return false
  }
}

/// What a mirror learns from one connection, for the pause before the next one.
final class FollowedConnection: Sendable {
  struct Heard {
    /// The number of pieces that have arrived, modulo 2^64.
    var pieces = 0
    /// Whether a delta was applied.
    var hasApplied = false
    /// How long the server wants its client to wait before it connects again.
    var reconnectionTime: Duration?
  }

  let heard = Lock(Heard())

  /// Records that a piece has arrived.
  func hear() { heard.withLock { $0.pieces &+= 1 } }

  /// Waits until nothing has arrived for a while.
  ///
  /// - Throws: ``EventStreamError/silent(_:)`` between one limit and one and a quarter after the last piece,
  ///   and `CancellationError`.
  func waitForSilence(of limit: Duration, _ clock: any Clock<Duration>) async throws {
    var (last, quarters) = (heard.withLock { $0.pieces }, 0)
    while quarters < 4 {
      try await clock.sleep(for: max(limit / 4, .milliseconds(25)))
      let now = heard.withLock { $0.pieces }
      (last, quarters) = (now, now == last ? quarters + 1 : 0)
    }
    throw EventStreamError.silent(limit)
  }
}
