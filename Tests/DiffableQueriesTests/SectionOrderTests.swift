import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

private struct Reading: Identifiable, Equatable {
  let id: Int
  var value: Double
}

@Suite("Sections that follow from what their rows come to", .deadline) struct SectionOrderTests {
  typealias Query = QueryScript.Query

  /// Notes by their titles: 0 has one, 1 has two, and so on; each is as much as its identifier.
  private static func makeNotes(_ groups: Int = 4) async throws -> Notes {
    let notes = Notes()
    let models = (0..<groups).flatMap { group in
      (0...group).map { Note(id: 10 * group + $0, title: group, text: 10 - group) }
    }
    try await notes.apply(models, section: \.folder)
    return notes
  }

  private static func grouped(_ query: Query) -> Query {
    query.grouped(id: 0, by: { Folder($0.title) })
  }

  private static func sections(_ source: DerivedLawTests.Derived) async -> [Int] {
    await source.snapshot.sectionIdentifiers.map(\.number)
  }

  @Test("They are ordered by a value, and otherwise as they were")
  func order() async throws {
    let notes = try await Self.makeNotes()
    let byCount = notes.derived { Self.grouped($0).sectionsSorted(by: .count, reverse: true) }
    let byParity = notes.derived { query in
      Self.grouped(query).sectionsSorted(by: .count.map { $0 % 2 }, order: >)
    }
    #expect(await Self.sections(byCount) == [3, 2, 1, 0])
    #expect(await Self.sections(byParity) == [0, 2, 1, 3])
    try await notes.update { draft in
      for item in [0, 30] { try draft.update(item) { $0.title = 1 } }
    }
    // 0 is gone, and 2 and 3 have three each.
    #expect(await byCount.snapshot.description == "1[0 10 11 30] 2[20 21 22] 3[31 32 33]")
    #expect(await Self.sections(byParity) == [2, 3, 1])
  }

  @Test("Sections of a source, without models and with trees")
  func ownSections() async throws {
    let numbers = DataSourceActor<String, Int>()
    try await numbers.update { list in
      list.appendSections(["a", "b", "c"])
      try list.appendItems([1, 2], toSection: "a")
      try list.appendItems([3, 4, 5], toSection: "c")
      var outline = try Outline([9])
      try outline.append([7, 8], to: 9)
      try list.setOutline(outline, forSection: "b")
    }
    let sorted = numbers.derived { query in
      query.sectionsSorted(by: .sum(of: { $0 }), reverse: true).prefix(ofEachSection: 2)
    }
    let full = numbers.derived { $0.filterSections(.count) { $0 > 1 } }
    #expect(await sorted.snapshot.description == "c[3 4] b[9] a[1 2]")
    #expect(await full.snapshot.description == "a[1 2] c[3 4 5]")
    // What an outline hides does not count.
    try await numbers.update { $0.expandItems([9]) }
    #expect(await sorted.snapshot.description == "b[9 7] c[3 4] a[1 2]")
    #expect(await full.snapshot.description == "a[1 2] b[9 7 8] c[3 4 5]")
  }

  @Test("What is not a number, or is missing, is last in both directions")
  func notNumbers() async throws {
    let readings = ModelSource<Int, Reading>()
    let values: [[Double]] = [
      [1], [.nan], [.infinity, 1], [-.infinity], [.infinity, -.infinity], [],
    ]
    try await readings.update { draft in
      draft.appendSections(Array(0..<6))
      for (section, values) in values.enumerated() {
        try draft.appendItems(
          values.enumerated().map { Reading(id: 10 * section + $0, value: $1) },
          toSection: section)
      }
    }
    let orders: [(Bool, sum: [Int], least: [Int])] = [
      (false, [3, 5, 0, 2, 1, 4], [3, 4, 0, 2, 1, 5]),
      (true, [2, 0, 5, 3, 1, 4], [0, 2, 3, 4, 1, 5]),
    ]
    for (reverse, bySum, byLeast) in orders {
      let sums = readings.derived { $0.sectionsSorted(by: .sum(of: \.value), reverse: reverse) }
      let least = readings.derived {
        $0.sectionsSorted(by: .minimum(of: \.value), reverse: reverse)
      }
      #expect(await sums.snapshot.sectionIdentifiers == bySum)
      #expect(await least.snapshot.sectionIdentifiers == byLeast)
    }
    let sums = readings.derived { $0.sectionsSorted(by: .sum(of: \.value)) }
    _ = await sums.snapshot
    try await readings.update { draft in
      try draft.update(10) { $0.value = 2 }
      draft.deleteItems([41])
    }
    #expect(await sums.snapshot.sectionIdentifiers == [3, 5, 0, 1, 2, 4])
  }

