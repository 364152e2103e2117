import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A query says what it does", .deadline) struct ExplanationTests {
  private typealias Hint = QueryExplanation.Hint

  private static func notes(
    _ count: Int, clock: ManualClock = ManualClock()
  ) async throws -> Notes {
    let notes = Notes(options: SourceOptions(clock: clock))
    try await notes.apply(
      (0..<count).map { Note(id: $0, folder: Folder($0 % 3), title: $0) }, section: \.folder)
    return notes
  }

  @Test func `Each step has the operations that are worked out together, with their names`()
    async throws
  {
    let notes = try await Self.notes(9)
    let shown = notes.derived { query in
      query.filter(id: "text") { $0.title > 1 }.sorted(id: 7, by: \.title, reverse: true)
        .grouped(by: \.folder, sections: [1, 2])
        .distinct(id: "a", by: \.id).window(2..<5).prefix(2).suffix(1).ungrouped()
        .outlined { _ in nil }.searched { _ in true }
        .countingDescendants(id: 3) { note, _ in note }
    }
    let steps = await shown.explain().steps
    #expect(
      steps.map { $0.operations.map(\.description) } == [
        ["filter, id: \"text\"", "sorted(by:), id: 7, reverse: true"],
        ["grouped(by:)"], ["distinct(by:), id: \"a\""], ["window(2..<5)"], ["prefix(2)"],
        ["suffix(1)"], ["ungrouped"], ["outlined(by:)"], ["searched"],
        ["aggregatingDescendants, id: 3"],
      ])
    #expect(steps.map(\.rowsIn) == [9, 7, 5, 5, 3, 2, 1, 1, 1, 1])
    #expect(steps.map(\.rowsOut) == [7, 5, 5, 3, 2, 1, 1, 1, 1, 1])
    #expect(steps.map(\.changesFromScratch) == steps.map { _ in 1 })
  }

  @Test func `The time of a step is that of its own closures, on the clock of the source`()
    async throws
  {
    let clock = ManualClock()
    let notes = try await Self.notes(8, clock: clock)
    let shown = notes.derived { query in
      query.filter { _ in
        clock.advance(by: .milliseconds(1))
        return true
      }
      .distinct { note in
        clock.advance(by: .seconds(1))
        return note.id
      }
    }
    var times = await shown.explain().steps.map { [$0.lastTime, $0.totalTime] }
    #expect(times == [[.milliseconds(8), .milliseconds(8)], [.seconds(8), .seconds(8)]])
    try await notes.setModel(Note(id: 3, folder: 0, title: 9))
    times = await shown.explain().steps.map { [$0.lastTime, $0.totalTime] }
    let calls = (filter: 9, distinct: times[1][1].components.seconds)
    #expect(times[0] == [.milliseconds(1), .milliseconds(calls.filter)])
    #expect(times[1][1] - times[1][0] == .seconds(8) && calls.distinct > 8)
    // Who only asks changes nothing.
    #expect(await shown.explain() == shown.explain())
  }

  @Test func `Merges and joins are steps, and count what both sources change`() async throws {
    let (notes, others) = try await (Self.notes(9), Self.notes(4))
    let merged = notes.merged(with: others)
    let joined = merged.joined(with: others, by: { $0.title > 100 ? 0 : nil }) { note, _ in note }
    for id in 0..<3 {
      _ = await joined.snapshot
      try await others.setModel(Note(id: id, title: 50 + id))
    }
    var explanation = await joined.explain()
    #expect(explanation.steps.map { $0.operations[0].name } == ["joined(with:by:)"])
    #expect(explanation.steps[0].rowsIn == 13 && explanation.steps[0].rowsOut == 9)
    #expect(explanation.steps[0].changesFromScratch == 1)
    #expect(explanation.followed.map(\.source) == ["DerivedSource", "ModelSource"])
    #expect(explanation.followed.map(\.rowCount) == [9, 4])
    let merge = explanation.followed[0].steps[0]
    #expect(merge.operations[0].name == "merged(with:)" && merge.rowsIn == 13)
    #expect(merge.changesFollowed == 3 && merge.changesFromScratch == 1)
    #expect(explanation.followed[0].followed.map(\.element) == ["Note", "Note"])

    try await joined.setBase(notes)
    explanation = await joined.explain()
    #expect(explanation.steps.isEmpty && explanation.followed.count == 1)
  }

  @Test func `Joins of several rows, and parts of one, say what they are`() async throws {
    let (notes, others) = try await (Self.notes(6), Self.notes(4))
    @Sendable func id(_ note: Note) -> Int? { note.id / 2 }
    let explanations = [
      await notes.joined(withMany: others, by: id) { note, _ in note }.explain(),
      await notes.joined(withEachOf: others, by: id).explain(),
      await notes.outlined(withEachOf: others, by: id).explain(),
      await notes.flatMapped { $0.id > 2 ? [$0] : [] }.explain(),
      await notes.intersection(others).explain(), await notes.subtracting(others).explain(),
    ]
    #expect(
      explanations.map { $0.steps.map { $0.operations[0].name } } == [
        ["joined(withMany:by:)"], ["joined(withEachOf:by:)"],
        ["outlined(withEachOf:by:)", "outlined(by:)"], ["flatMapped"], ["intersection"],
        ["subtracting"],
      ])
    #expect(explanations.map { $0.steps[0].rowsOut } == [6, 8, 10, 3, 4, 2])
    #expect(explanations.map { $0.steps[0].changesFromScratch } == [1, 1, 1, 1, 1, 1])
  }

  @Test func `A total is explained, too`() async throws {
    let notes = try await Self.notes(5)
    let total = notes.derived { $0.filter { $0.id > 1 } }.total(.count)
    #expect(await total.value == 3)
    try await notes.setModel(Note(id: 4, folder: 1, title: 77))
    let explanation = await total.explain()
    #expect(explanation.steps.map { $0.operations.map(\.name) } == [["total"]])
    #expect(explanation.steps[0].changesFollowed == 1)
    #expect(explanation.followed[0].steps[0].operations[0].name == "filter")
  }

  @Test func `It says which operations need a name`() async throws {
    let notes = try await Self.notes(9)
    let shown = notes.derived { $0.sorted(by: \.title).grouped(id: 1, by: \.folder) }
    for _ in 0..<2 {
      _ = await shown.snapshot
      try await shown.setQuery { $0.sorted(by: \.title).grouped(id: 1, by: \.folder) }
    }
    #expect(await shown.explain().steps.map(\.hints) == [[.unnamed(queries: 2)]])
    try await shown.setQuery { $0.sorted(id: 2, by: \.title).grouped(id: 1, by: \.folder) }
    #expect(await shown.explain().steps.map(\.hints) == [[]])
    // A name for the first time: nobody can say whether it is the same grouping.
    let other = notes.derived { $0.sorted(by: \.title).grouped(by: \.folder) }
    _ = await other.snapshot
    try await other.setQuery { $0.sorted(by: \.title).grouped(id: 1, by: \.folder) }
    #expect(await other.explain().steps.map(\.hints) == [[]])
    // Another text is another filter, and nothing is amiss.
    try await shown.setQuery {
      $0.sorted(id: 3, by: \.title, reverse: true).grouped(id: 1, by: \.folder)
    }
    #expect(await shown.explain().steps.map(\.hints) == [[]])
  }

  @Test func `It says where a second list is kept`() async throws {
    let notes = try await Self.notes(300)
    let costly = await notes.derived { query in
      query.sorted(by: \.title).map { $0 }.grouped(by: \.folder) { $0.number < $1.number }
    }.explain()
    let cheap = await notes.derived { query in
      query.sorted(by: \.title).grouped(by: \.folder) { $0.number < $1.number }.map { $0 }
    }.explain()
    #expect(costly.steps.flatMap(\.hints) == [.secondList])
    #expect(cheap.steps.flatMap(\.hints).isEmpty)
    let maps = [costly, cheap].map { explanation in
      explanation.steps.first { $0.operations.contains { $0.name == "map" } }?.bytes ?? 0
    }
    #expect(maps[0] > maps[1] + 300 * MemoryLayout<Note>.stride)
  }

  @Test func `It says which changes were too large, and where rows are in a circle`() async throws {
    let notes = try await Self.notes(200)
    let shown = notes.derived { query in
      query.outlined { note in note.title < 0 ? note.id ^ 3 : nil }
    }
    _ = await shown.snapshot
    try await notes.setModels((0..<100).map { Note(id: $0, folder: Folder($0 % 3), title: 900) })
    #expect(await shown.explain().steps[0].hints == [.largeChanges(count: 1)])
    // The rows 0 and 3 are in one section, and name each other.
    try await notes.setModels([0, 3].map { Note(id: $0, title: -1) })
    #expect(await shown.explain().steps[0].hints == [.largeChanges(count: 1), .circle])
    try await notes.setModel(Note(id: 0, title: 1))
    let step = await shown.explain().steps[0]
    #expect(step.hints == [.largeChanges(count: 1)] && step.changesFromScratch == 4)
  }

  @Test func `The best rows are chosen again for each change, which is not too large for that`()
    async throws
  {
    let notes = try await Self.notes(200)
    let shown = notes.derived { query in
      query.ungrouped().ranked(id: 0, first: 5) { SearchMatch(score: Double($0.title)) }
    }
    _ = await shown.snapshot
    for title in 1000..<1003 {
      try await notes.setModel(Note(id: 3, folder: 0, title: title))
      #expect(await shown.snapshot.itemIdentifiers.first == 3)
    }
    let step = try #require(await shown.explain().steps.last)
    #expect(step.changesFollowed == 3 && step.changesFromScratch == 1 && step.hints.isEmpty)
  }

  @Test func `What is worked out from scratch for another reason was not too large`() async throws {
    let notes = try await Self.notes(9)
    let ranked = notes.derived { query in
      query.grouped(by: \.folder).ranked(id: 0) { SearchMatch(score: Double($0.title)) }
    }
    let tree = notes.derived { query in
      query.filter { $0.text == 0 }.ungrouped().outlined { $0.id == 0 ? nil : 0 }
    }
    let total = tree.total(below: 0, .count)
    _ = await ranked.snapshot
    #expect(await total.value == 8)
    // A group comes, and the row goes.
    try await notes.update { draft in
      try draft.appendItems([Note(id: 50, folder: 7)], toSection: 0)
      try draft.update(0) { $0.text = 1 }
    }
    #expect(await total.value == 0)
    for explanation in [await ranked.explain(), await total.explain()] {
      let step = try #require(explanation.steps.last)
      #expect(step.changesFromScratch == 2 && step.hints.isEmpty, "\(step.operations)")
    }
  }

  @Test func `Leaves that a step shares with the list before it cost nothing`() async throws {
    let notes = try await Self.notes(3000)
    func bytes(_ query: (Notes.Query) -> Notes.Query) async -> Int {
      await notes.derived(query).explain().steps[0].bytes
    }
    let rows = 3000 * (MemoryLayout<Note>.stride + MemoryLayout<Int>.stride + 4)
    let (all, sorted) = await (bytes { $0.filter { _ in true } }, bytes { $0.sorted(by: \.text) })
    let index = 3000 * 32 + 3 * 300
    #expect(all == index)
    #expect(sorted > rows + index && sorted < rows + rows / 4 + index)
  }
}

extension ModelSource { fileprivate typealias Query = ListQuery<Batch, Batch> }
