import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

@Suite("Writers that give up while others in their append wait", .deadline)
struct GivenUpWriteTests {
  private let clock = ManualClock()
  private let memory = MemoryLog()

  /// Waits until a condition holds, while the pauses of a source pass.
  private nonisolated(nonsending) func pass(
    until condition: nonisolated(nonsending) () async throws -> Bool
  ) async throws {
    try await wait {
      clock.advance(by: .milliseconds(1))
      return try await condition()
    }
  }

  @Test("After an answer that was lost, a refusal does not say that nothing was changed")
  func doubt() async throws {
    let log = HeldLog(memory)
    var options = ReplicationOptions.quick
    (options.source.clock, options.timeLimit) = (clock, .seconds(1_000))
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    try await replica.update { $0.appendSections(["A"]) }
    log.log.disturb { $0 == .read ? .loseRequest : nil }

    func append(_ item: Int) -> Task<Void, any Error> {
      Task { _ = try await replica.update { try $0.appendItems([item], toSection: "A") } }
    }
    log.will(.wait, .loseAnswer, .refuseInTheEnd)
    let first = append(1)
    try await pass { log.isHeld }
    let impatient = append(2)
    try await wait { await replica.numberOfWaitingWrites == 1 }
    clock.advance(by: .seconds(500))
    let patient = append(3)
    try await wait { await replica.numberOfWaitingWrites == 2 }
    log.release()
    try await first.value
    // The log has both, and the source does not know.
    try await pass { log.isHeld }
    #expect(memory.contents.entries.count == 4)
    clock.advance(by: .seconds(510))
    let error = await #expect(throws: ReplicationError.self) {
      try await ended { try await impatient.value }
    }
    #expect(error?.name == "unknownFate")

    log.log.heal()
    try await pass { await replica.revision == Revision(4) }
    try await ended { try await patient.value }
    #expect(await replica.snapshot.itemIdentifiers == [1, 2, 3])
  }
}

/// A log that does to its appends what a test wants.
private final class HeldLog: ForwardingLog {
  enum Deed {
    /// Waits until it is released.
    case wait
    case loseAnswer
    /// Waits until the task is cancelled, and says that others were faster.
    case refuseInTheEnd
  }

  private struct State {
    var deeds: [Deed] = []
    var held: AsyncStream<Never>.Continuation?
  }

  let log: MemoryLog.Participant
  private let state = Lock(State())

  init(_ log: MemoryLog) { self.log = log.participant() }

  /// Says what happens to the next appends.
  func will(_ deeds: Deed...) { state.withLock { $0.deeds = deeds } }

  /// Whether an append waits.
  var isHeld: Bool { state.withLock { $0.held != nil } }

  /// Lets the append go on that waits.
  func release() {
    let held = state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
    held?.finish()
  }

  private func hold() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    state.withLock { $0.held = continuation }
    for await _ in stream {}
    release()
  }

  func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    let deed = state.withLock { $0.deeds.isEmpty ? nil : $0.deeds.removeFirst() }
    switch deed {
    case nil: break
    case .wait: await hold()
    case .loseAnswer:
      _ = try await log.append(entries, after: revision)
      throw .unavailable(reason: "the answer was lost")
    case .refuseInTheEnd:
      await hold()
      return false
    }
    return try await log.append(entries, after: revision)
  }
}
