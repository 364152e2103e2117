import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

@Suite("When loads that failed are tried again") struct PageRetryTests {
  private typealias Machine = PageMachine<PagedRow, Int>
  private struct Failure: Error {}

  /// Delays count the failures since the last success, whatever comes in between.
  @Test("Successes and failures in any order", arguments: 0..<UInt64(rounds(80)))
  func delays(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let delays: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    var machine = Machine(options: PageOptions(pageSize: 2, retryDelays: delays))
    var failures: [PageLoad: Int] = [:]
    var timers: Set<Int> = []
    func note(_ actions: Machine.Actions) {
      timers.subtract(actions.ended)
      timers.formUnion(actions.delayed.map(\.number))
    }
    for step in 0..<60 {
      let comment: Comment = "seed \(seed), step \(step)"
      switch random.number(below: 4) {
      case 0: note(machine.refresh(shown: []))
      case 1: note(machine.load(random.chance(oneIn: 2) ? .start : .end))
      default:
        guard let (load, number) = machine.running.min(by: { $0.value < $1.value }) else {
          continue
        }
        if random.chance(oneIn: 2) {
          let actions = machine.refuse(number, Failure())
          let count = failures[load, default: 0]
          #expect(actions.delayed.map(\.delay) == Array(delays.dropFirst(count).prefix(1)), comment)
          failures[load] = count + 1
          note(actions)
        } else {
          let rows = [PagedRow(id: step * 2), PagedRow(id: step * 2 + 1)]
          let (arrival, actions) = machine.receive(Page(rows, previous: 0, next: 9), of: number)
          note(actions)
          guard let arrival else { continue }
          note(machine.commit(arrival, PageOutcome()))
          failures[load] = nil
          // A refresh begins everything again.
          if load == .refresh { failures = [:] }
        }
      }
      // A timer is for a load that has failed, and ends with what makes it needless.
      #expect(Set(machine.timers.values) == timers, comment)
      for load in machine.timers.keys { #expect(machine.states[load].error != nil, comment) }
    }
  }

  @Test("After a cancel nothing that is shown is loaded, until somebody wants something again")
  func paused() {
    let near = EndPair(start: false, end: true)
    let wishes: [(String, (inout Machine) -> Machine.Actions)] = [
      ("a retry", { $0.retry(shown: []) }),
      ("rows that are shown", { $0.show(near: near, areOthers: false) }),
      ("a load at the other end", { $0.load(.start) }),
    ]
    for (wish, express) in wishes {
      var machine = Machine(options: PageOptions(pageSize: 2))
      guard let first = machine.refresh(shown: []).started.first else {
        Issue.record("No page is requested")
        return
      }
      let page = Page<PagedRow, Int>([PagedRow(id: 0), PagedRow(id: 1)], next: 9)
      if let arrival = machine.receive(page, of: first.number).arrival {
        _ = machine.commit(arrival, PageOutcome())
      }
      _ = machine.cancel()
      #expect(machine.follow(near).isEmpty)
      let loads = express(&machine).started.count + machine.follow(near).started.count
      #expect(loads == 1, "\(wish)")
    }
  }
}
