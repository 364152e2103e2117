import Foundation

/// How much the exhaustive and random tests do: `DIFFABLE_TESTS` is `short`, `usual` or `long`.
///
/// Short is for modes in which all code is slow. Long takes hours.
public enum TestScope: String, Sendable {
  case short, usual, long

  /// The scope of this run.
  public static let current: TestScope = {
    guard let name = ProcessInfo.processInfo.environment["DIFFABLE_TESTS"] else { return .usual }
    guard let scope = TestScope(rawValue: name) else {
      preconditionFailure("DIFFABLE_TESTS is “\(name)”, and must be short, usual or long")
    }
    return scope
  }()
}

/// Whether exhaustive tests take their larger sets.
public let isLong = TestScope.current == .long

/// The number of rounds, seeds or steps of a random test.
///
/// - Parameter usual: The number in a usual run.
public func rounds<Count: BinaryInteger>(_ usual: Count) -> Count {
  switch TestScope.current {
  case .short: max(1, usual / 4)
  case .usual: usual
  case .long: usual * 10
  }
}
