import DiffableTesting
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

/// Two lists that are edited at random: notes name others by their titles, and have their texts as parts.
///
/// Sections are lists or outlines, and what is hidden in an outline changes, too.
struct NamingLists {
  let left = Notes()
  let right = Notes()
  private var random: SplitMix64
  /// Makes edits of any kind; its identifiers are those of nobody else.
  private var generator: SnapshotGenerator<Folder, Int>
  private var next = 1000
  private let size: Int

  init(seed: UInt64, size: Int) async throws {
    (random, self.size) = (SplitMix64(seed: seed), size)
    generator = SnapshotGenerator(
      seed: seed, section: { Folder(20 + $0) }, item: { 1_000_000 + $0 })
    for source in [left, right] {
      try await source.apply((0..<size).map { id in note(id) }, section: \.folder)
    }
  }

  private mutating func note(_ id: Int) -> Note {
    Note(
      id: id, folder: Folder(random.number(below: 3)), title: random.number(below: size + 2),
      text: random.number(below: 4))
  }

  /// Edits one of the lists.
  mutating func edit() async throws {
    let source = random.chance(oneIn: 2) ? left : right
    switch random.number(below: 16) {
    case 0...2: try await script(source)
    case 3: _ = try await source.undo()
    case 4: _ = try await source.redo()
    case 5: try await apply(to: source)
    default: try await update(source)
    }
  }

  /// One to three edits of any kind at once, with models for what they insert and for some other rows.
  private mutating func script(_ source: Notes) async throws {
    let state = await source.snapshot
    var after = state
    var edits: [SnapshotEdit<Folder, Int>] = []
    for _ in 0..<1 + random.number(below: 3) {
      let edit = generator.anyEdit(of: after)
      // One that does not fit changes nothing.
      if (try? edit.apply(to: &after)) != nil { edits.append(edit) }
    }
    let models = SourceProgramRun.rows(of: after).filter {
      state.model(of: $0, as: Note.self) == nil || random.chance(oneIn: 12)
    }.map { note($0) }
    try await source.update { [edits] draft in
      for edit in edits { try edit.apply(to: &draft.snapshot) }
      draft.setModels(models)
    }
  }

  /// A list of some of its rows in another order, with some that it does not have.
  private mutating func apply(to source: Notes) async throws {
    let rows = SourceProgramRun.rows(of: await source.snapshot)
    let absent = random.sample((0..<size).filter { !rows.contains($0) }, oneIn: 3)
    let some = rows.filter { _ in !random.chance(oneIn: 4) }
    let notes = (random.chance(oneIn: 2) ? random.shuffled(some + absent) : some + absent)
      .map { note($0) }
    // An outline keeps the rows that it hides, also one that the new list has in another section.
    try await SourceProgramRun.tolerating { try await source.apply(notes, section: \.folder) }
  }

  private mutating func update(_ source: Notes) async throws {
    let snapshot = await source.snapshot
    let rows = Array(snapshot.itemIdentifiers)
    let all = SourceProgramRun.rows(of: snapshot)
    let some = random.sample(rows, oneIn: 5)
    let (anchor, row) = (random.element(of: rows), random.element(of: all))
    let sections = snapshot.sectionIdentifiers
    let made = (0..<3).map { number in note(next + number) }
    let back = random.element(of: (0..<size).filter { !all.contains($0) }).map { note($0) }
    next += 3
    let changed = some.map { note($0) }
    let kind = random.number(below: 12)
    let target = random.element(of: sections)
    let isFlat = random.chance(oneIn: 2)
    let kept = random.sample(
      target.map { snapshot.itemIdentifiers(inSection: $0) } ?? [], oneIn: 2
    ).map { note($0) }
    try await source.update { draft in
      switch kind {
      case 0, 1: draft.deleteItems(some)
      case 2:
        guard let anchor else { return }
        for item in some where item != anchor {
          // No row goes below itself.
          try? isFlat
            ? draft.moveItem(item, beforeItem: anchor) : draft.moveItem(item, afterItem: anchor)
        }
      case 3: for note in changed { draft.setModel(note) }
      case 4: for item in some { try draft.update(item) { $0.text = ($0.text + 1) % 4 } }
      case 5:
        guard sections.count > 1, let target, target != sections[0] else { return }
        try draft.snapshot.moveSection(sections[0], afterSection: target)
      case 6:
        if let row { try draft.renameItem(row, to: made[0]) }
      case 7:
        if let target, sections.count > 1, isFlat { draft.snapshot.deleteSections([target]) }
      case 8:
        for folder in 0..<4 where !draft.snapshot.containsSection(Folder(folder)) {
          draft.appendSections([Folder(folder)])
        }
      case 9:
        // A row gets another identifier, place, mark and model at once.
        guard let row, let anchor else { return }
        try draft.renameItem(row, to: made[0])
        try? draft.moveItem(made[0].id, beforeItem: anchor)
        try isFlat
          ? draft.snapshot.reloadItems([made[0].id]) : draft.snapshot.reconfigureItems([made[0].id])
        try draft.update(made[0].id) { $0.text = ($0.text + 1) % 4 }
      case 10:
        // A section goes and comes back, with some of its rows.
        guard let target else { return }
        draft.snapshot.deleteSections([target])
        draft.appendSections([target])
        try draft.appendItems(kept, toSection: target)
      default:
        if draft.snapshot.numberOfSections == 0 { draft.appendSections([0]) }
        if let anchor { try draft.insertItems([made[1]], beforeItem: anchor) }
        try draft.appendItems([made[2]] + (back.map { [$0] } ?? []), toSection: target ?? 0)
      }
    }
  }
}

/// What a list shows, in plain arrays.
struct PlainRows<Row: Equatable>: Equatable {
  var sections: [(Folder, [Row])]

  static func == (left: PlainRows, right: PlainRows) -> Bool {
    left.sections.elementsEqual(right.sections) { $0.0 == $1.0 && $0.1 == $1.1 }
  }
}

extension PlainRows where Row: Identifiable & Sendable, Row.ID: Sendable {
  init(_ snapshot: Snapshot<Folder, Row.ID>) {
    sections = snapshot.sectionIdentifiers.map { section in
      (
        section,
        snapshot.itemIdentifiers(inSection: section).compactMap {
          snapshot.model(of: $0, as: Row.self)
        }
      )
    }
  }
}

/// What a subscriber shows that keeps models by itself.
struct RowFollower<Source: ListSource, Row: Identifiable & Equatable & Sendable>
where
  Row.ID: Sendable, Source.Batch == ModelBatch<Folder, Row>, Source.SectionID == Folder,
  Source.ItemID == Row.ID
{
  private var models: [Row.ID: Row] = [:]
  private var revision: Revision?
  private let source: Source
  private var batches: AsyncStream<Source.Batch>.Iterator

  init(_ source: Source) {
    self.source = source
    batches = source.updates().makeAsyncIterator()
  }

  /// What it shows, after it has taken what there is.
  mutating func rows() async throws -> PlainRows<Row> {
    let state = await source.current
    if state.revision != revision {
      let batch = try #require(await batches.next(isolation: nil))
      #expect(batch.base == revision)
      for item in batch.removedItems { models[item] = nil }
      models.merge(batch.models) { _, new in new }
      revision = batch.target
      #expect(batch.snapshot == state.snapshot)
    }
    #expect(models.count == state.snapshot.numberOfItems)
    return PlainRows(
      sections: state.snapshot.sectionIdentifiers.map { section in
        (section, state.snapshot.itemIdentifiers(inSection: section).compactMap { models[$0] })
      })
  }
}
