import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

/// The law of a source of models: it is a source of identifiers with a dictionary beside it.
@Suite("A source of models is an order and a dictionary") struct ModelLawTests {
  /// What a source is compared with.
  private struct Reference {
    var models: [Int: Note] = [:]

    /// What is left of it beside an order, with what a writer gives.
    mutating func follow(_ order: Snapshot<Folder, Int>, given: [Note]) {
      let given = Dictionary(given.map { ($0.id, $0) }) { _, last in last }
      let items = order.allItems
      models = Dictionary(
        uniqueKeysWithValues: items.compactMap { item in
          (given[item] ?? models[item]).map { (item, $0) }
        })
    }
  }

  @Test(
    "Lists, outlines, stale snapshots, sections that go and come",
    arguments: 1...rounds(40 as UInt64))
  func randomly(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = Notes()
    var reference = Reference()
    var stale: [Snapshot<Folder, Int>] = []
    for step in 0..<40 {
      let comment: Comment = "seed \(seed), step \(step)"
      let given = try await change(source, reference, stale, &random)
      let order = await source.snapshot
      reference.follow(order, given: given)
      for item in 0..<24 {
        #expect(await source.model(for: item) == reference.models[item], comment)
      }
      if random.chance(oneIn: 3) { stale.append(order) }
    }
  }

  /// Applies models; a list may name what the outline of another section hides, and is refused then.
  ///
  /// - Returns: The models, if they were taken.
  private func unlessHidden(
    _ notes: [Note], _ apply: () async throws -> WriteResult<Void>
  ) async throws -> [Note] {
    do {
      _ = try await apply()
      return notes
    } catch DataSourceError.invalidSnapshot(.duplicateItems) {
      return []
    }
  }

  /// Makes a random change.
  ///
  /// - Returns: The models that were given.
  private func change(
    _ source: Notes, _ reference: Reference, _ stale: [Snapshot<Folder, Int>],
    _ random: inout SplitMix64
  ) async throws -> [Note] {
    let order = await source.snapshot
    let items = order.allItems
    func note(_ id: Int) -> Note {
      Note(id: id, folder: Folder(random.number(below: 3)), text: random.number(below: 3))
    }
    switch random.number(below: 8) {
    case 0:
      let notes = random.sample(random.shuffled(Array(0..<24)), oneIn: 2).map(note)
      return try await unlessHidden(notes) { try await source.apply(notes, section: \.folder) }
    case 1:
      let notes = random.sample(items, oneIn: 3).map(note)
      try await source.setModels(notes)
      return notes
    case 2:
      // A section that was a list becomes an outline, or gets another one.
      guard let section = random.element(of: order.sectionIdentifiers) else { return [] }
      var outline = Outline<Int>()
      for item in random.shuffled(
        order.outline(ofSection: section)?.items ?? order.itemIdentifiers(inSection: section))
      {
        let parent = random.chance(oneIn: 2) ? random.element(of: outline.items) : nil
        try outline.append([item], to: parent)
      }
      outline.expand(random.sample(outline.items, oneIn: 2))
      let notes = random.sample(outline.items, oneIn: 4).map(note)
      try await source.update { [outline] draft in
        draft.setModels(notes)
        try draft.snapshot.setOutline(outline, forSection: section)
      }
      return notes
    case 3:
      let (expanded, collapsed) = (random.sample(items, oneIn: 2), random.sample(items, oneIn: 2))
      try await source.update { draft in
        draft.snapshot.expandItems(expanded)
        draft.snapshot.collapseItems(collapsed)
      }
      return []
    case 4:
      let gone = random.sample(items, oneIn: 5)
      let sections = random.sample(order.sectionIdentifiers, oneIn: 5)
      try await source.update { draft in
        draft.snapshot.deleteItems(gone)
        draft.snapshot.deleteSections(sections)
      }
      return []
    case 5:
      // Items move to a section that comes, with their models, without anybody giving them.
      let moving = random.sample(order.itemIdentifiers, oneIn: 3)
      let new = (0..<9).map { Folder(100 + $0) }.first { !order.containsSection($0) }
      guard let new else { return [] }
      try await source.update { draft in
        draft.snapshot.deleteItems(moving)
        draft.snapshot.appendSections([new])
        // Deleting the parent of an item deletes that as well.
        try draft.snapshot.appendItems(
          moving.filter { !draft.snapshot.containsItem($0) }, toSection: new)
      }
      return []
    case 6:
      // Models that an old snapshot remembers do not count; what has gone since needs one again.
      guard let old = random.element(of: stale) else { return [] }
      let live = Set(items)
      let missing = old.allItems.filter { !live.contains($0) }
      if let item = missing.first {
        await #expect(throws: DataSourceError.self) { try await source.apply(old, models: []) }
        #expect(await source.model(for: item) == nil)
      }
      let notes = missing.map(note)
      return try await unlessHidden(notes) { try await source.apply(old, models: notes) }
    default:
      guard let section = random.element(of: order.sectionIdentifiers) else { return [] }
      let free = (0..<24).filter { item in !items.contains(item) }
      let notes = random.sample(free, oneIn: 4).map(note)
      try await source.update { draft in
        let index = draft.snapshot.indexOfSection(section) ?? 0
        if var outline = draft.snapshot.outline(ofSectionAt: index) {
          try outline.append(notes.map(\.id), to: outline.items.first)
          draft.setModels(notes)
          try draft.snapshot.setOutline(outline, forSection: section)
        } else {
          try draft.appendItems(notes, toSection: section)
        }
      }
      return notes
    }
  }

