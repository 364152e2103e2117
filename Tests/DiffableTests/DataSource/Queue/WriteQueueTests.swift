import DiffableTesting
import Testing

@testable import Diffable

/// The queue in every order that its operations can come in.
///
/// Each operation takes the lock once, so orders of whole operations are all there are.
@Suite struct WriteQueueTests {
  private typealias Queue = WriteQueue<Int, Int>
  private typealias Write = QueuedWrite<Int, Int>

  /// A write with a number; what it asks for is one list of models, which has that number too.
  private static func write(_ number: Int, asksForMore: Bool = false) -> Write {
    Write(
      weight: number, presentation: .animated,
      models: asksForMore ? .some(Write.GivenModels(count: number) { _ in }) : .none
    ) { _ in .init(Snapshot()) }
  }

  private enum Step {
    case put
    /// A write that asks for something that a newer one must not lose.
    case putAsking
    /// The end of a put, which finds out what the superseded write asks for.
    case settle(Queue.Superseded)
    /// What a writer does that comes in between.
    case take
    case close
  }

  /// A queue with those who use it, and what has become of each write.
  private struct World {
    let queue = Queue()
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
      case .put: put(WriteQueueTests.write(puts), process)
      case .putAsking: put(WriteQueueTests.write(puts, asksForMore: true), process)
      case .settle(let superseded):
        if let older = superseded.settle() { answer(older, "superseded") }
      case .take: perform(queue.take())
      case .close:
        isClosed = true
        perform(queue.close())
      }
    }

    private mutating func put(_ write: Write, _ process: Int) {
      puts += 1
      if write.asksForMore { toHeed.append(write.weight) }
      switch queue.put(write) {
      case .waitsForDrain:
        drains += 1
      case .waits(insteadOf: let older):
        if drains == 0 { faults.append("\(write.weight) waits for a drain that nobody starts") }
        if let older { answer(older, "superseded") }
      case .waitsToSettle(let superseded):
        if drains == 0 { faults.append("\(write.weight) waits for a drain that nobody starts") }
        programs[process].insert(.settle(superseded), at: 0)
      case .isClosed:
        toHeed.removeAll { $0 == write.weight }
        if !isClosed { faults.append("\(write.weight) is refused by an open queue") }
        answer(write, "refused")
      }
    }

    private mutating func drain() {
      if isEnding {
        isEnding = false
        if queue.endDraining() { drains -= 1 }
      } else if let waiting = queue.take() {
        perform(waiting)
      } else {
        isEnding = true
      }
    }

    private mutating func perform(_ waiting: Queue.Waiting?) {
      guard let waiting else { return }
      let (write, superseded) = (waiting.write, waiting.superseded)
      if let older = superseded?.settle() { answer(older, "superseded") }
      heeded += write.requests(after: superseded?.requests).models.map(\.count)
      answer(write, "performed")
      if let last = performed.last, last > write.weight {
        faults.append("\(write.weight) comes after \(last)")
      }
      performed.append(write.weight)
    }

    private mutating func answer(_ write: Write, _ outcome: String) {
      if let known = outcomes.updateValue(outcome, forKey: write.weight) {
        faults.append("\(write.weight) is \(known) and \(outcome)")
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
    #expect(explore([[.putAsking, .put], [.put], [.take]]) > 100)
    #expect(explore([[.putAsking, .put], [.putAsking], [.take]]) > 100)
    #expect(explore([[.putAsking, .putAsking], [.put], [.close]]) > 100)
    #expect(explore([[.putAsking, .put, .put], [.take, .take]]) > 30)
  }

  @Test func `A write that was superseded is released`() {
    weak var older: Write?
    let queue = Queue()
    do {
      let write = Self.write(0, asksForMore: true)
      older = write
      _ = queue.put(write)
    }
    guard case .waitsToSettle(let superseded) = queue.put(Self.write(1)) else {
      return #expect(Bool(false))
    }
    #expect(older != nil)
    #expect(superseded.settle()?.weight == 0)
    #expect(older == nil && superseded.settle() == nil)
    #expect(superseded.requests.models.map(\.count) == [0])
  }

  @Test func `A queue that goes releases what waits`() {
    weak var waiting: Write?
    do {
      let queue = Queue()
      let write = Self.write(0)
      waiting = write
      _ = queue.put(write)
    }
    #expect(waiting == nil)
  }
}
