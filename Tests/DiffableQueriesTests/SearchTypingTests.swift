import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A search that is typed costs what it changes", .deadline) struct SearchTypingTests {
  typealias Songs = ModelSource<Folder, Song>
  typealias Found = SearchedRowsTests.Found

  private func makeSongs(_ count: Int = 300) async throws -> Songs {
    let base = Songs()
    try await base.apply(
      (0..<count).map { Song(id: $0, title: "song \($0)") }, section: { Folder($0.id % 2) })
    return base
  }

  /// The batches of a reader that always waits for the next one.
  private func read(_ found: Found) -> AsyncStream<Found.Batch>.Iterator {
    let (taken, take) = AsyncStream.makeStream(of: Found.Batch.self)
    let reader = Task {
      for await batch in found.updates() { take.yield(batch) }
      take.finish()
    }
    take.onTermination = { _ in reader.cancel() }
    return taken.makeAsyncIterator()
  }

  @Test("A text is read once, and a scorer asked once, for each row that is new or has changed")
  func calls() async throws {
    let (base, reads, scores) = (try await makeSongs(), CallCounter(), CallCounter())
    let read = base.derived { query in
      query.searched(
        id: 0, for: "song",
        in: { song in
          reads.count()
          return song.title
        })
    }
    let ranked = base.derived { query in
      query.ranked(id: 0) { song in
        scores.count()
        return SearchMatch(score: Double(song.plays))
      }
    }
    func take() async -> [Int] {
      _ = await (read.snapshot, ranked.snapshot)
      return [reads.take(), scores.take()]
    }
    #expect(await take() == [300, 300])
    #expect(await take() == [0, 0])
    try await base.setModel(Song(id: 7, title: "song", plays: 3))
    #expect(await take() == [1, 1])
    try await base.update { draft in
      draft.deleteItems([8, 9])
      try draft.insertItems([Song(id: 1_000, title: "new")], beforeItem: 100)
      try draft.moveItem(20, afterItem: 40)
    }
    #expect(await take() == [1, 1])
    try await base.update { draft in try draft.snapshot.moveSection(0, afterSection: 1) }
    #expect(await take() == [0, 0])
    try await base.update { draft in
      let more = (2_000..<2_100).map { Song(id: $0, title: "more") }
      try draft.insertItems(more, beforeItem: 50)
    }
    #expect(await take() == [100, 100])
  }

  @Test("Another text reads nothing again, if the same text of rows is searched")
  func otherTexts() async throws {
    let (base, reads) = (try await makeSongs(), CallCounter())
    func query(_ id: Int?, _ text: String) -> (SearchedRowsTests.Query) -> ListQuery<
      Songs.Batch, ModelBatch<Folder, SearchedRowsTests.Row>
    > {
      { query in
        query.searched(
          id: id, for: text,
          in: { song in
            reads.count()
            return song.title
          })
      }
    }
    let found = base.derived(query(0, "s"))
    _ = await found.snapshot
    #expect(reads.take() == 300)
    for text in ["so", "son", "song 1", "song 12", "song 1", "", "12"] {
      try await found.setQuery(query(0, text))
      let expected = (0..<300).filter { SearchPattern(text).match(in: "song \($0)") != nil }
      #expect(Set(await found.snapshot.itemIdentifiers) == Set(expected), "‘\(text)’")
      #expect(reads.take() == 0, "‘\(text)’")
    }
    // Another text may have its parts elsewhere: both are read where a row has the same score.
    let count = await found.snapshot.numberOfItems
    for id in [1, nil] {
      try await found.setQuery(query(id, "12"))
      _ = await found.snapshot
      #expect(reads.take() == 300 + 2 * count)
    }
    // The same text of the same rows for the same words is no change at all.
    try await found.setQuery(query(1, "12"))
    let revision = await found.revision
    try await found.setQuery(query(1, " 12 "))
    reads.take()
    #expect(await found.revision == revision)
    #expect(reads.take() == 0)
  }

  @Test("A row whose highlight stays is not updated, and one whose highlight changes is")
  func highlights() async throws {
    let base = Songs()
    try await base.apply(
      [Song(id: 0, title: "blue in blue"), Song(id: 1, title: "blueish"), Song(id: 2, title: "x")],
      section: { _ in 0 })
    let found = base.derived { query in
      query.ranked(id: 0) { SearchPattern("bl").match(in: $0.title) }
    }
    var batches = found.updates().makeAsyncIterator()
    _ = await batches.next()
    try await found.setQuery { query in
      query.ranked(id: 1) { SearchPattern($0.id == 0 ? "bl" : "blu").match(in: $0.title) }
    }
    let batch = try #require(await batches.next())
    #expect(batch.models.keys.sorted() == [1])
    #expect(batch.models[1]?.match.ranges.utf8 == [0..<3])
    #expect(batch.difference.itemInserts.isEmpty && batch.difference.itemMoves.isEmpty)
  }

  @Test("Of the texts that are typed without a pause, the last is searched")
  func debounce() async throws {
    let (base, clock, scores) = (try await makeSongs(), ManualClock(), CallCounter())
    let found: Found = base.derived(options: SourceOptions(clock: clock)) { query in
      query.ranked(id: "") { SearchPattern("").match(in: $0.title) }
    }
    var batches = read(found)
    #expect(await batches.next()?.snapshot.numberOfItems == 300)
    try await wait { found.population.waiting == 1 }
    @Sendable func set(_ text: String, after pause: Duration) async throws -> Bool {
      try await found.setQuery(after: pause) { query in
        query.ranked(id: text) { song in
          scores.count()
          return SearchPattern(text).match(in: song.title)
        }
      }
    }
    var keys: [Task<Bool, any Error>] = []
    for text in ["s", "so", "son", "song", "song 2", "song 29"] {
      keys.append(Task { try await set(text, after: .milliseconds(80)) })
      try await wait { clock.sleeping == keys.count }
      clock.advance(by: .milliseconds(10))
    }
    #expect(scores.take() == 0)
    clock.advance(by: .milliseconds(20))
    clock.advance(by: .milliseconds(60))
    for (number, key) in keys.enumerated() {
      #expect(try await ended { try await key.value } == (number == keys.count - 1))
    }
    #expect(await batches.next()?.snapshot.containsItem(29) == true)
    #expect(scores.take() == 300)
    // One that does not wait takes the place of one that does, and one that is cancelled sets nothing.
    let late = Task { try await set("late", after: .seconds(1)) }
    try await wait { clock.sleeping == 1 }
    try await found.setQuery { query in
      query.ranked(id: "now") { SearchPattern("song 3").match(in: $0.title) }
    }
    clock.advance(by: .seconds(1))
    #expect(try await ended { try await late.value } == false)
    let cancelled = Task { try await set("cancelled", after: .seconds(1)) }
    try await wait { clock.sleeping == 1 }
    cancelled.cancel()
    await #expect(throws: DataSourceError.cancelled) { try await cancelled.value }
    #expect(await found.snapshot.containsItem(3))
    #expect(scores.take() == 0)
    await found.finish()
    await #expect(throws: DataSourceError.finished) { try await set("end", after: .zero) }
  }

  @Test("A search is given up when the next text is here, and nothing is missed")
  func supersession() async throws {
    let (base, reads) = (try await makeSongs(3_000), CallCounter())
    let found: Found = base.derived { $0.searched(id: 0, for: "", in: { $0.title }, first: 5) }
    var batches = read(found)
    _ = await batches.next()
    try await wait { found.population.waiting == 1 }
    // It reads other texts, and while it does, another one is typed.
    let isTyped = Flag()
    try await found.setQuery { query in
      query.searched(
        id: 1, for: "song 1",
        in: { song in
          reads.count()
          if !isTyped.isRaised {
            isTyped.raise()
            found.turns.begin(found.turns.next())
          }
          return song.title
        }, first: 5)
    }
    #expect(isTyped.isRaised)
    try await found.setQuery { $0.searched(id: 0, for: "song 77", in: { $0.title }, first: 5) }
    let batch = try #require(await batches.next())
    #expect(batch.snapshot.itemIdentifiers(inSection: 1).first == 77)
    #expect(reads.take() < 200)
    // What a program asks for is worked out, whoever types meanwhile.
    #expect(await found.snapshot.itemIdentifiers(inSection: 1).first == 77)
  }

  @Test(
    "A search that was given up is no change, and is the first when it is set or asked for again",
    arguments: [1, 2])
  func explained(times: Int) async throws {
    let base = try await makeSongs(3_000)
    let found: Found = base.derived { $0.searched(id: 0, for: "", in: { $0.title }, first: 5) }
    var batches = read(found)
    _ = await batches.next()
    try await wait { found.population.waiting == 1 }
    let isTyped = Flag()
    for _ in 0..<times {
      try await found.setQuery { query in
        query.searched(
          id: 1, for: "song 77",
          in: { song in
            if !isTyped.isRaised {
              isTyped.raise()
              found.turns.begin(found.turns.next())
            }
            return song.title
          }, first: 5)
      }
      #expect(isTyped.isRaised)
    }
    try #require(await found.snapshot.itemIdentifiers(inSection: 1).first == 77)
    #expect(await batches.next()?.snapshot.itemIdentifiers(inSection: 1).first == 77)
    let step = try #require(await found.explain().steps.first)
    #expect(step.changesFollowed == 0 && step.changesFromScratch == 1)
  }

  @Test("A query that is replaced before its turn is not worked out, and nothing is missed")
  func leftOut() async throws {
    let (base, calls) = (try await makeSongs(), CallCounter())
    let found: Found = base.derived { $0.ranked(id: 0, first: 5) { _ in SearchMatch(score: 0) } }
    var batches = read(found)
    _ = await batches.next()
    try await wait { found.population.waiting == 1 }
    try await found.setQuery { query in
      // The next query is given before this one is set.
      found.turns.begin(found.turns.next())
      return query.filter { song in
        calls.count()
        return song.id < 100
      }.ranked { SearchMatch(score: Double($0.id)) }
    }
    #expect(calls.take() == 0)
    try await found.setQuery { $0.ranked { SearchMatch(score: Double($0.id)) } }
    #expect(await batches.next()?.snapshot.itemIdentifiers(inSection: 1).first == 299)
    #expect(calls.take() == 0)
  }

  @Test("A query that was left out is worked out if no other comes before a change of the base")
  func leftOutAlone() async throws {
    let base = try await makeSongs()
    let found: Found = base.derived { $0.ranked(id: 0) { _ in SearchMatch(score: 0) } }
    var batches = read(found)
    _ = await batches.next()
    try await wait { found.population.waiting == 1 }
    try await found.setQuery { query in
      found.turns.begin(found.turns.next())
      return query.filter { $0.id < 100 }.ranked { _ in SearchMatch(score: 0) }
    }
    try await base.update { $0.deleteItems([0]) }
    #expect(await batches.next()?.snapshot.numberOfItems == 99)
  }

  @Test("After a search that was given up, the next one looks at rows that it has left out")
  func memory() async throws {
    let snapshot = try await makeSongs().snapshot
    var rows = ScoredRows<Folder, Int>()
    func follow(_ text: String, leaves: Int = .max) -> Bool {
      var asked = 0
      let scorer = ScoreRule.Scorer.text(
        SearchPattern(text),
        ElementText { $0.assumingMemoryBound(to: Song.self).pointee.title })
      let scoring = ScoredRows<Folder, Int>.Scoring(scorer, all: true) {
        asked += 1
        return asked > leaves
      }
      return rows.follow(snapshot, scoring)
    }
    #expect(follow("song"))
    #expect(!follow("song 1", leaves: 2))
    #expect(follow("song 22"))
    #expect(rows[0]?.best(1).first?.row.item(as: Int.self) == 22)
    #expect(follow("song"))
    #expect(rows[0]?.best(nil).count == 150 && rows[1]?.best(nil).count == 150)
    // What rows had for the text before does not count any more.
    #expect(rows[0]?.leaves.allSatisfy { $0.best == $0.scores.max() } == true)
  }
}
