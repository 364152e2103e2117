import Diffable
import Testing
import TestScope

/// The subscription machine in every order that small sets of events can come in.
///
/// Sets with an end and sets without one are both needed: finishing answers whoever is stuck, and so
/// hides that somebody was.
@Suite struct InterleavingTests {
  /// All sets that are tried at once, and every second of the others.
  private static let scenarios =
    Scenarios.everyPullRequest.filter(\.isSmall)
    + Scenarios.everyPullRequest.filter { !$0.isSmall }.inScope(usual: 2, wide: 2)

  @Test(arguments: scenarios)
  func `No order breaks a law`(_ named: Named<Scenario>) {
    let exploration = Exploration(named)
    #expect(exploration.counterexample == nil, "where orders are random, the seed is \(named.runs)")
    if named.isExplored { #expect(exploration.runs == named.runs) }
  }

  /// The number of runs is that of the set, or of a smaller one that it contains; it takes many minutes.
  @Test(.enabled(if: isLong), arguments: Scenarios.long)
  func `No order of a larger set breaks a law`(_ named: Named<Scenario>) {
    let exploration = Exploration(every: named.value.world)
    #expect(exploration.counterexample == nil && exploration.runs >= named.runs)
  }

  @Test(arguments: Scenarios.large)
  func `No random order of a large set breaks a law`(_ named: Named<Scenario>) {
    let seed: UInt64 = 20_240_613
    let count = scoped(usual: 100, wide: 600, long: 200_000)
    let exploration = Exploration(count, randomOrdersOf: named.value.world, seed: seed)
    #expect(exploration.counterexample == nil, "seed \(seed)")
  }
}

/// A value with words for the test report.
struct Named<Value>: CustomTestStringConvertible, Sendable where Value: Sendable {
  let name: String
  let value: Value
  var runs = 0
  /// Whether every order is tried in the scope of this run, not random ones.
  var isExplored: Bool { isWide || isSmall }
  var isSmall: Bool { runs < 2_000 }

  var testDescription: String { name }
}
