import DiffableTesting
import ListSupport
import Synchronization
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("A derived source is a source that works when it is asked") struct DerivedSourceTests {
  @Test("over identifiers") func identifiers() async throws {
    let base = DataSourceActor<String, Int>()
    let even = base.derived { $0.filter { $0.isMultiple(of: 2) }.sorted(by: >) }
    var batches = even.updates().makeAsyncIterator()
    #expect(await batches.next()?.snapshot.numberOfItems == 0)
    try await base.update { order in
      order.appendSections(["a", "b"])
      try order.appendItems(0..<5, toSection: "a")
      try order.appendItems(5..<9, toSection: "b")
    }
    #expect(await batches.next()?.snapshot.description == "a[4 2 0] b[8 6]")
    try await base.update { order in
      try order.moveItem(2, afterItem: 8)
      try order.reloadItems([4, 5])
    }
    let batch = try #require(await batches.next())
    #expect(batch.difference.description == "0:1→1:2 *0:0")
    #expect(batch.snapshot.description == "a[4 0] b[8 6 2]")
    let fours = even.derived { $0.grouped(by: { $0 / 4 }, order: <) }
    #expect(await fours.snapshot.description == "0[0 2] 1[4 6] 2[8]")
  }

  @Test("Nobody follows: the base does not know it, and nothing is computed")
  func costsNothing() async throws {
    let base = try await Notes.of(.some)
    let calls = PayloadCensus()
    let payload = Payload(calls)
    let derived = (0..<100).map { _ in
      base.derived { query in
        query.filter { _ in
          Issue.record("nobody asked")
          return withExtendedLifetime(payload) { true }
        }
      }
    }
    try await base.setModel(Note(id: 1, text: 7))
    #expect(base.population.subscribers == 0)
    #expect(derived.count == 100)
  }

  @Test("It follows while somebody follows it, and rests after that") func rests() async throws {
    let base = try await Notes.of(.some)
    let derived = base.derived { $0.filter { $0.text > 0 } }
    var batches: AsyncStream? = derived.updates()
    _ = await batches?.first { _ in true }
    #expect(base.population.subscribers == 1)
    batches = nil
    try await wait { base.population.subscribers == 0 }
    // It goes on from where it was.
    try await base.setModel(Note(id: 0, folder: 0, text: 1))
    #expect(await derived.snapshot.containsItem(0))
    try await wait { base.population.subscribers == 0 }
  }

  @Test("A task that is cancelled while it asks takes nothing from the others")
  func cancelledWhileAsking() async throws {
    let base = try await Notes.of(.some)
    let derived = base.derived(options: .strict) { $0.filter { $0.text > 0 } }
    var batches = derived.updates().makeAsyncIterator()
    _ = try #require(await batches.next())
    for text in [7, 0, 8] {
      try await base.setModel(Note(id: 0, folder: 0, text: text))
      let seen = await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await derived.snapshot.containsItem(0)
      }.value
      #expect(seen == (text > 0))
      #expect(try #require(await batches.next()).snapshot.containsItem(0) == (text > 0))
    }
  }

  @Test("Models of other types on the way are made anew, whatever they are called")
  func otherModels() async throws {
    struct Title: Identifiable, Equatable {
      let id: Int
      var text: String
    }
    struct Pair: Identifiable, Equatable {
      let id: Int
      var numbers: [Int]
    }
    let base = try await Notes.of(.some)
    let derived = base.derived { query in
      query.map(id: 0) { Title(id: $0.id, text: "the title of note \($0.title)") }
        .map { Note(id: $0.id, text: $0.text.count) }
    }
    var batches = derived.updates().makeAsyncIterator()
    #expect(await batches.next()?.model(for: 3)?.text == 19)
    try await derived.setQuery { query in
      query.map(id: 0) { Pair(id: $0.id, numbers: [$0.title, $0.text]) }
        .map { Note(id: $0.id, text: $0.numbers.count) }
    }
    #expect(await batches.next()?.models.values.allSatisfy { $0.text == 2 } == true)
  }

  @Test("Each element is transformed once while it stays the same") func transformsOnce()
    async throws
  {
    let base = try await Notes.of(.some)
    let calls = CallCounter()
    let derived = base.derived { query in
      query.map { note -> Note in
        calls.count()
        return Note(id: note.id, text: note.text / 2)
      }
    }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(calls.value == 12)
    try await base.update { draft in
      try draft.snapshot.moveItem(0, afterItem: 11)
      try draft.update(4) { $0.text = 0 }
    }
    let batch = try #require(await batches.next())
    #expect(calls.value == 13)
    // What is shown for the changed element is what was shown before.
    #expect(batch.difference.description == "0:0→1:6")
  }

  @Test("A comparison that is no order gives some order") func noOrder() async throws {
    struct Reading: Identifiable, Equatable {
      let id: Int
      var value: Double
    }
    let base = ModelSource<Int, Reading>()
    var random = SplitMix64(seed: 7)
    func reading(_ id: Int) -> Reading {
      Reading(id: id, value: random.chance(oneIn: 3) ? .nan : Double(random.number(below: 9)))
    }
    try await base.apply((0..<200).map(reading), section: { $0.id % 3 })
    let coin = CallCounter()
    let derived = [
      base.derived { $0.sorted { $0.value < $1.value } },
      base.derived { $0.sorted { _, _ in true } },
      base.derived { query in
        query.sorted { _, _ in
          coin.count()
          return coin.value.isMultiple(of: 3)
        }
      },
    ]
    var batches = derived.map { $0.updates().makeAsyncIterator() }
    for _ in 0..<40 {
      try await base.setModels((0..<5).map { _ in reading(random.number(below: 200)) })
      for index in batches.indices {
        let batch = try #require(await batches[index].next())
        #expect(Set(batch.snapshot.itemIdentifiers) == Set(0..<200))
      }
    }
  }

  @Test("Another base: one batch from the one to the other") func otherBase() async throws {
    let (first, second) = (
      try await Notes.of(.some), try await Notes.of([Note(id: 3), Note(id: 50)])
    )
    let derived = first.derived { $0.filter { $0.id > 2 } }
    var batches = derived.updates().makeAsyncIterator()
    let before = try #require(await batches.next())
    try await derived.setBase(second)
    let batch = try #require(await batches.next())
    #expect(batch.base == before.target)
    #expect(batch.snapshot.itemIdentifiers == [3, 50])
    try await wait { first.population.subscribers == 0 }
    try await second.setModel(Note(id: 3, title: 1))
    #expect(await batches.next()?.models.keys.sorted() == [3])
  }

  @Test("A state that shows a former base is of no revision of the base") func formerBase()
    async throws
  {
    let (first, second) = (Notes(), Notes())
    try await first.apply([Note(id: 3), Note(id: 4)], section: \.folder)
    try await second.apply([Note(id: 50)], section: \.folder)
    try await second.apply([Note(id: 50), Note(id: 3)], section: \.folder)
    let derived = first.derived { $0.filter { $0.id > 2 } }
    let shown = await derived.revision
    #expect(await derived.baseRevision(of: shown) == Revision(1))
    try await derived.setBase(second)
    #expect(await derived.baseRevision(of: shown) == nil)
    // The row is not in that revision of the new base, but in the base.
    #expect(try await derived.beginReorder([3], at: shown) != nil)
    #expect(await derived.snapshot.itemIdentifiers == [50, 3])
    #expect(await derived.baseRevision(of: derived.revision) == Revision(2))
  }

  @Test("Writers, queries and subscribers at the same time end on the query of the last state")
  func together() async throws {
    let base = try await Notes.of(.some)
    let derived = base.derived { $0.filter { $0.text != 1 } }
    let last = try await withThrowingTaskGroup(of: [ModelBatch<Folder, Note>].self) { group in
      for policy in [UpdatePolicy.coalesced, .every(limit: 2), .coalesced] {
        group.addTask {
          var last: [ModelBatch<Folder, Note>] = []
          for await batch in derived.updates(policy) {
            if let previous = last.first, let start = batch.base {
              #expect(start == previous.target)
            }
            last = [batch]
          }
          return last
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for writer in 0..<3 {
          writers.addTask {
            for round in 0..<30 {
              try await base.setModel(
                Note(id: (writer * 7 + round) % 12, title: round, text: round % 3))
            }
          }
        }
        writers.addTask {
          for round in 0..<20 { try await derived.setQuery { $0.filter { $0.text != round % 3 } } }
        }
        writers.addTask { for _ in 0..<30 { _ = await derived.snapshot } }
        try await writers.waitForAll()
      }
      try await derived.setQuery { $0.filter { $0.text != 2 }.sorted { $0.title < $1.title } }
      await base.finish()
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let live = QueryScript.Plain(await base.snapshot)
    let expected = live.sections.map { section in
      section.notes.filter { $0.text != 2 }.sorted { $0.title < $1.title }
    }
    #expect(last.count == 3)
    for batch in last {
      #expect(QueryScript.Plain(batch.snapshot).sections.map(\.notes) == expected)
    }
  }
}

/// Counts calls from any task.
final class CallCounter: Sendable {
  private let calls = Atomic(0)

  var value: Int { calls.load(ordering: .relaxed) }

  func count() { calls.wrappingAdd(1, ordering: .relaxed) }

  /// The number of calls since it was asked before.
  @discardableResult func take() -> Int { calls.exchange(0, ordering: .relaxed) }
}
