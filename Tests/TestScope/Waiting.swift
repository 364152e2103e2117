public import Testing

/// Lets other tasks run until a condition holds.
///
/// No test acts on the passage of time: a pause between two looks only leaves the processor to those
/// who are waited for. If the condition never holds, the test fails at the line that waits, as soon
/// as no working machine would take as long.
///
/// - Parameters:
///   - name: Names what is waited for, where one line waits for many things.
///   - time: How long it may take. What happens in other processes may take longer than what a test
///     does itself.
/// - Throws: ``NeverHappened`` then, and `CancellationError` if the task is cancelled.
public nonisolated(nonsending) func wait(
  for name: @autoclosure () -> String = "This", within time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  until condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
  let (clock, start) = (ContinuousClock(), ContinuousClock.now)
  let patience = time ?? patience
  var looks = 0
  while try await !condition() {
    try Task.checkCancellation()
    // Where many tests share an executor, each gets few looks, and so do those it waits for.
    guard looks < 1_000 || clock.now - start < patience else {
      Issue.record("\(name()) has not happened within \(patience)", sourceLocation: sourceLocation)
      throw NeverHappened()
    }
    looks += 1
    if looks < 50 { await Task.yield() } else { try await clock.sleep(for: .milliseconds(1)) }
  }
}

/// Runs what has to end by itself, and returns its result.
///
/// If it does not end, the test fails at the line that waits, whatever the operation waits for: it
/// is cancelled, and left alone if that does not help.
///
/// - Parameters:
///   - name: Names the operation, where one line runs many.
///   - time: How long it may take; see ``wait(for:within:sourceLocation:until:)``.
public nonisolated(nonsending) func ended<Result: Sendable>(
  _ name: @autoclosure () -> String = "This", within time: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  of operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let ending = Ending<Result>()
  let task = Task { await ending.set(Swift.Result(operation)) }
  do {
    try await wait(for: name(), within: time, sourceLocation: sourceLocation) {
      await ending.result != nil
    }
  } catch {
    task.cancel()
    throw error
  }
  guard let result = await ending.result else { throw NeverHappened() }
  return try result.get()
}

/// What a test has waited for has not happened.
public struct NeverHappened: Error {
  /// Creates the error.
  public init() {}
}

/// How long a test waits for what has to happen.
let patience: Duration = scoped(usual: .seconds(30), wide: .seconds(120), long: .seconds(1200))

private actor Ending<Value: Sendable> {
  private(set) var result: Result<Value, any Error>?

  func set(_ result: Result<Value, any Error>) { self.result = result }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
