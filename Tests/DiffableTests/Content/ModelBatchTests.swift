import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

/// What a batch carries, from the states and the marks alone: any state may follow any other.
@Suite("A batch of models carries what comes, what changes and what is marked, and names what goes")
struct ModelBatchLawTests {
  private typealias State = Snapshot<CodedHeader, Int>

  @Test("From any state to any other one", arguments: 0..<UInt64(rounds(48)))
  func anyStates(seed: UInt64) async throws {
    var generator = SnapshotGenerator<CodedHeader, Int>(
      seed: seed, section: { CodedHeader(number: $0) }, item: { $0 })
    let source = CodedRows()
    var batches = source.updates(.every(limit: 2)).makeAsyncIterator()
    var old = State()
    var (oldModels, oldHeaders): ([Int: CodedRow], [CodedHeader: String]) = ([:], [:])
    for step in 0..<40 {
      let new = generator.changing(generator.snapshot(.anyOf(sections: 4, items: 8)), by: .marked)
      let revision = await source.revision
      var models: [Int: CodedRow] = [:]
      for item in new.itemIdentifiers {
        models[item] = CodedRow(id: item, text: "\(generator.random.number(below: 2))")
      }
      var headers: [CodedHeader: String] = [:]
      for section in new.sectionIdentifiers where generator.random.chance(oneIn: 2) {
        headers[section] = "\(generator.random.number(below: 2))"
      }
      try await source.update { [models, headers] draft in
        draft.setModels(models.values.sorted { $0.id < $1.id })
        draft.snapshot = new
        for section in new.sectionIdentifiers {
          try draft.setSectionModel(headers[section], for: section)
        }
      }
      guard await source.revision != revision else { continue }
      let batch = try #require(await batches.next())
      let comment: Comment = "seed \(seed), step \(step): \(old) → \(batch)"
      guard batch.update.base != nil else {
        #expect(batch.models == models && batch.sectionModels == headers, comment)
        (old, oldModels, oldHeaders) = (new, models, headers)
        continue
      }
      func stays(_ section: CodedHeader?) -> Bool {
        section.map { old.containsSection($0) && new.containsSection($0) } ?? false
      }
      let items = new.itemIdentifiers.filter { item in
        !stays(old.sectionIdentifier(containingItem: item))
          || !stays(new.sectionIdentifier(containingItem: item))
          || new.reloadedItemIdentifiers.contains(item)
          || new.reconfiguredItemIdentifiers.contains(item) || models[item] != oldModels[item]
      }
      #expect(Set(batch.models.keys) == Set(items), comment)
      #expect(batch.models.allSatisfy { models[$0.key] == $0.value }, comment)
      #expect(
        batch.removedItems.sorted() == old.itemIdentifiers.filter { models[$0] == nil }.sorted(),
        comment)
      let sections = new.sectionIdentifiers.filter { section in
        headers[section] != nil
          && (!stays(section) || new.reloadedSectionIdentifiers.contains(section)
            || new.reconfiguredSectionIdentifiers.contains(section)
            || headers[section] != oldHeaders[section])
      }
      #expect(Set(batch.sectionModels.keys) == Set(sections), comment)
      #expect(batch.sectionModels.allSatisfy { headers[$0.key] == $0.value }, comment)
      #expect(
        Set(batch.removedSectionModels) == Set(oldHeaders.keys.filter { headers[$0] == nil }),
        comment)
      expectRefreshedOnce(
        in: batch.update.difference, old, new,
        changedItems: Set(new.itemIdentifiers.filter { models[$0] != oldModels[$0] }),
        changedSections: Set(new.sectionIdentifiers.filter { headers[$0] != oldHeaders[$0] }),
        comment)
      (old, oldModels, oldHeaders) = (new, models, headers)
    }
  }

  /// What is marked or changed is refreshed in one way: what is reloaded is not reconfigured too.
  private func expectRefreshedOnce(
    in difference: SnapshotDifference, _ old: State, _ new: State, changedItems: Set<Int>,
    changedSections: Set<CodedHeader>, _ comment: Comment
  ) {
    func stays(_ item: Int) -> Bool {
      [old, new].allSatisfy { list in
        list.sectionIdentifier(containingItem: item)
          .map { old.containsSection($0) && new.containsSection($0) } ?? false
      }
    }
    let reloads = new.reloadedItemIdentifiers.filter(stays)
    #expect(
      Set(difference.itemReloads.compactMap(old.itemIdentifier(for:))) == Set(reloads), comment)
    let reconfigures = changedItems.union(new.reconfiguredItemIdentifiers).subtracting(reloads)
    #expect(
      Set(difference.itemReconfigures.compactMap(new.itemIdentifier(for:)))
        == reconfigures.filter(stays), comment)
    let shownAgain = new.reloadedSectionIdentifiers.filter(old.containsSection)
    #expect(
      Set(difference.sectionReloads.ranges.joined().compactMap(old.sectionIdentifier(at:)))
        == Set(shownAgain), comment)
    let sections = changedSections.union(new.reconfiguredSectionIdentifiers)
    #expect(
      Set(difference.sectionReconfigures.ranges.joined().compactMap(new.sectionIdentifier(at:)))
        == sections.subtracting(shownAgain).filter(old.containsSection), comment)
  }
}

