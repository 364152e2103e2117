import DiffableTesting
import TestScope
import Testing

@Suite("Followers and server agree, whatever happens on the way", .timeLimit(.minutes(60)))
struct ProposalLawTests {
  typealias World = ProposalWorld
  typealias Edit = ProposalWorld.Edit

  struct Scope: CustomTestStringConvertible {
    let scripts: [[Edit]]
    let faults: Int

    var testDescription: String { "\(scripts), \(faults) faults" }
  }

  static let small = [
    Scope(scripts: [[.insert(10)], [.insert(20)]], faults: 1),
    Scope(scripts: [[.insert(10), .insert(1000)], []], faults: 1),
    Scope(scripts: [[.insert(1000), .moveFirstToEnd], [.insert(20)]], faults: 0),
    Scope(scripts: [[.insert(10), .delete(10)], [.delete(1)]], faults: 0),
  ]
  static let large = [
    Scope(scripts: [[.insert(10), .insert(11)], [.insert(20), .insert(1020)]], faults: 2),
    Scope(scripts: [[.insert(10), .moveFirstToEnd], [.delete(1), .insert(20)]], faults: 2),
    Scope(scripts: [[.insert(1010), .insert(11)], [.moveFirstToEnd, .insert(21)]], faults: 2),
  ]

  @Test("Every order of events", arguments: isLong ? small + large : small)
  func everyOrder(_ scope: Scope) throws {
    var states = 0
    let first = try World(scope.scripts, faults: scope.faults)
    var known: Set = [first.fingerprint]
    var reached = [(path: [World.Event](), events: first.events)]
    while let (path, events) = reached.popLast() {
      states += 1
      for event in events {
        let path = path + [event]
        let next = try World(scope.scripts, faults: scope.faults, after: path)
        let events = next.events
        let fault = events.allSatisfy(\.isFault) ? next.faultAtEnd : next.fault
        if let fault {
          Issue.record("\(fault), after \(path)")
          return
        }
        if known.insert(next.fingerprint).inserted { reached.append((path, events)) }
      }
    }
    if isLong { print("\(scope.testDescription): \(states) worlds") }
    #expect(states > 50)
  }

  @Test("Random orders", arguments: 0..<rounds(40 as UInt64, least: 6))
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = isLong ? 5 : 3
    let scripts = (0..<count).map { follower in
      (0..<(isLong ? 200 : 12)).map { step -> Edit in
        switch random.number(below: 6) {
        case 0: .moveFirstToEnd
        case 1: .insert(1000 + follower * 1000 + step)
        default: .insert(10_000 * -(follower + 1) - step)
        }
      }
    }
    let world = try World(scripts, faults: isLong ? 200 : 12)
    var path: [World.Event] = []
    while true {
      let events = world.events
      let calm = events.filter { !$0.isFault }
      if calm.isEmpty { break }
      let isCalm = random.number(below: 6) > 0 || calm.count == events.count
      let choice = isCalm ? calm : events
      let event = choice[random.number(below: choice.count)]
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
