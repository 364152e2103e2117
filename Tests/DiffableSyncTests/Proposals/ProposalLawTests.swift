import DiffableTesting
import TestScope
import Testing

// The long mode takes ten minutes of one core, optimised: a minute and a half for every order of events,
// the rest for random orders.
//
//     DIFFABLE_TESTS=long swift test -c release -Xswiftc -enable-testing --filter ProposalLawTests
@Suite("Followers and server agree, whatever happens on the way", .timeLimit(.minutes(60)))
struct ProposalLawTests {
  typealias World = ProposalWorld
  typealias Edit = ProposalWorld.Edit

  struct Scope: CustomTestStringConvertible {
    let scripts: [[Edit]]
    var faults = World.Faults()

    var testDescription: String {
      let scripts = scripts.map { $0.map { "\($0)" }.joined(separator: " ") }
      return "\(scripts), \(faults.cuts) cuts, \(faults.losses) losses"
    }
  }

  static let small = [
    Scope(scripts: [[.insert(10)], [.insert(20)]], faults: .init(losses: 1)),
    Scope(scripts: [[.insert(10), .insert(1000)], []], faults: .init(cuts: 1, losses: 1)),
    Scope(scripts: [[.insert(1000), .moveFirstToEnd], [.insert(20)]]),
    Scope(scripts: [[.insert(10), .delete(10)], [.delete(1)]]),
  ]
  /// Two followers with two edits each, a cut, a lost answer or proposal, and a refusal.
  ///
  /// These are 17,000 to 32,000 worlds, in 15 to 40 seconds. Then come three followers, and followers that
  /// are cut off and lose something twice: 6,000 and 11,000 worlds.
  static let large = [
    Scope(
      scripts: [[.insert(10), .insert(11)], [.insert(20), .insert(1020)]],
      faults: .init(cuts: 1, losses: 1)),
    Scope(
      scripts: [[.insert(10), .moveFirstToEnd], [.delete(1), .insert(1020)]],
      faults: .init(cuts: 1, losses: 1)),
    Scope(
      scripts: [[.insert(1010), .insert(11)], [.moveFirstToEnd, .insert(21)]],
      faults: .init(cuts: 1, losses: 1)),
    Scope(scripts: [[.insert(10)], [.insert(1020)], [.moveFirstToEnd]], faults: .init(cuts: 1)),
    Scope(scripts: [[.insert(10)], [.delete(1)]], faults: .init(cuts: 2, losses: 2)),
  ]

  /// Each set, with answers of both kinds.
  static let cases = (isLong ? small + large : small).flatMap { [($0, true), ($0, false)] }

  @Test("Every order of events", arguments: cases.inScope(usual: 3))
  func everyOrder(_ scope: Scope, areAnswersWhole: Bool) throws {
    let exploration = try ProposalExploration(
      scope.scripts, faults: scope.faults, areAnswersWhole: areAnswersWhole)
    #expect(exploration.counterexample == nil)
    if isLong { print("\(scope.testDescription): \(exploration.worldCount) worlds") }
    #expect(exploration.worldCount > 50)
  }

  @Test("Random orders", arguments: 0..<rounds(40 as UInt64, least: 6))
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = isLong ? 5 : 3
    // Users who are faster than their network have a hundred edits pending, others a few: a seed takes
    // about three seconds or one.
    let areFast = !isLong || seed.isMultiple(of: 4)
    let scripts = (0..<count).map { follower in
      (0..<(isLong ? 200 : 12)).map { step -> Edit in
        switch random.number(below: 6) {
        case 0: .moveFirstToEnd
        case 1: .insert(1000 + follower * 1000 + step)
        default: .insert(10_000 * -(follower + 1) - step)
        }
      }
    }
    var world = try World(
      scripts, faults: isLong ? .init(cuts: 100, losses: 100) : .init(cuts: 6, losses: 6),
      areAnswersWhole: !seed.isMultiple(of: 3))
    var path: [World.Event] = []
    while true {
      let events = world.events
      let calm = events.filter { !$0.isFault }
      if calm.isEmpty { break }
      let isCalm = random.number(below: 6) > 0 || calm.count == events.count
      let choice = isCalm ? calm : events
      let event = choice[random.number(below: choice.count)]
      if case .edit = event, !areFast, calm.count > 1, !random.chance(oneIn: 4) { continue }
      path.append(event)
      try world.perform(event)
      if let fault = world.fault {
        Issue.record("seed \(seed): \(fault), after \(path.suffix(40))")
        return
      }
    }
    #expect(world.faultAtEnd == nil, "seed \(seed), after \(path.suffix(40))")
  }
}