/// Models, and rows that go from outlines to lists, to other outlines and back, with sections that go.
@Suite("A batch draws anew exactly what shows something else", .deadline)
struct OutlinedBatchLawTests {
  private struct Writer {
    var random: SplitMix64
    var last = 100

    mutating func fresh() -> Int {
      last += 1
      return last
    }

    /// A tree of some rows, in any order.
    mutating func outline(of rows: [Int]) throws -> Outline<Int> {
      var outline = try random.outline(of: random.shuffled(rows))
      outline.setChildrenUnloaded(of: random.sample(rows, oneIn: 6))
      return outline
    }

    /// Makes a change; one that is not possible changes nothing.
    mutating func edit(_ draft: inout ModelDraft<Folder, Note>) throws {
      let list = draft.snapshot
      let sections = list.sectionIdentifiers
      guard let section = random.element(of: sections), let place = random.element(of: sections)
      else { return draft.appendSections([Folder(fresh())]) }
      let rows = list.allItems
      let own = list.rows(of: section)
      let (row, other) = (random.element(of: rows) ?? 0, random.element(of: rows) ?? 0)
      switch random.number(below: 14) {
      case 0, 1:
        guard list.containsItem(row) else { return }
        try draft.update(row) { $0.text += 1 }
      case 2: try draft.snapshot.moveItem(row, beforeItem: other)
      case 3: try draft.snapshot.moveItem(row, afterItem: other)
      case 4: try draft.snapshot.moveItem(row, intoItem: other)
      case 5: try draft.snapshot.moveItem(row, toSection: section)
      case 6: try draft.appendItems([Note(id: fresh())], toSection: section)
      case 7: draft.deleteItems([row])
      case 8: try draft.snapshot.setOutline(outline(of: own), forSection: section)
      case 9: try draft.snapshot.removeOutline(ofSection: section)
      case 10: draft.snapshot.expandItems([row, other])
      case 11: draft.snapshot.collapseItems([row])
      case 12: try draft.snapshot.moveSection(section, beforeSection: place)
      default:
        try draft.snapshot.insertSections([Folder(fresh())], beforeSection: place)
        if random.chance(oneIn: 2) { draft.snapshot.deleteSections([section]) }
      }
    }
  }

