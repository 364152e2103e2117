import Diffable
import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

/// Where differences are computed: never on the main executor, whoever consumes the batches and
/// however that task was started.
///
/// `Thread.isMainThread` would prove nothing: where the main actor is served by a queue, its code
/// runs on whichever thread serves the queue. So the proof is that the main actor can run a job
/// while a comparison is under way: the comparison waits for that job.
@Suite(.deadline, .serialized) struct ExecutorTests {
  typealias Probed = DataSourceActor<Int, ProbedID>

  /// Hands a lagging subscriber's batch to `consume`, and checks that the main actor stays free.
  private func expectMainActorFree(
    _ consume: @escaping @Sendable (Probed) async -> UpdateBatch<Int, ProbedID>?
  ) async throws {
    let probe = Probe()
    let source = try Probed(probe.list(0..<20))
    for count in 21..<24 { try await source.apply(probe.list(0..<count)) }
    probe.arm()
    let batch = await consume(source)
    #expect(batch?.base == Revision(1) && batch?.difference.itemInserts.count == 3)
    #expect(probe.wasReached, "nothing was compared, so nothing is proven")
    #expect(probe.mainActorWasFree && probe.comparisonsOnMain == 0)
  }

  @Test func `A consumer on the pool`() async throws {
    try await expectMainActorFree { source in
      var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
      return await batches.next()
    }
  }

  @Test func `A loop on the main actor`() async throws {
    try await expectMainActorFree { source in
      await Task { @MainActor in
        for await batch in source.updates(after: source.token(for: Revision(1))) { return batch }
        return nil
      }.value
    }
  }

  @Test func `An iterator that is asked on the main actor`() async throws {
    try await expectMainActorFree { source in
      await Task { @MainActor in
        var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
        return await batches.next(isolation: MainActor.shared)
      }.value
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func `A task that starts at once on the main actor`() async throws {
    try await expectMainActorFree { source in
      await MainActor.run {
        Task.immediate { @MainActor in
          var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
          return await batches.next()
        }
      }.value
    }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func `A task without isolation that starts at once where main code runs`() async throws {
    try await expectMainActorFree { source in
      // Not isolated, but called on the main executor: the task begins there, without a hop.
      func start() -> Task<UpdateBatch<Int, ProbedID>?, Never> {
        Task.immediate {
          var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
          return await batches.next()
        }
      }
      return await MainActor.run { start() }.value
    }
  }

  @Test func `A task that prefers an executor of the main queue`() async throws {
    try await expectMainActorFree { source in
      await Task(executorPreference: QueueExecutor(.main)) {
        var batches = source.updates(after: source.token(for: Revision(1))).makeAsyncIterator()
        return await batches.next()
      }.value
    }
  }

  @Test func `The difference between two revisions`() async throws {
    let probe = Probe()
    let source = try Probed(probe.list(0..<20))
    for count in 21..<24 { try await source.apply(probe.list(0..<count)) }
    probe.arm()
    let difference = await Task(executorPreference: QueueExecutor(.main)) {
      await source.difference(from: Revision(1), to: Revision(4))
    }.value
    #expect(difference?.itemInserts.count == 3)
    #expect(probe.wasReached && probe.mainActorWasFree)
  }

  @Test func `An apply from the main actor`() async throws {
    let probe = Probe()
    let source = try Probed(probe.list(0..<20))
    probe.arm()
    _ = try await Task { @MainActor in try await source.apply(probe.list(0..<21)) }.value
    #expect(probe.wasReached && probe.mainActorWasFree && probe.comparisonsOnMain == 0)
  }

  @Test func `A difference on the main actor is found`() async throws {
    let probe = Probe(limit: .milliseconds(200))
    let old = try probe.list(0..<20)
    let new = try probe.list(0..<21)
    probe.arm()
    let difference = await MainActor.run { try? new.difference(from: old) }
    #expect(difference?.itemInserts.count == 1)
    #expect(probe.wasReached && !probe.mainActorWasFree && probe.comparisonsOnMain > 0)
  }
}

/// An identifier whose comparisons are watched.
struct ProbedID: Hashable, Sendable {
  let number: Int
  let probe: Probe

  static func == (left: ProbedID, right: ProbedID) -> Bool {
    left.probe.compare()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Watches comparisons: counts those on the main queue, and makes the first one after ``arm()`` wait
/// until the main actor has run a job.
final class Probe: Sendable {
  private struct State {
    var isArmed = false
    var wasReached = false
    var mainActorWasFree = false
    var comparisonsOnMain = 0
  }

  private let state = Lock(State())
  private let limit: DispatchTimeInterval

  init(limit: DispatchTimeInterval = Gate.longest) {
    self.limit = limit
    // The mark of the queue must be there before anything is compared.
    _ = isOnMainQueue
  }

  var wasReached: Bool { state.withLock(\.wasReached) }
  var mainActorWasFree: Bool { state.withLock(\.mainActorWasFree) }
  var comparisonsOnMain: Int { state.withLock(\.comparisonsOnMain) }

  func list(_ numbers: Range<Int>) throws -> Snapshot<Int, ProbedID> {
    var snapshot = Snapshot<Int, ProbedID>()
    snapshot.appendSections([0])
    try snapshot.appendItems(numbers.map { ProbedID(number: $0, probe: self) })
    return snapshot
  }

  func arm() {
    state.withLock { $0.isArmed = true }
  }

  func compare() {
    let isOnMain = isOnMainQueue
    let isFirst = state.withLock { state in
      guard state.isArmed else { return false }
      if isOnMain { state.comparisonsOnMain += 1 }
      defer { state.wasReached = true }
      return !state.wasReached
    }
    guard isFirst else { return }
    let gate = Gate()
    Thread.detachNewThread {
      DispatchQueue.main.async { gate.open() }
    }
    let isFree = gate.pass(limit: limit)
    state.withLock { $0.mainActorWasFree = isFree }
  }
}
