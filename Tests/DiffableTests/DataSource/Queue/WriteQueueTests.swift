import DiffableTesting
import Testing

@testable import Diffable

/// The queue in every order that its operations can come in.
///
/// Each operation is decided by one atomic exchange, so orders of whole operations are all there are.
@Suite struct WriteQueueTests {
  private final class Write: Supersedable {
    let number: Int
    let isToBeHeeded: Bool
    let superseded = Superseded<Write>()

    init(_ number: Int, isToBeHeeded: Bool = false) {
      (self.number, self.isToBeHeeded) = (number, isToBeHeeded)
    }

    /// The numbers of the writes that ask for something.
    func requests(after older: [Int]?) -> [Int] {
      (older ?? []) + (isToBeHeeded ? [number] : [])
    }
  }

  private enum Step {
    case put
    /// A write that asks for something that a newer one must not lose.
    case putHeeded
    /// The end of a put, which finds out what the superseded write asks for.
    case settle(Write)
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
    /// Whether the task that drains has found nothing, and is about to end.
    var isEnding = false
    var puts = 0
    var outcomes: [Int: String] = [:]
    var performed: [Int] = []
    var heeded: [Int] = []
    var toHeed: [Int] = []
    var isClosed = false
    var faults: [String] = []

    /// The processes that can take a step: the programs, then the draining tasks.
    var enabled: [Int] {
      programs.indices.filter { !programs[$0].isEmpty } + (drains > 0 ? [programs.count] : [])
    }

    mutating func step(_ process: Int) {
      guard process < programs.count else { return drain() }
      switch programs[process].removeFirst() {
      case .put: put(Write(puts), process)
      case .putHeeded: put(Write(puts, isToBeHeeded: true), process)
      case .settle(let write):
        if let older = write.superseded.settle() { answer(older, "superseded") }
      case .take: perform(queue.take())
      case .close:
        isClosed = true
        perform(queue.close())
      }
    }

    private mutating func put(_ write: Write, _ process: Int) {
      puts += 1
      if write.isToBeHeeded { toHeed.append(write.number) }
      switch queue.put(write) {
      case .waitsForDrain:
        drains += 1
      case .waits(insteadOf: let older):
        if drains == 0 { faults.append("\(write.number) waits for a drain that nobody starts") }
        if let older { answer(older, "superseded") }
      case .waitsToSettle:
        if drains == 0 { faults.append("\(write.number) waits for a drain that nobody starts") }
        programs[process].insert(.settle(write), at: 0)
      case .isClosed:
        toHeed.removeAll { $0 == write.number }
        if !isClosed { faults.append("\(write.number) is refused by an open queue") }
        answer(write, "refused")
      }
    }

    private mutating func drain() {
      if isEnding {
        isEnding = false
        if queue.endDraining() { drains -= 1 }
      } else if let write = queue.take() {
        perform(write)
      } else {
        isEnding = true
      }
    }

    private mutating func perform(_ write: Write?) {
      guard let write else { return }
      if let older = write.superseded.settle() { answer(older, "superseded") }
      heeded += write.requests(after: write.superseded.requests)
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
      // In the order of the puts, and each once.
      if heeded != toHeed { faults.append("\(heeded) of \(toHeed) are heeded") }
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

  @Test func `Whatever comes in between, what a write asks for is done once`() {
    #expect(explore([[.putHeeded, .put], [.put], [.take]]) > 100)
    #expect(explore([[.putHeeded, .put], [.putHeeded], [.take]]) > 100)
    #expect(explore([[.putHeeded, .putHeeded], [.put], [.close]]) > 100)
    #expect(explore([[.putHeeded, .put, .put], [.take, .take]]) > 30)
  }

  @Test func `A write that was superseded is released`() {
    weak var older: Write?
    let queue = WriteQueue<Write>()
    do {
      let write = Write(0, isToBeHeeded: true)
      older = write
      _ = queue.put(write)
    }
    let newer = Write(1)
    guard case .waitsToSettle = queue.put(newer) else { return #expect(Bool(false)) }
    #expect(older != nil)
    #expect(newer.superseded.settle()?.number == 0)
    #expect(older == nil && newer.superseded.settle() == nil)
    #expect(newer.superseded.requests == [0])
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
