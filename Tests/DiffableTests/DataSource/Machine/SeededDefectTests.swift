import Diffable
import TestScope
import Testing

/// Proof that the exploration can fail: every mistake put into the machine is found by a set of
/// events that runs for the real one.
@Suite struct SeededDefectTests {
  @Test(arguments: Defect.allCases.inScope(usual: 4, wide: 3))
  func `A defect is found`(_ defect: Defect) {
    let smallestFirst = Scenarios.everyPullRequest.sorted { $0.runs < $1.runs }
    let found = smallestFirst.first { named in
      Exploration(named) { Defective($0, defect) }.counterexample != nil
    }
    #expect(found != nil)
  }
}
