import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

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