  private static func expectExact(_ batch: ModelBatch<Folder, Note>, _ comment: Comment) throws {
    let (old, new) = (try #require(batch.previousSnapshot), batch.snapshot)
    func stays(_ item: Int, in list: Snapshot<Folder, Int>) -> Bool {
      let section = list.sectionIdentifier(containingItem: item)
      let isThere = section.map { old.containsSection($0) && new.containsSection($0) } ?? false
      return isThere && list.itemPath(for: item) != nil
    }
    let drawn = new.itemIdentifiers.filter { item in
      guard stays(item, in: old), stays(item, in: new) else { return false }
      let signs = [old, new].map { $0.disclosure(of: item) ?? Disclosure() }
      return signs[0] != signs[1] || batch.previousModel(for: item) != batch.model(for: item)
    }
    let found = batch.difference.itemReconfigures.compactMap(new.itemIdentifier(for:))
    #expect(Set(found) == Set(drawn), comment)
    #expect(batch.difference.itemReloads.isEmpty, comment)
    let gone = Set(old.allItems).subtracting(new.allItems)
    #expect(batch.removedItems.sorted() == gone.sorted(), comment)
    let replayed = try old.applying(batch.difference, insertsFrom: new)
    #expect(replayed == new, comment)
  }

  @Test(arguments: 0..<UInt64(rounds(128, least: 8)))
  func `Of one change, or of several`(seed: UInt64) async throws {
    var writer = Writer(random: SplitMix64(seed: seed))
    let source = Notes()
    let first = (0..<9).map { Note(id: $0, folder: Folder($0 / 3)) }
    try await source.apply(first, section: \.folder)
    var batches = source.updates().makeAsyncIterator()
    var shown = try #require(await batches.next()).target
    for step in 0..<40 {
      var next = writer
      let edited = try? await source.update { [next] draft in
        var writer = next
        try writer.edit(&draft)
        return writer
      }
      if let edited { next = edited.value } else { _ = next.random.next() }
      writer = next
      guard writer.random.chance(oneIn: 2), await source.revision != shown else { continue }
      let batch = try #require(await batches.next())
      shown = batch.target
      try Self.expectExact(batch, "seed \(seed), step \(step): \(batch)")
    }
  }
}

@Suite("A batch has the models of what it shows again", .deadline)
struct ShownAgainTests {
  @Test("What is reloaded has its model, wherever it has moved") func reloaded() async throws {
    let source = Notes()
    try await source.apply(
      [Note(id: 1), Note(id: 2), Note(id: 3, folder: 1)], section: \.folder)
    var batches = await source.changes()
    try await source.update { draft in
      try draft.setSectionModel("x", for: 1)
      try draft.snapshot.moveSection(1, beforeSection: 0)
      try draft.snapshot.reloadSections([1])
      try draft.update(2) { $0.text = 5 }
      try draft.snapshot.moveItem(2, beforeItem: 1)
      try draft.snapshot.reloadItems([2])
    }
    let batch = try #require(await batches.next())
    #expect(batch.models[2] == Note(id: 2, text: 5))
    #expect(batch.sectionModels == [1: "x"] && batch.removedSectionModels.isEmpty)
  }

  @Test("A hidden row that shows something else makes a revision") func hidden() async throws {
    let source = Notes()
    try await source.apply([Note(id: 1), Note(id: 2)], section: \.folder)
    let outline = try Outline([1, 2], levels: [0, 1])
    try await source.update { [outline] in try $0.snapshot.setOutline(outline, forSection: 0) }
    #expect(await source.snapshot.itemIdentifiers == [1])
    var batches = await source.changes()
    let before = await source.revision
    try await source.setModel(Note(id: 2, text: 1))
    #expect(await source.revision != before)
    #expect(await batches.next()?.models == [2: Note(id: 2, text: 1)])
  }
}

@Suite("Models that change while their rows move far apart")
struct ScatteredChangeTests {
  /// Enough rows for leaves that are looked up one by one, and then at once.
  @Test(
    "A batch names exactly the rows whose models changed", arguments: [10, 700, 6_000], [1, 3])
  func shuffled(count: Int, sections: Int) async throws {
    var random = SplitMix64(seed: UInt64(count))
    let source = Notes()
    var rows = (0..<count).map { Note(id: $0) }
    try await source.apply(rows) { Folder($0.id % sections) }
    var batches = await source.changes(.every(limit: 9))
    for round in 1...3 {
      rows = random.shuffled(rows)
      let changed = Set((0..<count).filter { _ in random.chance(oneIn: 5) })
      for index in rows.indices where changed.contains(rows[index].id) { rows[index].text = round }
      try await source.apply(rows) { Folder($0.id % sections) }
      let batch = try #require(await batches.next())
      let found = batch.update.difference.itemReconfigures
        .compactMap(batch.update.snapshot.itemIdentifier(for:))
      #expect(Set(found) == changed, "round \(round)")
      #expect(Set(batch.models.keys) == changed)
      #expect(batch.models.allSatisfy { $0.value.text == round })
    }
  }
}
