import DiffableTesting
import ListSupport

@testable import Diffable

/// What the writers of a program do.
extension SourceProgramRun {
  /// The number of identifiers that there are: few, so that writers share some.
  static let identifiers = 48

  static func note(_ id: Int, _ random: inout SplitMix64) -> Note {
    Note(
      id: id, folder: Folder(random.number(below: 3)), title: random.number(below: 5),
      text: random.number(below: 3))
  }

  /// All items of a list, hidden ones too.
  static func rows(of state: Snapshot<Folder, Int>) -> [Int] {
    state.sectionIdentifiers.flatMap { section in
      state.outline(ofSection: section)?.items ?? state.itemIdentifiers(inSection: section)
    }
  }

  private static func generator(_ random: inout SplitMix64) -> SnapshotGenerator<Folder, Int> {
    let (sections, items) = (random.number(below: 7), random.number(below: Self.identifiers))
    return SnapshotGenerator(
      seed: random.next(), section: { Folder(($0 + sections) % 7) },
      item: { ($0 + items) % Self.identifiers })
  }

  func edit(_ number: Int, _ seed: UInt64) async throws {
    let writer = writers[number]
    var random = SplitMix64(seed: seed)
    var generator = Self.generator(&random)
    let state = await writer.snapshot
    var next = state
    var edits: [SnapshotEdit<Folder, Int>] = []
    for _ in 0..<1 + random.number(below: 4) {
      let edit =
        random.chance(oneIn: 2) ? generator.anyEdit(of: next) : generator.edit(of: next)
      // One that does not fit changes nothing.
      if (try? edit.apply(to: &next)) != nil { edits.append(edit) }
    }
    let models = Self.rows(of: next).filter { Self.isNew($0, state) || random.chance(oneIn: 12) }
      .map { Self.note($0, &random) }
    try await write(next) {
      try await Self.tolerating {
        try await writer.update { [edits] draft in
          for edit in edits { try edit.apply(to: &draft.snapshot) }
          draft.setModels(models)
        }
      }
    }
  }

  /// Identifiers are few: if one that is called new is there already, nothing changes.
  static func tolerating(_ write: () async throws -> Void) async throws {
    do { try await write() } catch {
      guard case .invalidSnapshot? = error as? DataSourceError else { throw error }
    }
  }

  private static func isNew(_ item: Int, _ state: Snapshot<Folder, Int>) -> Bool {
    state.model(of: item, as: Note.self) == nil
  }

  func moveSections(_ writer: Notes, _ seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let state = await writer.snapshot
    let order = random.shuffled(state.sectionIdentifiers)
    guard random.chance(oneIn: 2), let section = order.first else {
      var next = Snapshot<Folder, Int>()
      next.appendSections(order)
      for section in order {
        if let outline = state.outline(ofSection: section) {
          try next.setOutline(outline, forSection: section)
        } else {
          try next.appendItems(state.itemIdentifiers(inSection: section), toSection: section)
        }
      }
      try await writer.apply(next, models: [])
      return
    }
    let removed = random.chance(oneIn: 3) ? random.sample(state.itemIdentifiers, oneIn: 8) : []
    try await writer.update { draft in
      for anchor in order.dropFirst().prefix(2) {
        try draft.snapshot.moveSection(section, afterSection: anchor)
      }
      draft.snapshot.deleteItems(removed)
    }
  }

  func apply(_ number: Int, _ seed: UInt64) async throws {
    let writer = writers[number]
    var random = SplitMix64(seed: seed)
    var generator = Self.generator(&random)
    let state = await writer.snapshot
    let isOther = state.numberOfSections == 0 || random.chance(oneIn: 4)
    let next =
      isOther
      ? generator.snapshot(.uneven(sections: 5, items: 24))
      : generator.changing(state, by: random.element(of: SnapshotChange.allCases) ?? .mixed)
    let models = Self.rows(of: next)
      .filter { isOther || Self.isNew($0, state) || random.chance(oneIn: 12) }
      .map { Self.note($0, &random) }
    try await write(next) {
      try await Self.tolerating { try await writer.apply(next, models: models) }
    }
  }
}
