import ListSupport
import Synchronization
import TestScope
import Testing

@testable import Diffable

extension Source {
  /// Performs a snapshot before the thread that has enqueued it has answered the one that it has superseded.
  fileprivate func perform(_ newer: List, insteadOf older: List) {
    func write(_ list: List) -> QueuedWrite<String, Int> {
      QueuedWrite(weight: 1, presentation: .animated) { _ in .init(list) }
    }
    core.perform(.init(write: write(newer), superseded: .init(write(older), after: nil)))
  }
}

/// What a source tells about itself.
@Suite(.deadline) struct ObservingTests {
  /// Collects events.
  private final class Log: Sendable {
    private let events = Lock<[DataSourceEvent]>([])
    var all: [DataSourceEvent] { events.withLock { $0 } }
    func add(_ event: DataSourceEvent) { events.withLock { $0.append(event) } }
  }

  @Test func `Metrics count what happens`() async throws {
    let clock = ManualClock()
    let source = Source(options: SourceOptions(clock: clock))
    var batches = await source.changes()
    for last in 1...3 { try await source.apply(.list(0..<last)) }
    try await source.apply(.list(0..<3))
    _ = try? await source.apply(.duplicates())
    try await source.update { _ in clock.advance(by: .seconds(2)) }
    try await source.update { snapshot in
      clock.advance(by: .seconds(3))
      snapshot.deleteItems([0])
    }
    _ = await batches.next()
    let metrics = source.metrics
    #expect(metrics.changed == 4 && metrics.unchanged == 2 && metrics.rejected == 1)
    #expect(metrics.superseded == 0 && metrics.coalesced == 3)
    #expect(metrics.batches.count == 2 && metrics.batches.largest == 1)
    #expect(metrics.writingTime.count == 4 && metrics.writingTime.sum == .seconds(3))
    #expect(metrics.subscribers == 1 && metrics.waitingSubscribers == 0)
    #expect(metrics.description.contains("changed 4, unchanged 2, rejected 1, coalesced 3"))
    // The largest of all are not the last ones.
    try await source.update { snapshot in
      clock.advance(by: .seconds(1))
      try snapshot.appendItems([7, 8])
    }
    _ = await batches.next()
    try await source.update { $0.deleteItems([7]) }
    _ = await batches.next()
    let all = source.metrics
    #expect(all.writingTime.sum == .seconds(4) && all.writingTime.largest == .seconds(3))
    #expect(all.batches.count == 4 && all.batches.sum == 4 && all.batches.largest == 2)
    #expect(
      all.description == "changed 6, unchanged 2, rejected 1, coalesced 3, batches 4 (largest 2), "
        + "writing \(Duration.seconds(4)) (longest \(Duration.seconds(3))), "
        + "subscribers 1 (0 waiting)")
  }

  @Test func `An observer is told of everything, in order`() async throws {
    let log = Log()
    let clock = ManualClock()
    let source = Source(options: SourceOptions(clock: clock, observer: log.add))
    var stream: AsyncStream<UpdateBatch<String, Int>>? = source.updates()
    var batches = stream?.makeAsyncIterator()
    try await source.update(named: "Fill") { snapshot in
      clock.advance(by: .seconds(1))
      snapshot.appendSections(["list"])
    }
    _ = await batches?.next()
    try await source.apply(source.snapshot)
    _ = try? await source.apply(.duplicates())
    try await source.undo()
    _ = await batches?.next()
    stream = nil
    batches = nil
    _ = stream
    await source.finish()
    await source.finish()
    let rejected = log.all.filter { if case .rejected = $0 { true } else { false } }
    #expect(rejected.count == 1)
    #expect(
      log.all.filter { !rejected.contains($0) } == [
        .subscribed(.coalesced),
        .changed(revision: Revision(1), name: "Fill", changeCount: 1, duration: .seconds(1)),
        .delivered(base: nil, target: Revision(1), changeCount: 0),
        .unchanged(revision: Revision(1)),
        .changed(revision: Revision(2), name: "Fill", changeCount: 1, duration: .zero),
        .delivered(base: Revision(1), target: Revision(2), changeCount: 1),
        .unsubscribed,
        .finished,
      ])
  }

  /// Writes that are refused, in every way to write.
  private static let refusals: [@Sendable (Source) async throws -> Void] = [
    { try await $0.apply(.duplicates()) },
    { try await $0.apply(.list([2]), ifRevision: Revision(99)) },
    { try await $0.update { try $0.appendItems([1]) } },
    { try await $0.updateOrder { try $0.appendItems([1]) } },
    { try await $0.merge(.duplicates(), basedOn: Revision(1)) },
    { try await $0.merge(.list([2]), basedOn: Revision(99)) },
    { try await $0.revert($0.reader.hub.change(Revision(99), named: nil)) },
    { source in
      let outcome = try await source.enqueue(.duplicates()).outcome
      if case .rejected(let error) = outcome { throw error }
    },
    { source in
      await source.finish()
      try await source.undo()
    },
    { source in
      await source.finish()
      let outcome = try await source.enqueue(.list([2])).outcome
      if case .rejected(let error) = outcome { throw error }
    },
  ]

  @Test(arguments: refusals.indices)
  func `What is refused is told once, with the error that its writer gets`(way: Int) async throws {
    let log = Log()
    let source = try Source(.list([1]), options: SourceOptions(observer: log.add))
    let error = await #expect(throws: DataSourceError.self) { try await Self.refusals[way](source) }
    let told = log.all.filter { $0 != .finished }
    #expect(told == error.map { [.rejected($0)] } && source.metrics.rejected == 1)
  }

  @Test func `An observer may use the source`() async throws {
    let holder = Lock<Source?>(nil)
    let options = SourceOptions { event in
      guard case .changed(let revision, _, _, _) = event, revision < Revision(5),
        let source = holder.withLock({ $0 })
      else { return }
      // Events of writes come from the actor, outside of the write.
      source.assumeIsolated { source in
        _ = try? source.apply(.list(0...revision.number))
      }
    }
    let source = Source(options: options)
    holder.withLock { $0 = source }
    let write = try await source.apply(.list([0]))
    #expect(write.revision == Revision(1) && write.change?.revision == Revision(1))
    #expect(await source.revision == Revision(5))
    #expect(try await source.snapshot == .list(0...4))
    holder.withLock { $0 = nil }
  }

  @Test func `It may do so too when it is told late of a superseded snapshot`() async throws {
    let holder = Lock<Source?>(nil)
    let options = SourceOptions { event in
      guard case .superseded = event, let source = holder.withLock({ $0 }) else { return }
      source.assumeIsolated { source in _ = try? source.apply(.list([9])) }
    }
    let source = Source(options: options)
    holder.withLock { $0 = source }
    try await source.perform(.list([2]), insteadOf: .list([1]))
    #expect(source.metrics.superseded == 1 && source.metrics.rejected == 0)
    #expect(await source.revision == Revision(2))
    #expect(try await source.snapshot == .list([9]))
    holder.withLock { $0 = nil }
  }

  @Test func `The description shows the state on one screen`() async throws {
    let source = Source()
    try await source.update(named: "Fill") { snapshot in
      for section in 0..<100 {
        snapshot.appendSections(["section \(section)"])
        try snapshot.appendItems(section * 100..<section * 100 + 100)
      }
    }
    let streams = (0..<20).map { _ in source.updates() }
    var batches = streams[0].makeAsyncIterator()
    _ = await batches.next()
    try await source.update { $0.deleteItems([0]) }
    let text = source.debugDescription
    #expect(text.split(separator: "\n").count <= 24)
    for part in [
      "r2, history from r0", "undo named: r1 “Fill”", "9999 items in 100 sections",
      "  section 1[100 101 102 103 104 105 106 107 … 92 more]", "  … 90 more",
      "subscriber: coalesced, at r1, 1 behind", "… 15 more subscribers", "changed 2",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    withExtendedLifetime(streams) {}
  }

  @Test func `The description says who waits, what can be made again, and the end`() async throws {
    let source = Source(options: SourceOptions(history: 1))
    try await source.update(named: "Fill") { snapshot in
      snapshot.appendSections(["list"])
      try snapshot.appendItems([1])
    }
    #expect(source.debugDescription.contains("1 item in 1 section\n"))
    #expect(source.debugDescription.contains("r1, history from r0, undo: r1 “Fill”"))
    try await source.undo()
    let idle = source.updates(.every(limit: 3))
    let stream = source.updates()
    let reader = Task { for await _ in stream {} }
    try await wait { source.metrics.waitingSubscribers == 1 }
    let text = source.debugDescription
    for part in [
      "r2, history from r1, redo: r2 “Fill”, redo named: r2 “Fill”\n", "0 items in 0 sections\n",
      "subscriber: every(limit: 3), not started\n", "subscriber: coalesced, at r2, waiting\n",
      "subscribers 2 (1 waiting)",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    await source.finish()
    await reader.value
    #expect(source.debugDescription.contains("r2, finished, history from r1"))
    #expect(source.metrics.waitingSubscribers == 0 && source.metrics.subscribers == 1)
    withExtendedLifetime(idle) {}
  }
}
