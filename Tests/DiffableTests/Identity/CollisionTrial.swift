import Diffable
import DiffableTesting
import Testing

/// A source in some state, which one edit after another is tried on.
///
/// The same edits go to a model source. What is accepted is taken back by undo, so every edit meets the
/// same state.
struct CollisionTrial {
  typealias State = FewHashesList

  struct Entry: Identifiable, Equatable, Sendable {
    let id: FewHashes
  }

  let start: State
  private let startPicture: String
  private let source: DataSourceActor<FewHashes, FewHashes>
  private let models: ModelSource<FewHashes, Entry>
  private let entries: [Entry]

  init(_ start: State, items: Int = 8) async throws {
    self.start = start
    startPicture = start.picture
    source = try DataSourceActor(start)
    let hashCount = start.sectionIdentifiers.first?.hashCount ?? 1
    let entries = (0..<items).map { Entry(id: FewHashes(number: $0, hashCount: hashCount)) }
    self.entries = entries
    models = ModelSource()
    try await models.update { draft in
      draft.snapshot = start
      draft.setModels(entries.filter { draft.snapshot.containsItem($0.id) })
    }
  }

  /// Tries an edit.
  ///
  /// - Returns: Whether it was refused because something is there twice.
  @discardableResult
  func check(_ edit: SmallScope.Edit, by way: CollisionTests.Way) async throws -> Bool {
    var expected = await source.snapshot
    do {
      try edit.apply(&expected)
    } catch {
      try await checkRefusal(of: edit, by: way)
      return false
    }
    // An apply keeps the tree where a list comes, and then holds more than what was applied.
    if way == .editedCopy || way == .freshCopy, start.hasOutlines(whereNot: expected) {
      return false
    }
    // What failed is only put into words then: most of a long run would be spent on that.
    func expect(_ holds: Bool, _ law: String) {
      if !holds { Issue.record("\(law): \(way), \(edit) on\n\(startPicture)") }
    }
    let isValid = expected.repeatedItems.isEmpty && expected.repeatedSections.isEmpty
    do {
      try await write(edit, expected, by: way)
      expect(isValid, "what is accepted holds nothing twice")
      let live = await source.snapshot
      expect(live.faults == [], "what is accepted is a valid state")
      if way == .update { expect(live.picture == expected.picture, "it is what was asked for") }
      let violations = DifferenceLaw.violations(from: start, to: live)
      expect(violations.isEmpty, "it differs as it should: \(violations)")
      while await source.snapshot != start, try await source.undo() != nil {}
    } catch DataSourceError.invalidSnapshot(.duplicateItems(let duplicates)) {
      let named = Set(duplicates.map { number($0.identifier) })
      expect(named == expected.repeatedItems, "the error names the items that stand twice")
    } catch DataSourceError.invalidSnapshot(.duplicateSections(let duplicates)) {
      let named = Set(duplicates.map { number($0.identifier) })
      expect(named == expected.repeatedSections, "the error names the sections that stand twice")
    }
    expect(await isAtStart, "a refusal changes nothing, and undo takes back the rest")
    guard way == .update else { return !isValid }
    do {
      try await models.update { [entries] draft in
        try edit.apply(&draft.snapshot)
        draft.setModels(entries.filter { draft.snapshot.containsItem($0.id) })
      }
      expect(isValid, "what a model source accepts holds nothing twice")
      expect(await models.snapshot.faults == [], "what it accepts is a valid state")
      while await models.snapshot != start, try await models.undo() != nil {}
    } catch DataSourceError.invalidSnapshot {
      expect(!isValid, "a model source refuses what holds something twice")
    }
    expect(await models.snapshot.picture == startPicture, "a model source is where it was")
    return !isValid
  }

  /// An edit that a snapshot refuses is refused by all, and nothing is changed.
  private func checkRefusal(of edit: SmallScope.Edit, by way: CollisionTests.Way) async throws {
    var copy = try start.rebuilt()
    if (try? edit.apply(&copy)) != nil {
      Issue.record("a copy takes what the source does not: \(edit) on\n\(startPicture)")
    }
    guard way == .update else { return }
    if (try? await source.update(edit.apply)) != nil {
      Issue.record("an update takes what a snapshot does not: \(edit) on\n\(startPicture)")
    }
    if await !isAtStart { Issue.record("a refusal changes: \(edit) on\n\(startPicture)") }
  }

  private var isAtStart: Bool {
    get async {
      let live = await source.snapshot
      return live.picture == startPicture && live.faults == []
    }
  }

  private func number(_ identifier: AnyItemID) -> Int {
    (identifier.base as? FewHashes)?.number ?? -1
  }

  private func write(
    _ edit: SmallScope.Edit, _ edited: State, by way: CollisionTests.Way
  ) async throws {
    switch way {
    case .update: try await source.update(edit.apply)
    case .editedCopy: try await source.apply(edited)
    case .freshCopy: try await source.apply(edited.rebuilt())
    case .mergedCopy:
      let base = await source.revision
      // Another writer was faster, so that this is no apply.
      let others = FewHashes(number: 900, hashCount: 1)
      try await source.update { $0.appendSections([others]) }
      do {
        try await source.merge(edited, basedOn: base)
      } catch {
        try await source.undo()
        throw error
      }
    }
  }
}

extension FewHashesList {
  /// Whether a section that has an outline here is a list in another state.
  fileprivate func hasOutlines(whereNot other: Self) -> Bool {
    sectionIdentifiers.contains { section in
      outline(ofSection: section) != nil && other.indexOfSection(section) != nil
        && other.outline(ofSection: section) == nil
    }
  }
}
