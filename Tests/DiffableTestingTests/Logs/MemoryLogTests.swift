import Diffable
import DiffableSync
import DiffableTesting
import Testing
import TestScope

@Suite("A log in memory, against an array") struct MemoryLogTests {
  private func entry(_ number: Int) -> LogEntry { LogEntry(id: WriteID(), delta: [UInt8(number)]) }

  @Test("any script of appends, readers and states", arguments: 0..<UInt64(rounds(40)))
  func scripts(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let log = MemoryLog()
    let participant = log.participant()
    var (entries, dropped, states) = ([LogEntry](), 0, [StoredState]())
    for step in 0..<60 {
      let comment: Comment = "seed \(seed), step \(step)"
      let end = entries.count
      switch random.number(below: 4) {
      case 0, 1:
        let base = random.chance(oneIn: 3) ? random.number(below: end + 2) : end
        let group = (0...random.number(below: 3)).map { entry(step + $0) }
        let isAppended = try await participant.append(group, after: Revision(base))
        #expect(isAppended == (base == end), comment)
        if isAppended { entries += group }
      case 2:
        let state = StoredState(revision: Revision(random.number(below: end + 1)), reset: [1])
        let through = random.number(below: end + 3) - 1
        try await participant.store(state, droppingEntriesThrough: Revision(through))
        if state.revision > states.last?.revision ?? .empty { states.append(state) }
        dropped = max(dropped, min(through, end))
      default: break
      }
      // It keeps two of them.
      let newest = states.last?.revision ?? .empty
      #expect(try await participant.newestState() == states.last, comment)
      #expect(try await participant.state(before: newest) == states.dropLast().last, comment)
      #expect(try await participant.state(before: newest.next) == states.last, comment)
      if let former = states.dropLast().last {
        #expect(try await participant.state(before: former.revision) == nil, comment)
      }
      #expect(try await participant.isComplete() == (newest.number >= dropped), comment)
      #expect(try await participant.lastRevision() == Revision(entries.count), comment)
      #expect(log.contents.first == Revision(dropped + 1), comment)
      #expect(log.contents.entries == Array(entries[dropped...]), comment)
      for known in 0..<entries.count {
        let page = try await participant.entries(after: Revision(known))
        let expected =
          known < dropped
          ? LogPage.cut : .entries(Array(entries[known...].prefix(64)), after: Revision(known))
        #expect(page == expected, comment)
      }
    }
  }

  @Test("The laws of logs", arguments: RevisionLogLaw.allCases)
  func law(_ law: RevisionLogLaw) async throws {
    let log = MemoryLog()
    try await law.check { log.participant() }
  }

  @Test("An append that arrives twice is made once, and the answer says so")
  func duplicate() async throws {
    let log = MemoryLog()
    let participant = log.participant()
    participant.disturb { $0 == .append ? .duplicate : nil }
    let entries = [entry(1), entry(2)]
    // A refusal would mean to a writer that gives up that nothing was changed.
    #expect(try await participant.append(entries, after: Revision(0)))
    #expect(try await participant.append([entry(3)], after: Revision(1)) == false)
    #expect(log.contents.entries == entries)
  }

  @Test("What is late is carried out once, in the order in which it was sent")
  func late() async throws {
    let log = MemoryLog()
    let participant = log.participant()
    participant.disturb { $0 == .append ? .delay : nil }
    let entries = [entry(1), entry(2)]
    for (index, entry) in entries.enumerated() {
      await #expect(throws: RevisionLogError.self) {
        _ = try await participant.append(entry, after: Revision(index))
      }
    }
    #expect(log.contents.entries.isEmpty)
    participant.deliverLate()
    #expect(log.contents.entries == entries)
    log.loseLast(2)
    participant.deliverLate()
    #expect(log.contents.entries.isEmpty)
  }

  @Test("Each fault carries out a request or not", arguments: MemoryLog.Fault.allCases)
  func faults(_ fault: MemoryLog.Fault) async throws {
    let log = MemoryLog()
    let participant = log.participant()
    participant.disturb { $0 == .append ? fault : nil }
    let answer = try? await participant.append(entry(1), after: .empty)
    #expect(answer == (fault == .duplicate ? true : nil))
    let isMade = [.loseAnswer, .duplicate].contains(fault)
    #expect(log.contents.entries.count == (isMade ? 1 : 0))
  }

  /// Uses a participant when it is released.
  private final class Farewell: Sendable {
    private let participant: MemoryLog.Participant
    init(to participant: MemoryLog.Participant) { self.participant = participant }
    deinit { participant.cut() }
  }

  @Test("What a disturbance holds may use the participant when it is released", .deadline)
  func releases() async throws {
    let participant = MemoryLog().participant()
    for end in [{ $0.heal() }, { $0.disturb { _ in nil } }] as [(MemoryLog.Participant) -> Void] {
      participant.disturb { [farewell = Farewell(to: participant)] _ in
        withExtendedLifetime(farewell) { nil }
      }
      _ = try await participant.epoch()
      end(participant)
      await #expect(throws: RevisionLogError.self) { _ = try await participant.epoch() }
      participant.heal()
    }
  }

  @Test("A reader that waits is woken by an entry, and by being cut off")
  func waiting() async throws {
    let log = MemoryLog()
    let (first, second) = (log.participant(), log.participant())
    // What is known is asked for again before each wait.
    let asked = AsyncStream<Void>.makeStream()
    func read(_ participant: MemoryLog.Participant, after known: Int) -> Task<LogPage?, Never> {
      Task {
        try? await participant.entries {
          asked.continuation.yield()
          return Revision(known)
        }
      }
    }
    var asking = asked.stream.makeAsyncIterator()
    let reading = read(first, after: 0)
    _ = await asking.next()
    let entry = entry(1)
    _ = try await second.append(entry, after: Revision(0))
    #expect(await reading.value == .entries([entry], after: Revision(0)))

    let cut = read(first, after: 1)
    _ = await asking.next()
    for _ in 0..<20 { await Task.yield() }
    first.cut()
    let late = Task {
      for _ in 0..<20_000 { await Task.yield() }
      // Nobody has told it: an entry does, so that the test ends.
      first.heal()
      _ = try? await second.append(self.entry(2), after: Revision(1))
    }
    #expect(await cut.value == nil, "it reads on although it is cut off")
    late.cancel()
    await #expect(throws: RevisionLogError.self) {
      _ = try await first.append(self.entry(3), after: Revision(1))
    }
    first.heal()
  }

  @Test("a reader that is cancelled just before it waits does not wait", .deadline)
  func cancelledBefore() async throws {
    let participant = MemoryLog().participant()
    participant.disturb { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return nil
    }
    for _ in 0..<20 {
      let error = await #expect(throws: RevisionLogError.self) {
        try await ended { try await participant.entries(after: .empty) }
      }
      guard error != nil else { return }
    }
  }
}
