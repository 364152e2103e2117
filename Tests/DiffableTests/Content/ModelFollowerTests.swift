import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// The law of models: who keeps what batches carry, and drops what they say is gone, has the
/// source's models.
@Suite(.deadline) struct ModelFollowerTests {
  /// The state that each revision was given.
  private typealias Past = [Revision: (
    order: Snapshot<Folder, Int>, models: [Int: Note], headers: [Folder: String]
  )]

  @Test(
    "Any order of changes, any policy, any lag, with hidden rows and without",
    arguments: 1...rounds(24 as UInt64), [false, true])
  func randomly(seed: UInt64, hasOutlines: Bool) async throws {
    var (random, outlines) = (SplitMix64(seed: seed), NoteChanges(seed: seed))
    let source = Notes(options: SourceOptions(history: random.number(below: 6)))
    let policies: [UpdatePolicy] = [
      .coalesced, .every(limit: 1), .every(limit: 3), .every(limit: 50),
    ]
    var followers = policies.map { policy in
      (batches: source.updates(policy).makeAsyncIterator(), keeper: Keeper())
    }
    var past: Past = [:]
    if hasOutlines {
      try await source.update { draft in
        var outline = try Outline([1_000])
        try outline.append([1_001, 1_002], to: 1_000)
        draft.appendSections([1_000])
        try draft.snapshot.setOutline(outline, forSection: 1_000)
        draft.setModels((1_000...1_002).map { Note(id: $0) })
      }
      past[await source.revision] = await state(of: source)
    }
    for step in 0..<60 {
      let before = await source.revision
      if hasOutlines {
        await outlines.change(source)
      } else {
        try await change(source, &random)
      }
      let revision = await source.revision
      #expect(revision <= Revision(before.number + 1))
      past[revision] = await state(of: source)
      for index in followers.indices where random.chance(oneIn: 1 + 3 * index) {
        guard followers[index].keeper.revision != revision else { continue }
        let batch = try #require(await followers[index].batches.next(isolation: nil))
        let comment: Comment = "seed \(seed), step \(step), \(policies[index])"
        check(batch, past, hasOutlines: hasOutlines, comment)
        let follows = followers[index].keeper.take(batch)
        #expect(follows, comment)
        let shown = try #require(past[batch.update.target])
        #expect(followers[index].keeper.models == shown.models, comment)
        #expect(followers[index].keeper.headers == shown.headers, comment)
        #expect(followers[index].keeper.snapshot == shown.order, comment)
      }
    }
    let wereHidden = past.values.contains { $0.models.count > $0.order.numberOfItems }
    #expect(wereHidden == hasOutlines, "seed \(seed)")
  }

  /// A batch carries exactly what it has to.
  private func check(
    _ batch: ModelBatch<Folder, Note>, _ past: Past, hasOutlines: Bool, _ comment: Comment
  ) {
    guard let base = batch.update.base, let old = past[base], let new = past[batch.update.target]
    else { return }
    let gone = Set(old.models.keys).subtracting(new.models.keys)
    #expect(batch.removedItems.sorted() == gone.sorted(), comment)
    guard !hasOutlines else { return }
    let (snapshot, difference) = (batch.update.snapshot, batch.update.difference)
    let reconfigured = Set(difference.itemReconfigures.compactMap(snapshot.itemIdentifier(for:)))
    let reloaded = Set(difference.itemReloads.compactMap(old.order.itemIdentifier(for:)))
    let inserted = Set(difference.itemInserts.compactMap(snapshot.itemIdentifier(for:)))
      .union(difference.sectionInserts.ranges.joined().flatMap { snapshot.items(inSectionAt: $0) })
    #expect(Set(batch.models.keys) == inserted.union(reconfigured).union(reloaded), comment)
    #expect(batch.models.allSatisfy { new.models[$0.key] == $0.value }, comment)
    for (item, model) in new.models {
      #expect(batch.model(for: item) == model && batch.previousModel(for: item) == old.models[item])
      let differs = old.models[item].map { $0 != model } ?? true
      // No change asks for a reconfigure of its own, so content alone gives them.
      #expect(!differs || batch.models[item] != nil, comment)
      #expect(differs || !reconfigured.contains(item), comment)
      #expect((batch.change(of: item) != nil) == (differs && old.models[item] != nil), comment)
    }
    let kept = Set(old.order.sectionIdentifiers).intersection(snapshot.sectionIdentifiers)
    let changed = kept.filter { old.headers[$0] != new.headers[$0] }
    let listed = difference.sectionReconfigures.ranges.joined()
      .compactMap(snapshot.sectionIdentifier(at:))
    #expect(Set(listed) == changed, comment)
    let removed = old.headers.keys.filter { new.headers[$0] == nil }
    #expect(batch.removedSectionModels.count == removed.count, comment)
    #expect(Set(batch.removedSectionModels) == Set(removed), comment)
  }