  // MARK: What a model may be

  private struct Row<Value: Equatable & Sendable>: Identifiable, Equatable, Sendable {
    let id: Int
    var value: Value
  }

  @Test(
    "Strings, objects, existentials in enumerations, aligned lanes, optionals, and nothing at all")
  func kinds() async throws {
    try await expectLaws { "a string that has memory of its own \($0)" }
    try await expectLaws { $0 % 3 == 0 ? nil : Optional([$0, $0 + 1]) }
    try await expectLaws { SIMD16<Int64>(repeating: Int64($0)) }
    try await expectLaws { _ in Empty() }
    try await expectLaws { $0 % 2 == 0 ? Choice.one(AnyItemID($0)) : .other("\($0)", UInt8(3)) }
  }

  private struct Empty: Equatable, Sendable {}
  private enum Choice: Equatable, Sendable {
    case one(AnyItemID)
    case other(String, UInt8)
  }

  /// Lists of rows with values of some kind, in one section and in many.
  private func expectLaws<Value: Equatable & Sendable>(
    _ value: (Int) -> Value
  ) async throws {
    var random = SplitMix64(seed: 3)
    let source = ModelSource<Int, Row<Value>>()
    for round in 0..<12 {
      let rows = random.sample(random.shuffled(Array(0..<300)), oneIn: 2)
        .map { Row(id: $0, value: value(random.number(below: 4) + round % 2)) }
      let sections = 1 + round % 3
      try await source.apply(rows) { $0.id % sections }
      for row in rows {
        #expect(await source.model(for: row.id) == row)
      }
      let changed = Row(id: rows[0].id, value: value(9))
      try await source.update { draft in
        draft.setModel(changed)
        draft.snapshot.deleteItems([rows[1].id])
      }
      #expect(await source.model(for: changed.id) == changed)
      #expect(await source.model(for: rows[1].id) == nil)
    }
  }

  @Test("Of duplicates in any section the place that the policy keeps gives the model")
  func duplicates() async throws {
    for policy in [DuplicatePolicy.keepFirst, .keepLast] {
      let source = Notes(options: SourceOptions(duplicates: policy))
      let notes = [
        Note(id: 1, folder: 0, text: 1), Note(id: 2, folder: 0, text: 1),
        Note(id: 1, folder: 1, text: 2), Note(id: 2, folder: 0, text: 3),
      ]
      for _ in 0..<2 {
        try await source.apply(notes, section: \.folder)
        let first = policy == .keepFirst
        #expect(await source.model(for: 1) == notes[first ? 0 : 2])
        #expect(await source.model(for: 2) == notes[first ? 1 : 3])
      }
      // So it is with the model of a section that is given twice.
      try await source.apply(
        notes, section: \.folder, sections: [(0, "first"), (1, "other"), (0, "last")])
      #expect(await source.sectionModel(for: 0) == (policy == .keepFirst ? "first" : "last"))
      let kept = policy == .keepFirst ? "0[1 2] 1[]" : "1[] 0[1 2]"
      #expect(await source.snapshot.description == kept, "its rows are where it is kept")
      // An order that waits has its models by the same policy.
      let order = Snapshot<Folder, Int>(sections: [0], items: [[1]])
      _ = await source.enqueue(order, models: [5, 6].map { Note(id: 1, text: $0) }).outcome
      #expect(await source.model(for: 1)?.text == (policy == .keepFirst ? 5 : 6))
    }
  }
}
