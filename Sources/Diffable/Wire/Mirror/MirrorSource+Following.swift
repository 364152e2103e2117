extension MirrorSource {
  /// Follows a source of another process over connections that may break, until that source ends.
  ///
  /// ```swift
  /// try await mirror.follow { token in
  ///   var request = URLRequest(url: url)
  ///   request.setValue(token?.description, forHTTPHeaderField: "Last-Event-ID")
  ///   return try await session.body(of: request)          // whatever client you use
  /// } decode: {
  ///   try JSONDecoder().decode(ModelDelta.self, from: Data($0))
  /// }
  /// ```
  ///
  /// The bytes of a connection are server-sent events, as ``ListSource/events(after:_:options:clock:encode:)``
  /// makes them. When a connection ends or fails, the next one begins after a while with the token of
  /// the state that is held. After a delta that was refused it begins without a token.
  ///
  /// Follow one source at a time. When that has ended, this source finishes, too.
  ///
  /// - Parameters:
  ///   - clock: The clock of the time between two connections; a test can pass one that it moves
  ///     itself.
  ///   - longestWait: How long to wait between two connections at most. The server says how long to
  ///     wait, 2 seconds if it does not. Each failure in a row doubles that. The wait is at least 100 ms,
  ///     and up to half of it is left out at random, so that clients do not all come back at once.
  ///   - connect: Opens a connection and returns its bytes, in pieces of any size; `nil` if the server
  ///     says that there is nothing to follow any longer, such as by the status 204.
  ///   - decode: Decodes a delta from JSON text.
  ///   - failure: Receives what ended a connection: what `connect` and its bytes throw, ``DeltaError`` and
  ///     ``EventStreamError``. What this function throws ends following.
  /// - Throws: `CancellationError` when the task is cancelled, and what `failure` throws. The list stays as
  ///   it is then, and can be followed again.
  public func follow<Body: AsyncSequence & Sendable>(
    clock: any Clock<Duration> = ContinuousClock(), longestWait: Duration = .seconds(30),
    connect: @Sendable (_ token: ResumeToken?) async throws -> Body?,
    decode: @Sendable (String.UTF8View) throws -> Batch.Delta,
    failure: @Sendable (any Error) throws -> Void = { _ in }
  ) async throws where Body.Element: Sequence<UInt8> {
    var pause = Pause(longest: longestWait)
    while !list.core.isFinished {
      do {
        let isOver = try await followOnce(connect, decode, &pause)
        if isOver { return finish() }
        try Task.checkCancellation()
      } catch {
        try Task.checkCancellation()
        pause.failures += 1
        try failure(error)
      }
      try await clock.sleep(for: pause.duration)
    }
  }

  /// Follows one connection.
  ///
  /// - Returns: Whether there is nothing to follow any longer.
  private func followOnce<Body: AsyncSequence & Sendable>(
    _ connect: @Sendable (ResumeToken?) async throws -> Body?,
    _ decode: @Sendable (String.UTF8View) throws -> Batch.Delta, _ pause: inout Pause
  ) async throws -> Bool where Body.Element: Sequence<UInt8> {
    let token = list.token
    guard let body = try await connect(token) else { return true }
    // The name of a field stands before its value.
    let limit = list.limits.byteCount
    var parser = EventParser(
      lastEventID: token?.description ?? "",
      limits: EventParser.Limits(
        lineByteCount: limit.addingReportingOverflow(16).partialValue, eventByteCount: limit))
    for try await bytes in body {
      var events: [EventParser.Event] = []
      let end = Result { try parser.parse(bytes) { events.append($0) } }
      pause.reconnectionTime = parser.reconnectionTime
      for event in events {
        if event.name == "end" { return true }
        guard event.name == "delta" else { continue }
        try apply(event.data.utf8, decode: decode)
        pause.failures = 0
      }
      try end.get()
    }
    return false
  }
}

/// How long to wait before the next connection.
private struct Pause {
  let longest: Duration
  /// What the server said, in milliseconds.
  var reconnectionTime: Int?
  /// The number of connections in a row that have failed.
  var failures = 0

  var duration: Duration {
    let told = Duration.milliseconds(max(100, reconnectionTime ?? 2_000))
    // 2¹⁶ times 100 ms are longer than anybody wants to wait.
    let doubled = min(told, longest) * (1 << min(max(0, failures - 1), 16))
    return min(doubled, longest) * Double.random(in: 0.5...1)
  }
}