  private func state(
    of source: Notes
  ) async -> (order: Snapshot<Folder, Int>, models: [Int: Note], headers: [Folder: String]) {
    let order = await source.snapshot
    var models: [Int: Note] = [:]
    for row in rows(of: order) { models[row] = await source.model(for: row) }
    var headers: [Folder: String] = [:]
    for section in order.sectionIdentifiers {
      headers[section] = await source.sectionModel(for: section)
    }
    return (order, models, headers)
  }

  private func change(_ source: Notes, _ random: inout SplitMix64) async throws {
    let order = await source.snapshot
    let items = order.itemIdentifiers
    func note(_ id: Int) -> Note {
      Note(
        id: id, folder: Folder(random.number(below: 4)), title: random.number(below: 2),
        text: random.number(below: 2))
    }
    switch random.number(below: 8) {
    case 0:
      let ids = random.sample(random.shuffled(Array(0..<12)), oneIn: 2)
      try await source.apply(ids.map(note), section: \.folder)
    case 1:
      let ids = random.sample(Array(0..<12), oneIn: 2)
      try await source.apply(
        ids.map(note), section: \.folder,
        sections: [3, 1, 0, 2].map { (Folder($0), "\(random.number(below: 2))") })
    case 2:
      try await source.setModels(random.sample(items, oneIn: 3).map(note))
    case 3:
      guard let section = random.element(of: order.sectionIdentifiers) else { return }
      try await source.setSectionModel(
        random.chance(oneIn: 3) ? nil : "\(random.number(below: 3))", for: section)
    case 4:
      let gone = random.sample(items, oneIn: 3)
      let sections = random.sample(order.sectionIdentifiers, oneIn: 4)
      try await source.update { draft in
        draft.snapshot.deleteItems(gone)
        draft.snapshot.deleteSections(sections)
      }
    case 5:
      guard let item = random.element(of: items), let anchor = random.element(of: items) else {
        return
      }
      let changed = note(item)
      try await source.update { draft in
        draft.setModel(changed)
        try draft.snapshot.moveItem(item, beforeItem: anchor)
        try draft.snapshot.reloadItems([item])
      }
    case 6:
      guard let section = random.element(of: order.sectionIdentifiers) else { return }
      let new = note(12 + random.number(below: 6))
      _ = try? await source.update { draft in try draft.appendItems([new], toSection: section) }
    default:
      var list = Snapshot<Folder, Int>()
      for section in random.shuffled(order.sectionIdentifiers) {
        list.appendSections([section])
        try list.appendItems(random.shuffled(order.itemIdentifiers(inSection: section)))
      }
      let models = random.sample(items, oneIn: 4).map(note)
      try await source.apply(list, models: models)
    }
  }

