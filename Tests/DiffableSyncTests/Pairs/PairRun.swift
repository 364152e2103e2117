import DiffableTesting
import Testing

@testable import Diffable
@testable import DiffableEngine

/// Calls that two tasks make of one source at the same time, while others follow it.
struct PairRun<Subject: PairSubject> {
  let calls: [PairCall]
  let seed: UInt64

  /// Makes the calls, and checks what they have done.
  func check() async throws {
    let name = "\(Subject.self): \(calls.map(\.rawValue)), seed \(seed)"
    let subject = try await Subject.make()
    let start = subject.source.reader.revision
    let chains: [Task<[UpdateBatch<Int, Int>], Never>] = [
      follow(subject.source, .every(limit: 10_000)), follow(subject.source, .coalesced),
    ]
    let effects = try await withThrowingTaskGroup(of: [PairEffect].self) { group in
      for (index, call) in calls.enumerated() {
        group.addTask { try await perform(call, task: index, on: subject) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let last = try await subject.finish()
    for chain in chains { check(await chain.value, endsAt: last, name) }
    check(effects, in: await chains[0].value, after: start, name)
  }

  private func follow(
    _ source: Subject.Source, _ policy: UpdatePolicy
  ) -> Task<[UpdateBatch<Int, Int>], Never> {
    let updates: AsyncStream<UpdateBatch<Int, Int>> = source.reader.subscribe(policy).stream
    return Task {
      var batches: [UpdateBatch<Int, Int>] = []
      for await batch in updates { batches.append(batch) }
      return batches
    }
  }

  private func perform(
    _ call: PairCall, task: Int, on subject: Subject
  ) async throws -> [PairEffect] {
    var random = SplitMix64(seed: seed &* 7 &+ UInt64(task))
    var effects: [PairEffect] = []
    for round in 0..<3 {
      for _ in 0..<random.number(below: 4) { await Task.yield() }
      do {
        effects.append(try await subject.perform(call, 1000 * (task + 1) + round))
      } catch DataSourceError.finished where calls.contains(.finish) {
      } catch let error as ChildrenError<Int> where calls.contains(.finish) {
        guard case .source(.finished) = error.reason else { throw error }
      }
    }
    return effects
  }

  // MARK: Laws

  /// Each batch starts where the one before ended, does what it says, and the last one ends at the
  /// last state.
  private func check(_ chain: [UpdateBatch<Int, Int>], endsAt last: PairList, _ name: String) {
    #expect(chain.last?.snapshot == last, "the last state was not delivered: \(name)")
    for (previous, batch) in zip(chain, chain.dropFirst()) where batch.base != nil {
      #expect(
        batch.base == previous.target && batch.target > previous.target
          && batch.previousSnapshot == previous.snapshot,
        "a batch does not follow the one before: \(name)")
      let edited = try? previous.snapshot.applying(batch.difference, insertsFrom: batch.snapshot)
      #expect(edited == batch.snapshot, "a difference leads elsewhere: \(name)")
    }
  }

  /// Each write is one revision, each revision one write, and each is what it says.
  private func check(
    _ effects: [PairEffect], in chain: [UpdateBatch<Int, Int>], after start: Revision,
    _ name: String
  ) {
    var states = Dictionary(chain.map { ($0.target, $0.snapshot) }) { $1 }
    let last = chain.last?.target ?? start
    var made: [Revision] = []
    var perhaps: Set<Revision> = []
    var reverted: [Revision] = []
    for effect in effects {
      switch effect {
      case .inserted(let item, let revision):
        made.append(revision)
        guard let state = states[revision], let before = states[revision.previous] else { continue }
        var without = state
        without.deleteItems([item])
        #expect(
          state.containsItem(item) && !before.containsItem(item) && without == before,
          "\(item) is not what \(revision) has inserted: \(name)")
      case .replaced(let list, let revision):
        made.append(revision)
        if let state = states[revision] {
          #expect(
            state.itemIdentifiers == list.itemIdentifiers, "\(revision) has another state: \(name)")
        }
      case .reverted(let transaction?):
        if let change = transaction.reversedChange { reverted.append(change.revision) }
        guard !transaction.difference.isEmpty else { continue }
        made.append(transaction.target)
        if let state = states[transaction.target] {
          #expect(state == transaction.finalSnapshot, "\(transaction.target): \(name)")
        }
      case .perhaps(let revision): perhaps.insert(revision)
      case .read(let list, let revision):
        if let state = states[revision] {
          #expect(state == list, "what was read is not \(revision): \(name)")
        }
      case .kept(let item):
        #expect(
          chain.last?.snapshot.containsItem(item) == true || calls.contains(.finish),
          "\(item) was not kept: \(name)")
      case .reverted(nil), .nothing: break
      }
    }
    states = [:]
    #expect(Set(reverted).count == reverted.count, "a change was reverted twice: \(name)")
    #expect(Set(made).count == made.count, "two writes are one revision: \(name)")
    #expect(
      made.allSatisfy { $0 > start && $0 <= last } || calls.contains(.finish),
      "a write was not delivered: \(name)")
    if Subject.explainsRevisions {
      let unexplained = Set(chain.map(\.target)).filter { $0 > start }
        .subtracting(made).subtracting(perhaps)
      #expect(unexplained.isEmpty, "nobody has made \(unexplained): \(name)")
    }
  }
}
