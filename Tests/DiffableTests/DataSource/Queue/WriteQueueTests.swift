import DiffableTesting
import Testing

@testable import Diffable

/// The queue in every order that its operations can come in.
///
/// Each operation is decided by one atomic exchange, so orders of whole operations are all there are.
@Suite struct WriteQueueTests {
  private final class Write: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private enum Step {
    case put
    /// What a writer does that comes in between.
    case take
    case close
  }

  /// A queue with those who use it, and what has become of each write.
  private struct World {
    let queue = WriteQueue<Write>()
    var programs: [[Step]]
    /// Tasks that drain the queue and have not ended.
    var drains = 0
    var puts = 0
    var outcomes: [Int: String] = [:]
    var performed: [Int] = []
    var isClosed = false
    var faults: [String] = []

    /// The processes that can take a step: the programs, then the draining tasks.
    var enabled: [Int] {
      programs.indices.filter { !programs[$0].isEmpty } + (drains > 0 ? [programs.count] : [])
    }

    mutating func step(_ process: Int) {
      guard process < programs.count else { return drain() }
      switch programs[process].removeFirst() {
      case .put: put()
      case .take: perform(queue.take())
      case .close:
        isClosed = true
        perform(queue.close())
      }
    }

    private mutating func put() {
      let write = Write(puts)
      puts += 1
      switch queue.put(write) {
      case .waitsForDrain:
        drains += 1
      case .waits(insteadOf: let older):
        if drains == 0 { faults.append("\(write.number) waits for a drain that nobody starts") }
        if let older { answer(older, "superseded") }
      case .isClosed:
        if !isClosed { faults.append("\(write.number) is refused by an open queue") }
        answer(write, "refused")
      }
    }

    private mutating func drain() {
      if let write = queue.take() {
        perform(write)
      } else if queue.endDraining() {
        drains -= 1
      }
    }

    private mutating func perform(_ write: Write?) {
      guard let write else { return }
      answer(write, "performed")
      if let last = performed.last, last > write.number {
        faults.append("\(write.number) comes after \(last)")
      }
      performed.append(write.number)
    }

    private mutating func answer(_ write: Write, _ outcome: String) {
      if let known = outcomes.updateValue(outcome, forKey: write.number) {
        faults.append("\(write.number) is \(known) and \(outcome)")
      }
    }

    mutating func checkAtRest() {
      if outcomes.count != puts { faults.append("\(outcomes) leaves one of \(puts) unanswered") }
      let accepted = (0..<puts).last { outcomes[$0] != "refused" }
      if performed.last != accepted { faults.append("the last one is lost: \(outcomes)") }
      if drains > 1 { faults.append("\(drains) tasks drain") }
    }
  }

  /// Runs every order; a queue cannot be copied, so each order runs from the beginning.
  private func explore(_ programs: [[Step]]) -> Int {
    var runs = 0
    var schedules: [[Int]] = [[]]
    while let schedule = schedules.popLast() {
      var world = World(programs: programs)
      for process in schedule { world.step(process) }
      if world.drains > 1 { world.faults.append("\(world.drains) tasks drain") }
      let enabled = world.faults.isEmpty ? world.enabled : []
      guard enabled.isEmpty else {
        schedules += enabled.map { schedule + [$0] }
        continue
      }
      runs += 1
      if world.faults.isEmpty { world.checkAtRest() }
      guard world.faults.isEmpty else {
        Issue.record("after \(schedule): \(world.faults)")
        return runs
      }
    }
    return runs
  }

  @Test func `Every order of puts, other writers and drains answers every write once`() {
    #expect(explore([[.put, .put], [.put], [.take]]) > 100)
    #expect(explore([[.put, .take], [.put, .take]]) > 30)
  }

  @Test func `Every order with an end answers every write once`() {
    #expect(explore([[.put, .put], [.put], [.close]]) > 100)
    #expect(explore([[.put, .take, .put], [.close]]) > 15)
  }

  @Test func `A queue that goes releases what waits`() {
    weak var waiting: Write?
    do {
      let queue = WriteQueue<Write>()
      let write = Write(0)
      waiting = write
      _ = queue.put(write)
    }
    #expect(waiting == nil)
  }
}
