public import Testing

extension Trait where Self == Deadline {
  /// A test that hangs fails at its line within two minutes, in the usual scope.
  ///
  /// For suites in which something could wait for ever. Where a test waits itself, use
  /// ``wait(sourceLocation:until:)`` and ``ended(sourceLocation:of:)``: they name the very line.
  public static var deadline: Self { Deadline() }
}

/// Fails a test that has not ended in time, and cancels it.
///
/// The time limit of the testing library does the same, but counts in minutes and is the same in
/// every scope.
public struct Deadline: TestTrait, SuiteTrait, TestScoping {
  /// A suite gives its deadline to each of its tests.
  public var isRecursive: Bool { true }

  /// Runs one test with one set of arguments.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let limit = patience * 4
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // The test ends first, and cancels this.
        guard (try? await ContinuousClock().sleep(for: limit)) != nil else { return }
        Issue.record("The test has not ended within \(limit)", sourceLocation: test.sourceLocation)
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
