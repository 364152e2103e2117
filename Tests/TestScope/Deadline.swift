public import Testing

extension Trait where Self == Deadline {
  /// A test that hangs fails at its line, half a minute after the others in the usual scope.
  ///
  /// For suites in which something could wait for ever. Where a test waits itself, use
  /// ``wait(for:within:sourceLocation:until:)`` and ``ended(_:within:sourceLocation:of:)``: they
  /// name the very line.
  public static var deadline: Self { Deadline() }
}

/// Fails a test that has not ended in time, and cancels it.
///
/// Only seconds count at whose end the main actor and other tasks had nothing else to do: where a
/// thousand tests begin together, each step of one waits for a step of most others. The time limit of
/// the testing library counts those seconds too, and is the same in every scope.
///
/// A test that does not end although it is cancelled, or keeps the main actor from others, ends the
/// process at last: see ``RunningTests``.
public struct Deadline: TestTrait, SuiteTrait, TestScoping {
  /// A suite gives its deadline to each of its tests.
  public var isRecursive: Bool { true }

  /// Runs one test with one set of arguments.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let place = test.sourceLocation
    let number = RunningTests.shared.begin("\(test.name) (\(place.fileName):\(place.line))")
    defer { RunningTests.shared.end(number) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // The test ends first, and cancels this.
        try await waitForIdleSeconds(patience)
        Issue.record("The test does not end", sourceLocation: test.sourceLocation)
        throw CancellationError()
      }
      try await withoutActuallyEscaping(function) { function in
        group.addTask { try await function() }
        let first = await group.nextResult()
        group.cancelAll()
        while await group.nextResult() != nil {}
        try first?.get()
      }
    }
  }
}

/// Waits for a number of seconds at whose end a task that is ready, also on the main actor, runs at
/// once.
private func waitForIdleSeconds(_ limit: Duration) async throws {
  let clock = ContinuousClock()
  var idle = Duration.zero
  while idle < limit {
    try await clock.sleep(for: .seconds(1))
    let start = clock.now
    await MainActor.run {}
    await Task.yield()
    if clock.now - start < .milliseconds(3) { idle += .seconds(1) }
  }
}
