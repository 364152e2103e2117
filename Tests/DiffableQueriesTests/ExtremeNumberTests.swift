import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Numbers at their extremes") struct ExtremeNumberTests {
  private static let numbers = [Int.min, Int.min + 1, -1, 0, 1, Int.max / 2, Int.max - 1, Int.max]

  private static func makeBase(_ history: Int = 64) async throws -> Notes {
    let base = Notes(options: SourceOptions(history: history))
    try await base.apply((0..<4).map { Note(id: $0, title: $0) }, section: \.folder)
    return base
  }

  @Test("The length of the history", arguments: numbers) func history(length: Int) async throws {
    let base = try await Self.makeBase(length)
    let sources = [
      base.derived(options: SourceOptions(history: length)) { $0.filter { $0.id > 0 } },
      base.merged(with: base, options: SourceOptions(history: length)).derived(
        options: SourceOptions(history: length)
      ) { $0.filter { $0.id > 0 } },
      base.joined(with: base, by: \.id, options: SourceOptions(history: length)) { note, _ in note }
        .derived(options: SourceOptions(history: length)) { $0.filter { $0.id > 0 } },
    ]
    for source in sources {
      var batches = source.updates(.every(limit: length)).makeAsyncIterator()
      for text in 0..<5 {
        try await base.setModel(Note(id: 1, text: text + 1))
        #expect(await batches.next()?.models[1]?.text == text + 1)
      }
      let live = await source.revision
      #expect(await source.baseRevision(of: live) != nil)
      // A revision has an origin as long as it is in the history.
      let known = source.snapshot(at: Revision(live.number - 1)) != nil
      #expect(known == (length > 0))
      #expect(await (source.baseRevision(of: Revision(live.number - 1)) != nil) == known)
    }
  }

  @Test("Windows and prefixes", arguments: numbers) func windows(number: Int) async throws {
    let base = try await Self.makeBase()
    let prefix = base.derived { $0.prefix(number) }
    let suffix = base.derived { $0.suffix(number) }
    let short = base.derived { $0.prefix(ofEachSection: number) }
    let windows = Self.numbers.filter { $0 >= number }.map { end in
      (number..<end, base.derived { $0.window(number..<end) })
    }
    for added in 4..<7 {
      let (state, count) = (await base.snapshot, max(0, number))
      let rows = state.itemIdentifiers
      #expect(await prefix.snapshot.itemIdentifiers == Array(rows.prefix(count)))
      #expect(await suffix.snapshot.itemIdentifiers == Array(rows.suffix(count)))
      let first = state.sectionIdentifiers.flatMap {
        state.itemIdentifiers(inSection: $0).prefix(count)
      }
      #expect(await short.snapshot.itemIdentifiers == first)
      for (window, source) in windows {
        let kept = rows.indices.filter(window.contains).map { rows[$0] }
        #expect(await source.snapshot.itemIdentifiers == kept, "\(window)")
      }
      try await base.update { draft in
        draft.appendSections([Folder(added)])
        try draft.appendItems([Note(id: added)], toSection: Folder(added))
        try draft.snapshot.moveSection(Folder(added), beforeSection: 0)
      }
    }
  }

  @Test("Deadlines, of the usual clock and of one that counts from zero", .deadline)
  func deadlines() async throws {
    let times = [
      Duration(attoseconds: .min), .seconds(Int64.min), .zero - .longest, .seconds(-1),
      .seconds(3600), .longest, .seconds(Int64.max), Duration(attoseconds: .max),
    ]
    let usual = ContinuousClock.now
    let base = try await Self.makeBase()
    try await base.apply((0..<9).map { Note(id: $0) }, section: \.folder)
    let manual = ManualClock()
    let sources = [
      base.derived { query in
        // The last one would be after the end of time.
        query.expiring(at: { $0.id < 7 ? usual.advanced(by: times[$0.id]) : nil })
      },
      base.derived { query in
        query.expiring(clock: manual) { $0.id < 8 ? .init(offset: times[$0.id]) : nil }
      },
    ]
    for source in sources {
      var batches = source.updates().makeAsyncIterator()
      #expect(await batches.next()?.snapshot.itemIdentifiers == Array(4..<9))
      // The subscriber waits for the next of these deadlines, however far away it is.
      let next = Task { [batches] in
        var batches = batches
        return await batches.next()
      }
      try await wait { source.population.waiting == 1 }
      try await base.update { $0.deleteItems([4]) }
      #expect(await next.value?.snapshot.itemIdentifiers == Array(5..<9))
      try await base.update { draft in
        try draft.snapshot.insertItems([4], beforeItem: 5)
        draft.setModel(Note(id: 4))
      }
    }
  }

  @Test(
    "Intervals of a throttle",
    arguments: [
      Duration.zero, .seconds(Int64.min), .seconds(Int64.max), Duration(attoseconds: .max),
      Duration(attoseconds: .min),
    ])
  func throttles(interval: Duration) async throws {
    let base = try await Self.makeBase()
    let derived = base.derived(options: SourceOptions(clock: ManualClock())) {
      $0.filter { $0.id > 0 }
    }
    var batches = derived.updates(.coalesced(throttle: interval)).makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 3)
  }

  @Test("Pauses before a query") func pauses() async throws {
    let (base, clock) = (try await Self.makeBase(), ManualClock())
    let source = base.derived(options: SourceOptions(clock: clock)) { $0.prefix(1) }
    #expect(try await source.setQuery(after: .seconds(Int64.min)) { $0.prefix(2) })
    #expect(await source.snapshot.numberOfItems == 2)
    for pause in [Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1)] {
      let usual = base.derived { $0.prefix(1) }
      #expect(try await usual.setQuery(after: pause) { $0.prefix(2) })
      #expect(await usual.snapshot.numberOfItems == 2)
    }
    // Clocks of the system cannot add that to a time. So it is a hundred years.
    let last = Task { try await source.setQuery(after: .seconds(Int64.max)) { $0.prefix(3) } }
    try await wait { clock.sleeping == 1 }
    clock.advance(by: .seconds(100 * 365 * 86_400))
    #expect(clock.sleeping == 0)
    guard clock.sleeping == 0 else { return last.cancel() }
    #expect(try await last.value)
    #expect(await source.snapshot.numberOfItems == 3)
  }
}
