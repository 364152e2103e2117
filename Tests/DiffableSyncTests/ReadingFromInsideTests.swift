import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

/// Code of the user runs inside the functions of a source, and may read the source then.
///
/// A read that meets an exclusive access ends the process, so these tests fail as a whole.
@Suite("A source can be read from inside its changes", .deadline) struct ReadingFromInsideTests {
  typealias Replica = ReplicatedSource<UpdateBatch<String, Int>>
  typealias Mirror = MirrorSource<UpdateBatch<String, Int>>

  /// What a closure that is made before its source reads of it, and how often it has.
  private final class Reader<Source: AnyObject & Sendable>: Sendable {
    private let source = Lock<Source?>(nil)
    private let count = Atomic(0)
    private let look: @Sendable (Source) -> Void

    init(_ look: @escaping @Sendable (Source) -> Void) { self.look = look }

    var reads: Int { count.load(ordering: .relaxed) }

    func watch(_ source: Source) { self.source.withLock { $0 = source } }

    func read() {
      guard let source = source.withLock({ $0 }) else { return }
      look(source)
      count.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private func replica(_ log: MemoryLog, _ reader: Reader<Replica>) async throws -> Replica {
    var options = ReplicationOptions.quick
    options.source.observer = {
      // Subscribers report from their own tasks.
      switch $0 {
      case .changed, .unchanged, .rejected: reader.read()
      default: break
      }
    }
    let replica = try await Replica(
      log.participant(), options: options,
      encode: {
        reader.read()
        return try Array(JSONEncoder().encode($0))
      },
      decode: {
        reader.read()
        return try JSONDecoder().decode(UpdateDelta<String, Int>.self, from: Data($0))
      })
    reader.watch(replica)
    return replica
  }

  @Test("Edits, observers and coders of a replicated source read the confirmed state")
  func replicated() async throws {
    let reader = Reader<Replica> { replica in
      replica.assumeIsolated { replica in
        #expect(replica.snapshot.numberOfItems <= replica.revision.number)
        _ = Replica.element(for: 1, in: replica.snapshot)
      }
    }
    let log = MemoryLog()
    let replica = try await replica(log, reader)
    try await replica.update { draft in
      reader.read()
      draft.appendSections(["A"])
    }
    let other = try await ReplicatedSourceTests.replica(log.participant())
    try await other.reached(Revision(1))
    for item in 1...3 {
      let before = reader.reads
      try await replica.update(named: "\(item)") { draft in
        reader.read()
        try draft.appendItems([item], toSection: "A")
      }
      // The edit, the encoder, and the observer.
      #expect(reader.reads >= before + 3)
    }
    try await replica.undo()
    try await replica.redo()
    try await other.reached(replica.revision)
    let revision = try await other.update { try $0.appendItems([4], toSection: "A") }.revision
    try await replica.reached(revision)
    let snapshot = await replica.snapshot
    try await replica.apply(snapshot)
    try await replica.merge(snapshot, basedOn: revision)
    #expect(await replica.snapshot.itemIdentifiers == [1, 2, 3, 4])
  }

  @Test("Edits and observers of an optimistic source read what is shown, and can request the list")
  func optimistic() async throws {
    let reader = Reader<Replica> { replica in
      replica.assumeIsolated { replica in
        _ = (replica.snapshot, replica.revision)
        // Makes the list, or finds the one that is being made.
        _ = replica.optimistic()
      }
    }
    let log = MemoryLog()
    let replica = try await replica(log, reader)
    try await replica.update { $0.appendSections(["A"]) }
    let list = await replica.optimistic()
    for item in 1...3 {
      let write = try await list.update { draft in
        reader.read()
        try draft.appendItems([item], toSection: "A")
      }
      try #require(await write.outcome.acceptance != nil)
    }
    #expect(await list.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(reader.reads > 6)
  }

  @Test("A replicated source can be finished from inside an edit, which is not made")
  func finishing() async throws {
    let replica = try await ReplicatedSourceTests.replica(MemoryLog().participant())
    let list = await replica.optimistic()
    try await replica.update { draft in
      draft.appendSections(["A"])
      replica.assumeIsolated { $0.finish() }
    }
    await #expect(throws: DataSourceError.finished) {
      try await replica.update { $0.appendSections(["B"]) }
    }
    await #expect(throws: DataSourceError.finished) {
      try await list.update { $0.appendSections(["B"]) }
    }
  }

