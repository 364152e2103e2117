import Diffable
import Foundation
import ListSupport
import Synchronization
import Testing
import TestScope

/// Snapshots that are handed over without waiting.
@Suite(.deadline, .serialized) struct QueueTests {
  @Test func `A ticket tells what became of its snapshot`() async throws {
    let source = Source()
    let ticket = try source.enqueue(.list([1]))
    for _ in 0..<2 { #expect(await ticket.outcome == .applied(Revision(1))) }
    #expect(try await source.enqueue(.list([1])).outcome == .unchanged)
    let refused = try await source.enqueue(.duplicates()).outcome
    guard case .rejected(.invalidSnapshot(.duplicateItems)) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `Every other write comes after what was enqueued before it`() async throws {
    let source = try Source(.list([0]))
    for round in 1...500 {
      let ticket = try source.enqueue(.list([-round]))
      switch round % 5 {
      case 0: try await source.apply(.list([round]))
      case 1: try await source.update { try $0.replaceItems(inSection: "list", with: [round]) }
      case 2:
        let revision = await source.revision
        try await source.merge(.list([round]), basedOn: revision)
      case 3:
        let undone = try #require(try await source.undo())
        #expect(undone.initialSnapshot == (try .list([-round])))
      default:
        await #expect(throws: DataSourceError.self) {
          try await source.apply(.list([round]), ifRevision: .empty)
        }
        #expect(try await source.snapshot == .list([-round]))
      }
      #expect(await ticket.outcome != .superseded)
      if round % 5 < 2 { #expect(try await source.snapshot == .list([round])) }
    }
  }

  @Test func `What is enqueued before the end is applied, what comes later rejected`() async throws
  {
    let source = Source()
    let before = try source.enqueue(.list([1]))
    await source.finish()
    let after = try source.enqueue(.list([2]))
    #expect(await before.outcome == .applied(Revision(1)))
    #expect(await after.outcome == .rejected(.finished))
    #expect(try await source.snapshot == .list([1]))
  }

  @Test func `A source that its owner drops still applies what is enqueued`() async throws {
    var source: Source? = Source()
    let batches = try #require(source).updates()
    let ticket = try #require(try source?.enqueue(.list([1])))
    source = nil
    #expect(await ticket.outcome == .applied(Revision(1)))
    var last: List?
    for await batch in batches { last = batch.snapshot }
    #expect(try last == .list([1]))
  }

  @Test func `A cancelled task enqueues all the same`() async throws {
    let source = Source()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await source.enqueue(.list([1])).outcome
    }
    #expect(try await task.value == .applied(Revision(1)))
  }

  /// Items that are counted while they are alive.
  private final class Counted: Hashable, Sendable {
    static let alive = Atomic<Int>(0)
    static let most = Atomic<Int>(0)
    let number: Int

    init(_ number: Int) {
      self.number = number
      let alive = Self.alive.wrappingAdd(1, ordering: .relaxed).newValue
      Self.most.max(alive, ordering: .relaxed)
    }

    deinit { Self.alive.wrappingSubtract(1, ordering: .relaxed) }

    static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test func `Threads that flood the queue end on the right state in little memory`() async throws {
    let threads = 8
    let calls = scoped(usual: 500, wide: 2_500, long: 125_000)
    let source = DataSourceActor<String, Counted>(options: SourceOptions(history: 4))
    let outcomes = await withTaskGroup(of: [Ticket].self) { group in
      for thread in 0..<threads {
        group.addTask {
          await withCheckedContinuation { done in
            // Threads of their own, as those of a network library would be.
            Thread {
              let tickets = (0..<calls).map { call in
                var snapshot = Snapshot<String, Counted>()
                snapshot.appendSections(["list"])
                let first = (call * threads + thread) * 16
                try? snapshot.appendItems((first..<first + 16).map(Counted.init))
                return source.enqueue(snapshot)
              }
              done.resume(returning: tickets)
            }.start()
          }
        }
      }
      var applied = 0
      var newest = Revision.empty
      for await tickets in group {
        var previous = Revision.empty
        for ticket in tickets {
          guard case .applied(let revision) = await ticket.outcome else { continue }
          #expect(previous < revision)
          previous = revision
          applied += 1
        }
        newest = max(newest, previous)
      }
      return (applied: applied, newest: newest)
    }
    #expect(await source.revision == outcomes.newest)
    #expect(outcomes.newest.number == outcomes.applied)
    #expect(source.metrics.superseded == threads * calls - outcomes.applied)
    // 16 items in each of: one a thread that it makes, one it replaces, the one that waits, the one
    // that is applied, the live one and the history.
    #expect(Counted.most.load(ordering: .relaxed) <= 16 * (2 * threads + 3 + 4) * 2)
    let last = Snapshot<String, Counted>()
    #expect(await source.enqueue(last).outcome == .applied(Revision(outcomes.applied + 1)))
  }
}