  @Test("Tasks that write and tasks that follow, all at once")
  func concurrently() async throws {
    let source = Notes(options: SourceOptions(history: 3))
    try await source.apply((0..<40).map { Note(id: $0) }, section: \.folder)
    let keepers = await withTaskGroup(of: Keeper?.self, returning: [Keeper].self) { group in
      for follower in 0..<4 {
        let batches = source.updates(follower % 2 == 0 ? .coalesced : .every(limit: follower))
        group.addTask {
          var keeper = Keeper()
          for await batch in batches {
            guard keeper.take(batch) else { return Keeper() }
            if follower > 1 { await Task.yield() }
          }
          return keeper
        }
      }
      group.addTask {
        await withTaskGroup(of: Void.self) { writers in
          for writer in 0..<4 {
            writers.addTask { await write(source, seed: UInt64(writer)) }
          }
        }
        await source.finish()
        return nil
      }
      return await group.reduce(into: []) { keepers, keeper in
        if let keeper { keepers.append(keeper) }
      }
    }
    let live = await state(of: source)
    #expect(keepers.count == 4)
    for keeper in keepers {
      #expect(keeper.revision == (await source.revision))
      #expect(keeper.models == live.models && keeper.headers == live.headers)
    }
  }

  @Test("A source that is dropped frees its models, and so do revisions that leave the history")
  func memory() async throws {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      let counted: Payload

      static func == (left: Row, right: Row) -> Bool { left.counted === right.counted }
    }
    let census = PayloadCensus()
    var source: ModelSource<Int, Row>? = ModelSource(options: SourceOptions(history: 4))
    try await source?.apply((0..<5_000).map { Row(id: $0, counted: Payload(census)) }) { _ in 0 }
    #expect(census.population == 5_000)
    for id in 0..<50 { try await source?.setModel(Row(id: id, counted: Payload(census))) }
    #expect(census.population == 5_004, "each kept revision has one model that the next has not")
    var batches = source?.updates().makeAsyncIterator()
    #expect(await batches?.next()?.model(for: 7) != nil)
    batches = nil
    source = nil
    try await wait { census.population == 0 }
  }
}

private func write(_ source: Notes, seed: UInt64) async {
  var random = SplitMix64(seed: seed)
  for step in 0..<rounds(150, least: 50) {
    let id = random.number(below: 60)
    let note = Note(id: id, title: Int(seed), text: step)
    switch random.number(below: 4) {
    case 0: _ = try? await source.setModel(note)
    case 1: _ = try? await source.setSectionModel("\(step)", for: 0)
    case 2: _ = try? await source.update { draft in draft.snapshot.deleteItems([id]) }
    default: _ = try? await source.update { draft in try draft.appendItems([note], toSection: 0) }
    }
  }
}

/// All rows, hidden ones included.
private func rows(of order: Snapshot<Folder, Int>) -> [Int] {
  order.sectionIdentifiers.flatMap { section in
    order.outline(ofSection: section)?.items ?? order.itemIdentifiers(inSection: section)
  }
}

/// What changes a source of notes at random: lists, outlines, models and names.
private struct NoteChanges {
  var generator: SnapshotGenerator<Folder, Int>

  init(seed: UInt64) {
    generator = SnapshotGenerator(seed: seed, section: { Folder($0) }, item: { $0 })
  }

  /// Makes a change, unless the source refuses it.
  mutating func change(_ source: Notes) async {
    let order = await source.snapshot
    let row = generator.random.element(of: rows(of: order))
    if generator.random.chance(oneIn: 6), let row {
      let new = generator.newItem()
      _ = try? await source.update { try $0.renameItem(row, to: Note(id: new)) }
    } else if generator.random.chance(oneIn: 6), let row {
      _ = try? await source.setModel(Note(id: row, text: generator.random.number(below: 9)))
    } else if generator.random.chance(oneIn: 9) {
      _ = try? await source.undo()
    } else {
      let edit = generator.outlineEdit(of: order)
      let texts = (0..<40).map { _ in generator.random.number(below: 40) / 38 }
      _ = try? await source.update { draft in
        try edit.apply(to: &draft.snapshot)
        for row in rows(of: draft.snapshot) {
          draft.setModel(Note(id: row, text: texts[row % texts.count]))
        }
      }
    }
  }
}
