import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// The law of models where outlines hide rows: who keeps what batches carry, and drops what they say
/// is gone, has the models of all rows, visible and hidden.
@Suite(.deadline) struct HiddenModelTests {
  /// The models that there were at each revision.
  private typealias Past = [Revision: [Int: Note]]

  @Test(arguments: 0..<rounds(32, least: 6) as Range<UInt64>)
  func `Whatever is folded, renamed and deleted, a keeper has the models of all rows`(
    seed: UInt64
  ) async throws {
    var changes = NoteChanges(seed: seed)
    let source = Notes(options: SourceOptions(history: changes.generator.random.number(below: 6)))
    let policies: [UpdatePolicy] = [.coalesced, .every(limit: 1), .every(limit: 50)]
    var followers = policies.map { policy in
      (batches: source.updates(policy).makeAsyncIterator(), keeper: Keeper())
    }
    var past: Past = [:]
    for step in 0..<60 {
      let edit = await changes.change(source)
      let revision = await source.revision
      past[revision] = await source.allModels
      for index in followers.indices where changes.generator.random.chance(oneIn: 1 + 3 * index) {
        guard followers[index].keeper.revision != revision else { continue }
        let batch = try #require(await followers[index].batches.next(isolation: nil))
        let comment: Comment = "seed \(seed), step \(step), \(policies[index]): \(edit)"
        let follows = followers[index].keeper.take(batch)
        #expect(follows, comment)
        let shown = try #require(past[batch.update.target])
        #expect(followers[index].keeper.models == shown, comment)
        guard let base = batch.update.base, let old = past[base] else { continue }
        #expect(
          batch.removedItems.sorted() == Set(old.keys).subtracting(shown.keys).sorted(), comment)
      }
    }
  }

  @Test func `A hidden row that goes with its parent, or is renamed, is told`() async throws {
    let source = Notes()
    var batches = source.updates().makeAsyncIterator()
    var keeper = Keeper()
    func take() async throws -> ModelBatch<Folder, Note> {
      let batch = try #require(await batches.next())
      let follows = keeper.take(batch)
      #expect(follows)
      #expect(await keeper.models == source.allModels)
      return batch
    }
    try await source.update { draft in
      draft.snapshot.appendSections([0])
      var outline = try Outline([1, 5])
      try outline.append([2, 3], to: 1)
      try draft.snapshot.setOutline(outline, forSection: 0)
      draft.setModels([1, 2, 3, 5].map { Note(id: $0) })
    }
    #expect(try await take().models.count == 4)
    try await source.setModel(Note(id: 2, text: 7))
    let changed = try await take()
    #expect(changed.models == [2: Note(id: 2, text: 7)] && changed.removedItems == [])
    #expect(changed.update.difference.isEmpty, "nothing on the screen changes")
    try await source.update { try $0.renameItem(3, to: Note(id: 4)) }
    let renamed = try await take()
    #expect(renamed.models == [4: Note(id: 4)] && renamed.removedItems == [3])
    try await source.updateOrder { $0.deleteItems([1]) }
    let deleted = try await take()
    #expect(deleted.models == [:] && Set(deleted.removedItems) == [1, 2, 4])
  }
}

/// What changes a source of notes at random: lists, outlines, models and names.
private struct NoteChanges {
  var generator: SnapshotGenerator<Folder, Int>

  init(seed: UInt64) {
    generator = SnapshotGenerator(seed: seed, section: { Folder($0) }, item: { $0 })
  }

  /// Makes a change, unless the source refuses it.
  mutating func change(_ source: Notes) async -> String {
    let order = await source.snapshot
    let rows = await source.allModels.keys.sorted()
    if generator.random.chance(oneIn: 6), let row = generator.random.element(of: rows) {
      let new = generator.newItem()
      _ = try? await source.update { try $0.renameItem(row, to: Note(id: new)) }
      return "\(row) is named \(new)"
    }
    if generator.random.chance(oneIn: 6), let row = generator.random.element(of: rows) {
      _ = try? await source.setModel(Note(id: row, text: generator.random.number(below: 9)))
      return "\(row) has another model"
    }
    if generator.random.chance(oneIn: 9) {
      _ = try? await source.undo()
      return "undo"
    }
    let edit = generator.outlineEdit(of: order)
    let models = (0..<400).map { Note(id: $0, text: generator.random.number(below: 40) / 38) }
    _ = try? await source.update { draft in
      draft.setModels(models)
      try edit.apply(to: &draft.snapshot)
    }
    return "\(edit)"
  }
}

extension ModelSource<Folder, Note> {
  /// The models of all rows, hidden ones included.
  fileprivate var allModels: [Int: Note] {
    let snapshot = snapshot
    var models: [Int: Note] = [:]
    for section in snapshot.sectionIdentifiers {
      for item in snapshot.outline(ofSection: section)?.items
        ?? snapshot.itemIdentifiers(inSection: section)
      {
        models[item] = model(for: item)
      }
    }
    return models
  }
}
