import DiffableTesting
import ListSupport
import Testing

@testable import Diffable
@testable import DiffableQueries

/// Two lists that are edited at random: notes name others by their titles, and have their texts as parts.
struct NamingLists {
  let left = Notes()
  let right = Notes()
  private var random: SplitMix64
  private var next = 1000
  private let size: Int

  init(seed: UInt64, size: Int) async throws {
    (random, self.size) = (SplitMix64(seed: seed), size)
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
    let snapshot = await source.snapshot
    let rows = Array(snapshot.itemIdentifiers)
    let some = random.sample(rows, oneIn: 5)
    let anchor = random.element(of: rows)
    let sections = snapshot.sectionIdentifiers
    let made = (0..<3).map { number in note(next + number) }
    let back = random.element(of: (0..<size).filter { !rows.contains($0) }).map { note($0) }
    next += 3
    let changed = some.map { note($0) }
    let kind = random.number(below: 10)
    let target = random.element(of: sections)
    let isFlat = random.chance(oneIn: 2)
    try await source.update { draft in
      switch kind {
      case 0, 1: draft.deleteItems(some)
      case 2:
        guard let anchor else { return }
        for item in some where item != anchor {
          try isFlat
            ? draft.moveItem(item, beforeItem: anchor) : draft.moveItem(item, afterItem: anchor)
        }
      case 3: for note in changed { draft.setModel(note) }
      case 4: for item in some { try draft.update(item) { $0.text = ($0.text + 1) % 4 } }
      case 5:
        guard sections.count > 1, let target, target != sections[0] else { return }
        try draft.snapshot.moveSection(sections[0], afterSection: target)
      case 6:
        if let anchor { try draft.renameItem(anchor, to: made[0]) }
      case 7:
        if let target, sections.count > 1, isFlat { draft.snapshot.deleteSections([target]) }
      case 8:
        for folder in 0..<4 where !draft.snapshot.containsSection(Folder(folder)) {
          draft.appendSections([Folder(folder)])
        }
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
struct RowFollower<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
  typealias Derived = DerivedSource<ModelBatch<Folder, Row>, ModelBatch<Folder, Row>>

  private var models: [Row.ID: Row] = [:]
  private var revision: Revision?
  private let source: Derived
  private var batches: AsyncStream<ModelBatch<Folder, Row>>.Iterator

  init(_ source: Derived) {
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
