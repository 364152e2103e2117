import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Who expands a row is told what becomes of the load of its children", .deadline)
struct ChildrenLoadTests {
  private struct Offline: Error {}

  /// A tree below the multiples of ten; children are not loaded while the text is 1.
  private func tree(
    _ query: QueryScript.Query, load: @escaping @Sendable (Note) async throws -> Void
  ) -> QueryScript.Query {
    query.outlined(
      by: { $0.id % 10 == 0 ? nil : $0.id / 10 * 10 }, unloaded: { $0.text == 1 }, load: load)
  }

  @Test("A load that is refused is told, however soon that is", arguments: [false, true])
  func refusedAtOnce(isFollowed: Bool) async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let derived = base.derived { tree($0) { _ in throw Offline() } }
    let reader = isFollowed ? Task { for await _ in derived.updates() {} } : nil
    defer { reader?.cancel() }
    for _ in 0..<rounds(2_000) {
      await #expect(throws: ChildrenError<Int>.self) { try await derived.expandItem(10) }
    }
    #expect(await derived.snapshot.disclosure(of: 10) == Disclosure(sign: .collapsed))
  }

  @Test(
    "A row whose children others have loaded stays expanded, although its own load fails",
    arguments: [false, true])
  func loadedByOthers(isFollowed: Bool) async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let derived = base.derived { query in
      tree(query) { _ in
        for await _ in answer {}
        throw Offline()
      }
    }
    var batches = isFollowed ? derived.updates().makeAsyncIterator() : nil
    _ = await batches?.next()
    let waiting = Task { try await derived.expandItem(10) }
    try await wait { await !derived.loadWaiters.isEmpty }
    try await base.update { draft in
      try draft.appendItems([Note(id: 11)], toSection: 0)
      try draft.update(10) { $0.text = 2 }
    }
    answering.finish()
    try await ended { try await waiting.value }
    #expect(await derived.snapshot.description == "0[10 11]")
    withExtendedLifetime(batches) {}
  }

  @Test("Children that others have loaded and taken back during a load are loaded again")
  func takenBack() async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let calls = CallCounter()
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let derived = base.derived { query in
      tree(query) { _ in
        calls.count()
        // The first brings nothing; nobody answers the next one.
        for await _ in answer { return }
      }
    }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    try await derived.expandItems([10])
    while let batch = await batches.next(), batch.snapshot.loadingItems != [10] {}
    for text in [2, 1] {
      try await base.update { try $0.update(10) { $0.text = text } }
      #expect(await derived.snapshot.loadingItems == (text == 1 ? [10] : []))
    }
    try await wait { calls.value == 1 }
    answering.yield()
    try await wait { calls.value == 2 }
    withExtendedLifetime(batches) {}
  }

  @Test(
    "The load of a row that is gone ends once another one has its name", arguments: [true, false])
  func takenOver(isOtherLoading: Bool) async throws {
    let base = try await Notes.of([Note(id: 10, text: 1), Note(id: 20, text: 1)])
    // Nobody turns it, so a load ends only when it is cancelled.
    let clock = ManualClock()
    let derived = base.derived { tree($0) { _ in try await clock.sleep(for: .seconds(1)) } }
    if isOtherLoading { try await derived.expandItems([10]) }
    let waiting = Task { try await derived.expandItem(20) }
    try await wait { await !derived.loadWaiters.isEmpty }
    try await base.update { $0.deleteItems([20]) }
    _ = await derived.snapshot
    try await base.update { try $0.renameItem(10, to: Note(id: 20, text: 1)) }
    _ = await derived.snapshot
    await #expect { try await ended { try await waiting.value } } throws: {
      if case .cancelled = ($0 as? ChildrenError<Int>)?.reason { true } else { false }
    }
  }

  @Test("Children are loaded again also if the list was no tree when the first load ended")
  func flatMeanwhile() async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let calls = CallCounter()
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let load: @Sendable (Note) async throws -> Void = { note in
      calls.count()
      for await _ in answer { break }
      try await base.update { draft in
        try draft.appendItems([Note(id: note.id + calls.value)], toSection: 0)
        try draft.update(note.id) { $0.text = 2 }
      }
    }
    let derived = base.derived { tree($0, load: load) }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    try await derived.expandItems([10])
    while let batch = await batches.next(), batch.snapshot.loadingItems != [10] {}
    try await derived.setQuery { $0 }
    _ = await derived.snapshot
    answering.finish()
    while let batch = await batches.next(), !batch.snapshot.containsItem(11) {}
    try await base.update { try $0.update(10) { $0.text = 1 } }
    try await derived.setQuery { tree($0, load: load) }
    try await derived.expandItems([10])
    while let batch = await batches.next(), !batch.snapshot.containsItem(12) {}
    #expect(calls.value == 2)
  }

  @Test("A load goes on while its row is collapsed, and no other begins when it is expanded again")
  func collapsedMeanwhile() async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let calls = CallCounter()
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let derived = base.derived { query in
      tree(query) { note in
        calls.count()
        for await _ in answer { break }
        try await Self.loadChildren(of: note, in: base)
      }
    }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    try await derived.expandItems([10])
    while let batch = await batches.next(), batch.snapshot.loadingItems != [10] {}
    try await derived.collapseItems([10])
    #expect(await derived.snapshot.loadingItems.isEmpty)
    try await derived.expandItems([10])
    #expect(await derived.snapshot.loadingItems == [10])
    answering.finish()
    while let batch = await batches.next(), !batch.snapshot.containsItem(11) {}
    #expect(calls.value == 1)
  }

  /// Gives a row two children, of which a search finds the first.
  private static func loadChildren(of note: Note, in base: Notes) async throws {
    try await base.update { draft in
      try draft.appendItems(
        [Note(id: note.id + 1, text: 5), Note(id: note.id + 2)], toSection: 0)
      try draft.update(note.id) { $0.text = 2 }
    }
  }

  @Test(
    "Children are loaded of rows that a search shows, and what it finds among them is shown",
    arguments: [true, false])
  func found(isOneSource: Bool) async throws {
    let base = try await Notes.of([Note(id: 10, text: 1), Note(id: 20, text: 1)])
    @Sendable func search(_ query: QueryScript.Query) -> QueryScript.Query {
      query.searched(keepsUnloaded: true) { $0.text == 5 }
    }
    let all = base.derived { query in
      let rows = tree(query) { try await Self.loadChildren(of: $0, in: base) }
      return isOneSource ? search(rows) : rows
    }
    let derived = isOneSource ? all : all.derived(search)
    #expect(await derived.snapshot.description == "0[10 20]")
    try await derived.expandItem(10)
    #expect(await derived.snapshot.description == "0[10 11 20]")
  }

  @Test("Another query loads the children that are not loaded, and the former one no longer does")
  func otherQuery() async throws {
    let base = try await Notes.of([Note(id: 10, text: 1)])
    let (former, calls) = (CallCounter(), CallCounter())
    let derived = base.derived { tree($0) { _ in former.count() } }
    _ = await derived.snapshot
    try await derived.setQuery { tree($0) { _ in calls.count() } }
    try await derived.expandItem(10)
    #expect(former.value == 0 && calls.value == 1)
  }

  @Test("Of two loads at the same time, each ends for its own row")
  func two() async throws {
    let base = try await Notes.of([Note(id: 10, text: 1), Note(id: 20, text: 1)])
    let (answer, answering) = AsyncStream<Void>.makeStream()
    let derived = base.derived { query in
      tree(query) { note in
        if note.id == 20 { throw Offline() }
        for await _ in answer {}
        try await Self.loadChildren(of: note, in: base)
      }
    }
    let waiting = Task { try await derived.expandItem(10) }
    try await wait { await !derived.loadWaiters.isEmpty }
    await #expect(throws: ChildrenError<Int>.self) {
      try await ended { try await derived.expandItem(20) }
    }
    #expect(await derived.snapshot.loadingItems == [10])
    answering.finish()
    try await ended { try await waiting.value }
    #expect(await derived.snapshot.description == "0[10 11 12 20]")
  }
}
