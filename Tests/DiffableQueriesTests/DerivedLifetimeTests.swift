import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A derived source lives as long as it is read, and ends with its base", .deadline)
struct DerivedLifetimeTests {
  @Test("Nobody waits for a source that was ended", arguments: [false, true])
  func endedBase(isOfAnother: Bool) async throws {
    let base = try await Notes.of(.some)
    let source = base.derived { $0.filter { $0.id > 5 } }
    let derived = isOfAnother ? source.derived { $0 } : source
    #expect(await derived.snapshot.numberOfItems == 6)
    await derived.finish()
    try await base.setModel(Note(id: 7, folder: 1, text: 9))
    #expect(await derived.snapshot.numberOfItems == 6)
    #expect(await derived.updates().reduce(0) { count, _ in count + 1 } == 1)
    try await wait { base.population.subscribers == 0 }
    withExtendedLifetime(source) {}
  }

  /// A derived source with a row whose children are loaded for ever.
  private func makeLoading(
    _ base: Notes, _ begun: Flag, _ cancelled: Flag
  ) -> DerivedSource<Notes.Batch, Notes.Batch> {
    // Nobody turns it.
    let clock = ManualClock()
    return base.derived { query in
      query.outlined(by: { (_: Note) -> Int? in nil }, unloaded: { $0.id == 1 }) { (_: Note) in
        begun.raise()
        do { try await clock.sleep(for: .seconds(1)) } catch {
          cancelled.raise()
          throw error
        }
      }
    }
  }

  @Test("A released source cancels its loads of children") func releasedLoad() async throws {
    let base = try await Notes.of(.some)
    let (begun, cancelled) = (Flag(), Flag())
    weak var released: DerivedSource<Notes.Batch, Notes.Batch>?
    do {
      let derived = makeLoading(base, begun, cancelled)
      released = derived
      let waiting = Task { try await derived.expandItem(1) }
      try await wait { begun.isRaised }
      // Whoever stops waiting leaves the load to others.
      waiting.cancel()
      await #expect(throws: ChildrenError<Int>.self) { try await waiting.value }
      #expect(!cancelled.isRaised)
    }
    try await wait { released == nil && cancelled.isRaised }
  }

  @Test("A source that ends cancels its loads, and tells those who wait", arguments: [false, true])
  func endedLoad(endsWithBase: Bool) async throws {
    let base = try await Notes.of(.some)
    let (begun, cancelled) = (Flag(), Flag())
    let derived = makeLoading(base, begun, cancelled)
    let reader = Task { for await _ in derived.updates() {} }
    let waiting = Task { try await derived.expandItem(1) }
    try await wait { begun.isRaised }
    if endsWithBase { await base.finish() } else { await derived.finish() }
    await #expect { try await ended { try await waiting.value } } throws: {
      if case .source(.finished) = ($0 as? ChildrenError<Int>)?.reason { true } else { false }
    }
    try await wait { cancelled.isRaised }
    try await ended { await reader.value }
  }

  @Test("A new base has rows of its own, whose children are loaded for it")
  func loadOfNewBase() async throws {
    let (first, second) = (try await Notes.of(.some), try await Notes.of([Note(id: 1)]))
    let (begun, cancelled) = (Flag(), Flag())
    let derived = makeLoading(first, begun, cancelled)
    let waiting = Task { try await derived.expandItem(1) }
    try await wait { begun.isRaised }
    try await derived.setBase(second)
    try await derived.setQuery { query in
      query.outlined(
        by: { (note: Note) -> Int? in note.id == 1 ? nil : 1 },
        unloaded: { $0.id == 1 && $0.text != 9 }
      ) { (note: Note) in
        try await second.update { draft in
          try draft.appendItems([Note(id: 99)], toSection: 0)
          try draft.update(1) { $0.text = 9 }
        }
      }
    }
    await #expect { try await ended { try await waiting.value } } throws: {
      if case .cancelled = ($0 as? ChildrenError<Int>)?.reason { true } else { false }
    }
    try await wait { cancelled.isRaised }
    try await ended { try await derived.expandItem(1) }
    #expect(await derived.snapshot.itemIdentifiers == [1, 99])
  }

  @Test("Children are loaded of rows that show how many are below them, too")
  func loadsBelowTotals() async throws {
    let base = try await Notes.of([Note(id: 1, title: 5), Note(id: 2)])
    let derived = base.derived { query in
      query.outlined(
        by: { (note: Note) -> Int? in note.id < 9 ? nil : 1 },
        unloaded: { $0.id == 1 && $0.text != 9 }
      ) { (note: Note) in
        // The row of the list, and not what is shown for it.
        try await base.update { draft in
          try draft.appendItems([Note(id: 10 + note.title)], toSection: 0)
          try draft.update(note.id) { $0.text = 9 }
        }
      }
      .countingDescendants { note, count in Note(id: note.id, text: count) }
    }
    #expect(await derived.snapshot.disclosure(of: 1) == Disclosure(sign: .collapsed))
    try await derived.expandItem(1)
    #expect(await derived.snapshot.itemIdentifiers == [1, 15, 2])
    #expect(await derived.element(for: 1) == Note(id: 1, text: 1))
  }

  @Test("It holds its base, and a stream holds it for as long as it is read") func lifetimes()
    async throws
  {
    let base = try await Notes.of(.some)
    weak var derived: DerivedLawTests.Derived?
    do {
      let source = base.derived { $0.filter { $0.id > 5 } }
      var batches = source.derived { $0.prefix(4) }.updates().makeAsyncIterator()
      derived = source
      #expect(await batches.next()?.snapshot.numberOfItems == 4)
      try await base.update { $0.deleteItems([7]) }
      #expect(await batches.next()?.snapshot.itemIdentifiers.contains(7) == false)
    }
    try await wait { derived == nil && base.population.subscribers == 0 }
    let reader = Task { await base.derived { $0 }.updates().reduce(0) { count, _ in count + 1 } }
    try await wait { base.population.waiting == 1 }
    await base.finish()
    #expect(try await ended { await reader.value } == 1)
  }

  @Test("A stream that is read by a task that is cancelled releases its source") func released()
    async throws
  {
    let base = try await Notes.of(.some)
    let reader = Task { for await _ in base.merged(with: base.derived { $0 }).updates() {} }
    try await wait { base.population.waiting == 2 }
    reader.cancel()
    try await ended { await reader.value }
    try await wait { base.population.subscribers == 0 }
  }
}
