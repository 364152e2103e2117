import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

@Suite("What is loaded without being asked for: what is shown, and what has failed")
struct PagePatienceTests {
  private typealias Machine = PageMachine<PagedRow, Int>
  private struct Failure: Error {}

  /// After so many pages without new rows nothing is loaded, until somebody asks or scrolls on.
  @Test("Pages with and without new rows, and a renderer, in any order", arguments: [1, 3, 12])
  func patience(oneFruitfulIn: Int) throws {
    for seed in 0..<UInt64(rounds(80)) {
      var random = SplitMix64(seed: seed)
      var machine = Machine(options: PageOptions(pageSize: 2))
      let first = machine.refresh(shown: [])
      let number = try #require(first.started.first?.number)
      _ = try commit([PagedRow(id: 0)], of: number, PageOutcome(), &machine)
      var (fruitless, isPaused, near) = (0, false, EndPair.neither)
      var failed: Set<PageEnd> = []
      for step in 1..<80 {
        let before = machine.running
        func idleEnds() -> Set<PageEnd> {
          guard fruitless < Machine.patience, !isPaused else { return [] }
          return Set(PageEnd.allCases.filter { near[$0] && before[PageLoad($0)] == nil })
            .subtracting(failed)
        }
        var expected: Set<PageEnd>
        switch random.number(below: 8) {
        case 0:
          let areOthers = random.chance(oneIn: 4)
          near = EndPair(start: random.chance(oneIn: 2), end: random.chance(oneIn: 2))
          (isPaused, fruitless) = (false, areOthers ? 0 : fruitless)
          expected = idleEnds()
          _ = machine.show(near: near, areOthers: areOthers)
        case 1 where random.chance(oneIn: 4):
          let end = random.chance(oneIn: 2) ? PageEnd.start : .end
          expected = before[PageLoad(end)] == nil ? [end] : []
          isPaused = false
          failed.remove(end)
          _ = machine.load(end)
        case 2 where random.chance(oneIn: 4):
          (expected, isPaused) = ([], true)
          _ = machine.cancel()
        case 3 where random.chance(oneIn: 2):
          (expected, isPaused, failed) = (failed, false, [])
          _ = machine.retry(shown: [])
        case 4:
          guard let (load, number) = before.min(by: { $0.value < $1.value }), let end = load.end
          else { continue }
          failed.insert(end)
          expected = idleEnds()
          _ = machine.refuse(number, Failure())
          // A loader does so, since a refresh may have failed.
          _ = machine.follow(near)
        default:
          guard let (load, number) = before.min(by: { $0.value < $1.value }), let end = load.end
          else { continue }
          var outcome = PageOutcome<PagedRow>()
          outcome.isFruitful = random.chance(oneIn: oneFruitfulIn)
          outcome.near = near
          fruitless = outcome.isFruitful ? 0 : fruitless + 1
          expected = idleEnds()
          // The page that has come is no load any more.
          if near[end], fruitless < Machine.patience { expected.insert(end) }
          let rows = outcome.isFruitful ? [PagedRow(id: step)] : []
          let shown = try commit(rows, of: number, outcome, &machine)
          for end in PageEnd.allCases {
            #expect(
              shown[end].isLoading == (machine.running[PageLoad(end)] != nil),
              "seed \(seed), step \(step): rows show the \(end) as \(shown[end])")
          }
        }
        let begun = Set(
          PageEnd.allCases.filter {
            machine.running[PageLoad($0)].map { !before.values.contains($0) } ?? false
          })
        #expect(begun == expected, "seed \(seed), step \(step), after \(fruitless) without rows")
      }
    }
  }

  /// Lets a page arrive.
  ///
  /// - Returns: The states that are shown with it.
  private func commit(
    _ rows: [PagedRow], of number: Int, _ outcome: PageOutcome<PagedRow>, _ machine: inout Machine
  ) throws -> PageLoadStates {
    let (found, _) = machine.receive(Page(rows, previous: 0, next: 0), of: number)
    let arrival = try #require(found)
    let shown = machine.states(after: arrival, outcome)
    _ = machine.commit(arrival, outcome)
    return shown
  }

  /// Delays count the failures since the last success, whatever comes in between.
  @Test(
    "Failed loads are tried again, after successes and failures in any order",
    arguments: 0..<UInt64(rounds(80)))
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
      (
        "a refresh, also if it fails",
        { machine in
          let refresh = machine.refresh(shown: []).started.first
          if let refresh { _ = machine.refuse(refresh.number, Failure()) }
          return Machine.Actions()
        }
      ),
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

  @Test("A page that was requested and has come is not requested again after a refresh")
  func wantedOnce() throws {
    var machine = Machine(options: PageOptions(pageSize: 2))
    func arrive(_ rows: ClosedRange<Int>, _ load: PageLoad, isNear: Bool = false) throws {
      var outcome = PageOutcome<PagedRow>()
      outcome.near.end = isNear
      let number = try #require(machine.running[load])
      _ = try commit(rows.map { PagedRow(id: $0) }, of: number, outcome, &machine)
    }
    _ = machine.refresh(shown: [])
    try arrive(0...0, .refresh)
    _ = machine.load(.end)
    // What is shown is near to the end still, so the next page is loaded as well.
    try arrive(1...1, .end, isNear: true)
    #expect(machine.states.end.isLoading)
    // The refresh cancels that, and what is shown then is not near.
    _ = machine.refresh(shown: [])
    try arrive(0...1, .refresh)
    #expect(machine.running.isEmpty && machine.states.end.isIdle)
  }
}
