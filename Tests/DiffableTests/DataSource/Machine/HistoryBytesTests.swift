import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// The history keeps as many revisions as its bound in bytes allows.
@Suite struct HistoryBytesTests {
  typealias Machine = SubscriptionMachine<Int, [Int], Int, Int>

  @Test("The newest revisions that fit are kept, no others", arguments: 0..<rounds(200 as UInt64))
  func newestThatFit(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = Int.random(in: 0...6, using: &random)
    let limit = Int.random(in: 0...60, using: &random)
    var machine = Machine(historyLength: length, historyBytes: limit, empty: 0)
    // What only the revision before holds, by the number of the revision.
    var replaced = [0]
    for number in 1...40 {
      replaced.append(Int.random(in: 0...30, using: &random))
      let notes = Bool.random(using: &random) ? [number] : nil
      _ = machine.process {
        $0.publish(
          state: number, notes: notes, presentation: .animated, kind: .change(name: nil),
          replacedBytes: replaced[number], &$1)
      }
      var oldest = number
      while oldest > 0, number - oldest < length,
        replaced[oldest...number].reduce(0, +) <= limit
      {
        oldest -= 1
      }
      for revision in 0...number {
        let state = machine.state(at: Revision(revision))
        #expect(state == (revision < oldest ? nil : revision), "seed \(seed)")
      }
      #expect((machine.history.reversible(.undo, .everything) != nil) == (oldest < number))
    }
  }

  @Test("Revisions that no longer fit take no room, however long the history may be")
  func room() {
    var machine = Machine(historyLength: .max, historyBytes: 3, empty: 0)
    for number in 1...1_000 {
      _ = machine.process {
        $0.publish(
          state: number, notes: nil, presentation: .animated, kind: .change(name: nil),
          replacedBytes: 1, &$1)
      }
    }
    #expect(machine.history.entries.count <= 12)
    for revision in 0...1_000 {
      #expect(machine.state(at: Revision(revision)) == (revision < 997 ? nil : revision))
    }
  }

  @Test("A subscriber that is older than what fits misses no notes")
  func notes() {
    var machine = Machine(historyLength: 8, historyBytes: 0, empty: 0)
    let reader = machine.subscribe(.coalesced, after: nil)
    _ = machine.process { $0.begin(reader, task: nil, &$1) }
    for number in 1...5 {
      _ = machine.process {
        $0.publish(
          state: number, notes: [number], presentation: .animated, kind: .change(name: nil),
          replacedBytes: 1, &$1)
      }
    }
    #expect(machine.state(at: Revision(4)) == nil)
    let answer = machine.process { $0.begin(reader, task: nil, &$1) }.result
    guard case .transition(let transition) = answer else {
      Issue.record("nothing to show")
      return
    }
    #expect(transition.target.revision == Revision(5))
    #expect(transition.notes.flatMap(\.self) == [1, 2, 3, 4, 5])
  }

  @Test("A source without room for its changes resets those who resume, and undoes nothing")
  func source() async throws {
    let source = DataSourceActor<Int, Int>(options: SourceOptions(historyBytes: 0))
    try await source.update { $0.appendSections([0]) }
    let token = source.token(for: await source.revision)
    try await source.update(named: "Add") { try $0.appendItems([1]) }
    #expect(source.nextUndo() == nil)
    var batches = source.updates(after: token).makeAsyncIterator()
    let batch = try #require(await batches.next())
    #expect(batch.base == nil)

    let roomy = DataSourceActor<Int, Int>(options: SourceOptions(historyBytes: 1 << 20))
    try await roomy.update { $0.appendSections([0]) }
    let before = roomy.token(for: await roomy.revision)
    try await roomy.update(named: "Add") { try $0.appendItems([1]) }
    #expect(roomy.nextUndo()?.name == "Add")
    var rest = roomy.updates(after: before).makeAsyncIterator()
    #expect(try #require(await rest.next()).base != nil)
  }
}
