import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

/// A reader without a cursor, such as the list on top of which pending edits are shown.
@Suite struct ReaderTests {
  typealias Machine = SubscriptionMachine<Int, [Int], Int, Int>

  @Test(
    "A reader is told once of each revision, of those that it knows only if they have left the history",
    arguments: 0..<rounds(200 as UInt64))
  func told(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let length = random.number(below: 5)
    var machine = Machine(historyLength: length, empty: 0)
    var place: Revision?
    _ = machine.process { $0.read(after: nil, except: [], &$1) }
    place = machine.revision
    var presentations: [Int: Presentation] = [:]
    for _ in 0..<20 {
      let base = machine.revision.number
      for number in (base + 1)..<(base + 1 + random.number(below: 8)) {
        let presentation: Presentation = [.immediate, .animated, .inPlace][random.number(below: 3)]
        presentations[number] = presentation
        _ = machine.process {
          $0.publish(
            state: number, notes: [number], presentation: presentation,
            kind: .change(name: nil), &$1)
        }
      }
      let live = machine.revision.number
      let known = (base..<live).map { $0 + 1 }.filter { _ in random.chance(oneIn: 3) }
      let told = (base..<live).map { $0 + 1 }.filter {
        !known.contains($0) || !machine.history.contains(Revision($0))
      }
      let read = machine.process {
        $0.read(after: place, except: known.map(Revision.init), &$1)
      }.result
      place = machine.revision
      #expect(read.notes.flatMap(\.self) == told, "seed \(seed)")
      #expect(read.presentation == told.compactMap { presentations[$0] }.max(), "seed \(seed)")
    }
  }

  @Test("Nothing is kept for a reader that was let go")
  func gone() {
    var machine = Machine(historyLength: 0, empty: 0)
    _ = machine.process { $0.read(after: nil, except: [], &$1) }
    var released: [Int] = []
    func publish(_ numbers: ClosedRange<Int>) {
      for number in numbers {
        let actions = machine.process {
          $0.publish(
            state: number, notes: [number], presentation: .animated, kind: .change(name: nil), &$1)
        }.actions
        released += actions.released.notes.flatMap(\.self)
      }
    }
    publish(1...4)
    #expect(released.isEmpty)
    let actions = machine.process { $0.history.leave(.empty, &$1.released) }.actions
    released += actions.released.notes.flatMap(\.self)
    publish(5...6)
    #expect(released == [1, 2, 3, 4, 5])
  }
}

/// Subscribers that stay behind, of which some leave.
@Suite struct SkippedRevisionTests {
  private typealias History = RevisionHistory<Int, [Int]>

  @Test("Whoever stays is told of all that it has not seen, whoever leaves", arguments: 0...2)
  func leaving(length: Int) {
    let kinds: [Presentation] = [.immediate, .animated, .reset]
    for presentations in everySequence(of: kinds, length: 4) {
      for choice in 0..<1 << 4 {
        for isNewestFirst in [false, true] {
          var history = History(length: length, empty: 0, notesPerGroup: 1 << 20)
          var released = History.Released()
          // One subscriber stays behind at each revision.
          for (number, presentation) in presentations.enumerated() {
            history.arrive(at: Revision(number))
            _ = history.publish(
              state: number + 1, notes: [number + 1], presentation: presentation,
              kind: .change(name: nil), &released)
          }
          let leavers = (0..<4).filter { choice & 1 << $0 != 0 }
          for number in isNewestFirst ? leavers.reversed() : leavers {
            history.leave(Revision(number), &released)
          }
          let isTold = (0..<4).allSatisfy { number in
            guard !leavers.contains(number) else { return true }
            let told = history.span(after: Revision(number), through: history.live)
            return told.presentation == presentations[number...].max()
              && told.notes.flatMap(\.self) == Array(number + 1...4)
          }
          #expect(isTold, "\(presentations), and \(leavers) leave, newest first: \(isNewestFirst)")
        }
      }
    }
  }

  @Test("What somebody has missed is joined at a cost that follows what is new")
  func joining() {
    var history = History(length: 0, empty: 0, notesPerGroup: 16)
    var released = History.Released()
    history.arrive(at: .empty)
    let count = 20_000
    var cost = 0
    for number in 1...count {
      let request = history.publish(
        state: number, notes: [number], presentation: .animated, kind: .change(name: nil),
        &released)
      released = .init()
      guard let request else { continue }
      let joined = request.notes.flatMap(\.self)
      cost += joined.count
      history.replaceNotes(
        request, by: joined, weight: joined.count, presentation: .immediate, &released)
    }
    let told = history.span(after: .empty, through: history.live).notes
    #expect(told.flatMap(\.self) == Array(1...count))
    #expect(cost < 32 * count, "\(cost)")
    #expect(told.count < count / 16, "\(told.count)")
  }
}

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
