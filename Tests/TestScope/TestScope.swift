import Foundation

/// How much the exhaustive and random tests do: `DIFFABLE_TESTS` is `usual`, `wide` or `long`.
///
/// No scope leaves out a law. Usual is what a change is tried with: small sets and few rounds, in a
/// minute or two of debug code. Wide is what must hold before a change is merged: optimised code
/// with every invariant checked. Long takes hours.
public enum TestScope: String, Sendable {
  case usual, wide, long

  /// The scope of this run.
  public static let current: TestScope = {
    guard let name = ProcessInfo.processInfo.environment["DIFFABLE_TESTS"] else { return .usual }
    guard let scope = TestScope(rawValue: name) else {
      preconditionFailure("DIFFABLE_TESTS is “\(name)”, and must be usual, wide or long")
    }
    return scope
  }()
}

/// Whether tests take their largest sets.
public let isLong = TestScope.current == .long

/// Whether tests take more than their smallest sets.
public let isWide = TestScope.current != .usual

/// A size, a set or a depth of an exhaustive test, by the scope of the run.
public func scoped<Value>(
  usual: @autoclosure () throws -> Value, wide: @autoclosure () throws -> Value,
  long: @autoclosure () throws -> Value
) rethrows -> Value {
  switch TestScope.current {
  case .usual: try usual()
  case .wide: try wide()
  case .long: try long()
  }
}

/// A size, a set or a depth of a test that takes all its time from something else than this, in the
/// long scope.
public func scoped<Value>(
  usual: @autoclosure () throws -> Value, wide: @autoclosure () throws -> Value
) rethrows -> Value {
  try scoped(usual: usual(), wide: wide(), long: wide())
}

/// Which cases of exhaustive tests belong to the run, if not all do: `DIFFABLE_SEED`, or 0.
public let seedOfCases =
  ProcessInfo.processInfo.environment["DIFFABLE_SEED"].flatMap(UInt16.init) ?? 0

/// Whether a case of an exhaustive test belongs to the run: one of some, and all in the long scope.
///
/// Runs with other seeds take other cases, so that many of them take all.
///
/// - Parameters:
///   - number: The number of the case, counted by the test.
///   - usual: One of how many belongs to the usual scope. It is best prime to the lengths of the loops.
///   - wide: One of how many belongs to the wide scope.
public func isInScope(_ number: Int, usual: Int, wide: Int = 3) -> Bool {
  (number + Int(seedOfCases)).isMultiple(of: scoped(usual: usual, wide: wide, long: 1))
}

/// The seeds of random programs, if the scope does not say them: `DIFFABLE_PROGRAMS` is the first seed, and how
/// many there are if not one: `320`, or `320+2000`.
public let chosenSeeds: Range<Int>? = {
  guard let text = ProcessInfo.processInfo.environment["DIFFABLE_PROGRAMS"] else { return nil }
  let numbers = text.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
  guard let first = numbers.first, let count = numbers.count == 1 ? 1 : numbers.last,
    numbers.count < 3, first >= 0, count > 0
  else {
    preconditionFailure("DIFFABLE_PROGRAMS is “\(text)”, and must be as 320 or 320+2000")
  }
  return first..<first + count
}()

extension Collection {
  /// The elements whose number belongs to the run; see ``isInScope(_:usual:wide:)``.
  public func inScope(usual: Int, wide: Int = 3) -> [Element] {
    enumerated().filter { isInScope($0.offset, usual: usual, wide: wide) }.map(\.element)
  }
}

/// The number of rounds, seeds or steps of a random test: a sixteenth of a number in the usual scope,
/// half of it in the wide one, and ten times it in the long one.
///
/// - Parameters:
///   - count: The number.
///   - least: What there must be in every scope for the test to say something.
public func rounds<Count: BinaryInteger>(_ count: Count, least: Count = 1) -> Count {
  scoped(usual: max(least, count / 16), wide: max(least, count / 2), long: count * 10)
}