  @Test(
    "It ends as well if the change of that edit is not made",
    arguments: [DeltaLimits(), DeltaLimits(byteCount: 10)])
  func finishingInVain(limits: DeltaLimits) async throws {
    let log = GatedLog(MemoryLog())
    log.answer { _ in .rejected(reason: "full") }
    var options = ReplicationOptions.quick
    options.limits = limits
    let replica = try await ReplicatedSourceTests.replica(log, options: options)
    let following = Task { for await _ in replica.updates() {} }
    await #expect(throws: ReplicationError.self) {
      try await replica.update { draft in
        draft.appendSections(["A"])
        replica.assumeIsolated { $0.finish() }
      }
    }
    try await ended { await following.value }
    #expect(log.appends.count == (limits.byteCount == 10 ? 0 : 1))
    #expect(await replica.revision == .empty)
  }

  @Test("Decoders and observers of a mirror read its state, and see the token of that state")
  func mirror() async throws {
    let source = try Source(.list([]))
    let reader = Reader<Mirror> { mirror in
      mirror.assumeIsolated { mirror in
        let revision = Revision(mirror.snapshot.numberOfItems + 1)
        #expect(mirror.resumeToken == source.token(for: revision))
        #expect(mirror.resumeToken == mirror.wholeState?.target)
      }
    }
    let mirror = Mirror(
      options: SourceOptions(observer: { if case .changed = $0 { reader.read() } }))
    reader.watch(mirror)
    var batches = source.updates().makeAsyncIterator()
    for item in 1...3 {
      let batch = try #require(await batches.next())
      let text = try JSONEncoder().encode(batch.delta)
      try await mirror.apply(text) {
        if item > 1 { reader.read() }
        return try JSONDecoder().decode(UpdateDelta<String, Int>.self, from: $0)
      }
      try await source.update { try $0.appendItems([item]) }
    }
    #expect(await mirror.snapshot.itemIdentifiers == [1, 2])
    #expect(reader.reads == 5)
  }

  @Test("An observer of a mirror may apply the next delta")
  func mirrorContinued() async throws {
    let source = try Source(.list([]))
    var batches = source.updates().makeAsyncIterator()
    var deltas: [UpdateDelta<String, Int>] = []
    for item in 1...4 {
      deltas.append(try #require(await batches.next()).delta)
      try await source.update { try $0.appendItems([item]) }
    }
    let remaining = Lock(deltas[1...])
    let reader = Reader<Mirror> { mirror in
      guard let next = remaining.withLock({ $0.popFirst() }) else { return }
      mirror.assumeIsolated { mirror in #expect(throws: Never.self) { try mirror.apply(next) } }
    }
    let mirror = Mirror(
      options: SourceOptions(observer: { if case .changed = $0 { reader.read() } }))
    reader.watch(mirror)
    try await mirror.apply(deltas[0])
    #expect(await mirror.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(await mirror.resumeToken == deltas[3].target)
  }

  @Test("A delta that arrives while identifiers are compared is refused")
  func mirrorWhileComparing() async throws {
    typealias Mirror = MirrorSource<UpdateBatch<Int, Prying>>
    let source = DataSourceActor<Int, Prying>()
    var batches = source.updates().makeAsyncIterator()
    let mirror = Mirror()
    try await mirror.apply(try #require(await batches.next()).delta)
    var refused = 0
    for round in 0..<4 {
      try await source.update { list in
        if round == 0 { list.appendSections([0]) }
        try list.appendItems([Prying(2 * round), Prying(2 * round + 1)])
        if round == 2 { list.deleteItems([Prying(0)]) }
      }
      let delta = try #require(await batches.next()).delta
      refused += try await mirror.prying { mirror in
        // It is being applied, or has been.
        #expect(throws: DeltaError.self) { try mirror.apply(delta) }
        _ = (mirror.snapshot, mirror.wholeState)
      } while: {
        try $0.apply(delta)
      }
    }
    #expect(refused > 0)
    #expect(await mirror.snapshot == source.snapshot)
  }

  @Test("A delta that arrives inside an edit of a mirrored list is refused")
  func mirrorWhileEditing() async throws {
    let source = try Source(.list([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    let mirror = Mirror()
    try await mirror.apply(try #require(await batches.next()).delta)
    let list = try await mirror.editable { _ -> ProposalAnswer<UpdateBatch<String, Int>> in
      throw CancellationError()
    }
    try await source.update { try $0.appendItems([3]) }
    let next = try #require(await batches.next()).delta
    let isRefused = Flag()
    try await list.update { draft in
      if !isRefused.isRaised {
        mirror.assumeIsolated { mirror in
          do { try mirror.apply(next) } catch { isRefused.raise() }
        }
      }
      try draft.insertItems([9], beforeItem: 1)
    }
    #expect(isRefused.isRaised)
    #expect(await mirror.snapshot.itemIdentifiers == [1, 2])
    #expect(await mirror.resumeToken == nil)
    #expect(await list.snapshot.itemIdentifiers == [9, 1, 2])
    for await batch in source.updates() {
      try await mirror.apply(batch.delta)
      break
    }
    #expect(await list.snapshot.itemIdentifiers == [9, 1, 2, 3])
  }

  @Test(
    "A mirror can be finished from inside an edit of its list, as it is shown and as it is sent",
    arguments: [1, 2])
  func mirrorFinishing(run: Int) async throws {
    let source = try Source(.list([1, 2]))
    var batches = source.updates().makeAsyncIterator()
    let mirror = Mirror()
    try await mirror.apply(try #require(await batches.next()).delta)
    let runs = Lock(0)
    let failures = Lock(0)
    let isSent = Flag()
    let list = try await mirror.editable { _ -> ProposalAnswer<UpdateBatch<String, Int>> in
      isSent.raise()
      throw CancellationError()
    } decided: { _, outcome in
      if case .failed = outcome { failures.withLock { $0 += 1 } }
    }
    do {
      let write = try await list.update { draft in
        let number = runs.withLock { count in
          count += 1
          return count
        }
        if number == run { mirror.assumeIsolated { $0.finish() } }
        try draft.insertItems([9], beforeItem: 1)
      }
      // It is shown, and finishes the mirror as it is sent.
      guard case .failed = await write.outcome else {
        Issue.record("It has not failed")
        return
      }
      #expect(run == 2)
      try await wait { failures.withLock { $0 } > 0 }
      #expect(failures.withLock { $0 } == 1)
    } catch DataSourceError.finished {
      #expect(run == 1 && failures.withLock { $0 } == 0)
      #expect(await list.snapshot.itemIdentifiers == [1, 2])
      #expect(await list.undecided.isEmpty)
    }
    #expect(!isSent.isRaised)
  }

  @Test("Identifiers read their source while it compares, hashes and releases them")
  func identifiers() async throws {
    let source = DataSourceActor<Int, Prying>(options: SourceOptions(history: 1))
    var reads = 0
    for round in 0..<6 {
      reads += try await source.prying { source in
        #expect(source.snapshot.numberOfItems <= 12 && source.revision.number <= round + 1)
        _ = (source.metrics, source.debugDescription, source.childrenError(of: Prying(1)))
      } while: { source in
        let list = Snapshot<Int, Prying>(
          sections: [0], items: [(round..<round + 12).map(Prying.init)])
        try source.apply(list)
      }
    }
    reads += try await source.prying { source in
      _ = (source.snapshot, source.revision)
    } while: { source in
      try source.update(named: "move") { try $0.moveItem(Prying(5), afterItem: Prying(9)) }
      try source.undo()
      try source.redo()
      try source.merge(source.snapshot, basedOn: source.revision)
    }
    #expect(reads > 0)
  }
}

/// An identifier whose comparison, hash and release run a function, while a task wants that.
final class Prying: Hashable, Sendable, CustomStringConvertible {
  @TaskLocal fileprivate static var look: (@Sendable () -> Void)?

  let number: Int

  init(_ number: Int) { self.number = number }

  deinit { Self.look?() }

  static func == (left: Prying, right: Prying) -> Bool {
    look?()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    Self.look?()
    hasher.combine(number)
  }

  var description: String { "\(number)" }
}

extension Actor {
  /// Runs something on the actor, whose identifiers look at it meanwhile.
  ///
  /// - Returns: How often they have.
  func prying(
    _ look: @escaping @Sendable (isolated Self) -> Void,
    while body: @Sendable (isolated Self) throws -> Void
  ) throws -> Int {
    let count = Box()
    let read: @Sendable () -> Void = { [self] in
      count.value.wrappingAdd(1, ordering: .relaxed)
      // What it does compares identifiers again.
      Prying.$look.withValue(nil) { assumeIsolated { look($0) } }
    }
    try Prying.$look.withValue(read) { try body(self) }
    return count.value.load(ordering: .relaxed)
  }
}

private final class Box: Sendable { let value = Atomic(0) }
