import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import DiffableSync

/// A log that says that it has not done what it was asked leaves nobody in doubt.
@Suite("Writes to a log that is locked", .deadline) struct LockedLogTests {
  private let memory = MemoryLog()
  private let log: GatedLog

  init() { log = GatedLog(memory) }

  private func replica(limit: Duration) async throws -> ReplicatedSourceTests.Replica {
    var options = ReplicationOptions.quick
    options.timeLimit = limit
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    return replica
  }

  @Test("When their time is over, nothing was changed, however many share an append")
  func timedOut() async throws {
    let replica = try await replica(limit: .milliseconds(50))
    log.answer { _ in .notDone(reason: "it is locked") }
    let writes = (0..<8).map { number in
      Task { try await replica.update { $0.appendSections(["\(number)"]) } }
    }
    for write in writes {
      let late = await #expect(throws: ReplicationError.self) { try await write.value }
      #expect(late?.name == "timedOut")
    }
    #expect(await replica.revision == .empty)
    #expect(try await memory.participant().lastRevision() == .empty)
  }

  @Test("A write whose task is cancelled has changed nothing")
  func cancelled() async throws {
    let replica = try await replica(limit: .seconds(3_600))
    log.answer { _ in .notDone(reason: "it is locked") }
    let write = Task { try await replica.update { $0.appendSections(["A"]) } }
    try await wait { log.appends.count > 3 }
    log.answer { _ in
      // The answer of a log that notices the cancellation.
      .notDone(reason: "the task was cancelled")
    }
    write.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await write.value }
    #expect(try await memory.participant().lastRevision() == .empty)
  }

  @Test("They are made once it is open again, each once")
  func opened() async throws {
    let replica = try await replica(limit: .seconds(3_600))
    log.answer { _ in .notDone(reason: "it is locked") }
    let writes = (0..<8).map { number in
      Task { try await replica.update { $0.appendSections(["\(number)"]) } }
    }
    try await wait { log.appends.count > 20 }
    log.answer { _ in nil }
    for write in writes { _ = try await write.value }
    #expect(await replica.revision == Revision(8))
    #expect(await replica.snapshot.numberOfSections == 8)
  }

  @Test("No state is read whose revision no log can have", arguments: [-1, Int.min, Int.max])
  func hostileState(_ number: Int) {
    let core = SourceCore<String, Int>(
      SourceOptions(), kernels: Snapshot<String, Int>.makeKernels(), children: nil)
    let list = ReplicatedList<UpdateBatch<String, Int>>(
      core, limits: DeltaLimits(),
      coder: DeltaCoder(encode: { _ in [] }, decode: { _ in throw DeltaError.finished }))
    #expect { try list.check(StoredState(revision: Revision(number), reset: [1])) } throws: {
      if case ReplicationError.unreadableState(_, .misfit) = $0 { true } else { false }
    }
  }
}