  @Test("Other groups that are always there make another grouping, also under the same name")
  func otherFixedGroups() async throws {
    let notes = try await Self.makeNotes(3)
    func groups(_ folders: [Folder]) -> @Sendable (Query) -> Query {
      { $0.grouped(id: "title", by: { Folder($0.title) }, sections: folders) }
    }
    let derived = notes.derived(groups([2, 0, 7, 1]))
    #expect(await derived.snapshot.description == "2[20 21 22] 0[0] 7[] 1[10 11]")
    try await derived.setQuery(groups([0, 1, 2, 7]))
    #expect(await derived.snapshot.description == "0[0] 1[10 11] 2[20 21 22] 7[]")
    try await derived.setQuery(groups([1, 3]))
    #expect(await derived.snapshot.description == "1[10 11] 3[]")
  }

  @Test("Models of sections are of all rows, and say how many are left out")
  func models() async throws {
    let notes = try await Self.makeNotes()
    let derived = notes.derived { query in
      Self.grouped(query)
        .sectionModels(.sum(of: \.text)) { "\($0): \($1) for \($2)" }
        .sectionsSorted(by: .count, reverse: true)
        .prefix(ofEachSection: 2) { _, title, more in
          more > 0 ? "\(title ?? ""), \(more) more" : title
        }
    }
    var batches = derived.updates().makeAsyncIterator()
    let first = try #require(await batches.next())
    #expect(first.snapshot.description == "3[30 31] 2[20 21] 1[10 11] 0[0]")
    #expect(
      first.sectionModels == [
        3: "3: 4 for 28, 2 more", 2: "2: 3 for 24, 1 more", 1: "1: 2 for 18", 0: "0: 1 for 10",
      ])
    // A row that is left out.
    try await notes.update { try $0.update(33) { $0.text = 10 } }
    let second = try #require(await batches.next())
    #expect(second.sectionModels == [3: "3: 4 for 31, 2 more"])
    #expect(second.difference.itemReconfigures.isEmpty)
    try await notes.update { $0.deleteItems([20]) }
    let third = try #require(await batches.next())
    #expect(third.sectionModels == [2: "2: 2 for 16"])
    #expect(third.snapshot.description == "3[30 31] 1[10 11] 2[21 22] 0[0]")
    // What comes after it is of the rows that are shown.
    try await derived.setQuery { query in
      Self.grouped(query).prefix(ofEachSection: 2).sectionModels { "\($0): \($1)" }
    }
    #expect(await derived.snapshot.sectionModel(of: 3) == "3: 2")
  }

  @Test("Nothing is read again but rows that change, and few sections are compared")
  func incremental() async throws {
    let notes = try await Notes.of((0..<3000).map { Note(id: $0, title: $0 % 600, text: 1) })
    let (values, comparisons) = (CallCounter(), CallCounter())
    let total = Aggregate<Note, Int>.sum(of: {
      values.count()
      return $0.text
    })
    let derived = notes.derived { query in
      Self.grouped(query).sectionsSorted(by: total) { left, right in
        comparisons.count()
        return left > right
      }
      .filterSections(total) { $0 > 2 }
      .prefix(ofEachSection: 3)
    }
    var batches = derived.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(values.value == 6000)
    let before = comparisons.value
    try await notes.setModel(Note(id: 7, title: 7, text: 2))
    #expect(await batches.next()?.snapshot.sectionIdentifiers.first == 7)
    // A section that is left out, and then comes back.
    try await notes.update { $0.deleteItems([8, 608, 1208]) }
    #expect(await batches.next()?.snapshot.containsSection(8) == false)
    try await notes.setModel(Note(id: 1808, title: 8, text: 9))
    #expect(await batches.next()?.snapshot.sectionIdentifiers.first == 8)
    // A new row, at the end of its section: none that is shown.
    try await notes.appendItems([Note(id: 3000, title: 9, text: 0)], toSection: 0)
    #expect(values.value < 6000 + 12)
    #expect(comparisons.value - before < 200)
  }

  @Test("Operations that are declared to do the same are not computed again")
  func declared() async throws {
    let notes = try await Self.makeNotes(9)
    let values = CallCounter()
    func query(_ query: Query, _ text: Int) -> Query {
      let total = Aggregate<Note, Int>.sum(of: {
        values.count()
        return $0.text
      })
      return Self.grouped(query).sectionsSorted(id: 1, by: total, reverse: true)
        .filterSections(id: 2, total) { $0 > 10 }.prefix(ofEachSection: 2)
        .filter { $0.text != text }
    }
    let derived = notes.derived { query($0, 0) }
    _ = await derived.snapshot
    let before = values.value
    try await derived.setQuery { query($0, -1) }
    _ = await derived.snapshot
    #expect(values.value == before)
    try await derived.setQuery { query in
      Self.grouped(query).sectionsSorted(
        id: 1,
        by: .sum(of: {
          values.count()
          return $0.text
        })
      ).filter { $0.id >= 0 }
    }
    // In the other direction, and not as the last step, which is worked out again anyway.
    #expect(await Self.sections(derived).first == 0)
    #expect(values.value > before)
  }

  @Test("Drags mean what they mean without an order of sections")
  func drags() async throws {
    let notes = try await Self.makeNotes()
    let derived = notes.derived { query in
      Self.grouped(query).onMove { $0.title = $1.number }
        .sectionsSorted(by: .count, reverse: true).prefix(ofEachSection: 3)
    }
    #expect(await derived.snapshot.description == "3[30 31 32] 2[20 21 22] 1[10 11] 0[0]")
    func drop(_ item: Int, _ place: ReorderDestination<Folder, Int>) async throws -> String {
      var drag = try #require(try await derived.beginReorder([item]))
      _ = try drag.proposed(to: place)
      if let refusal = drag.refusal { return "\(refusal)" }
      _ = try await drag.commit()
      return await derived.snapshot.description
    }
    #expect(try await drop(32, .before(30)) == "3[32 30 31] 2[20 21 22] 1[10 11] 0[0]")
    #expect(try await drop(21, .before(10)) == "3[32 30 31] 1[21 10 11] 2[20 22] 0[0]")
    // After the last one that is shown there are others.
    #expect(try await drop(22, .end(of: 1)) == "1[21 10 11] 3[32 30 31] 0[0] 2[20]")
    #expect(await notes.model(for: 22)?.title == 1)
  }

  @Test("A row that is shown since its section is first stays there")
  func distinctDrags() async throws {
    let notes = Notes()
    let models = [(2, 0, 1), (1, 0, 0), (3, 1, 0), (4, 1, 2), (5, 1, 3)]
    try await notes.apply(
      models.map { Note(id: $0, folder: Folder($1), title: $2) }, section: \.folder)
    let derived = notes.derived { query in
      query.sectionsSorted(by: .count, reverse: true).distinct(by: \.title)
    }
    #expect(await derived.snapshot.description == "1[3 4 5] 0[2]")
    for (item, refusal) in [(3, ReorderRefusal.hidden), (4, nil)] {
      var drag = try #require(try await derived.beginReorder([item]))
      _ = try drag.proposed(to: .before(2))
      #expect(drag.refusal == refusal)
    }
  }
}
