import Diffable
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
  private let source: DataSourceActor<FewHashes, FewHashes>
  private let models: ModelSource<FewHashes, Entry>
  private let entries: [Entry]

  init(_ start: State, items: Int = 8) async throws {
    self.start = start
    source = try DataSourceActor(start)
    let hashCount = start.sectionIdentifiers.first?.hashCount ?? 1
    let entries = (0..<items).map { Entry(id: FewHashes(number: $0, hashCount: hashCount)) }
    self.entries = entries
    models = ModelSource()
    try await models.update { draft in
      draft.setModels(entries)
      draft.snapshot = start
    }
  }

  /// Tries an edit.
  ///
  /// - Returns: Whether it was refused because something is there twice.
  @discardableResult
  func check(_ edit: SmallScope.Edit, by way: CollisionTests.Way) async throws -> Bool {
    var expected = await source.snapshot
    let comment: Comment = "\(way): \(edit) on\n\(expected.picture)"
    do {
      try edit.apply(&expected)
    } catch {
      #expect(throws: (any Error).self, comment) { () throws in
        var copy = try start.rebuilt()
        try edit.apply(&copy)
      }
      if way == .update {
        await #expect(throws: (any Error).self, comment) { try await source.update(edit.apply) }
        await expectStart(comment)
      }
      return false
    }
    // An apply keeps the tree where a list comes, and then holds more than what was applied.
    if way == .editedCopy || way == .freshCopy, start.hasOutlines(whereNot: expected) {
      return false
    }
    let isValid = expected.repeatedItems.isEmpty && expected.repeatedSections.isEmpty
    do {
      try await write(edit, expected, by: way)
      #expect(isValid, "accepted: \(comment)")
      let live = await source.snapshot
      #expect(live.faults == [], comment)
      if way == .update { #expect(live.picture == expected.picture, comment) }
      while await source.snapshot != start, try await source.undo() != nil {}
    } catch DataSourceError.invalidSnapshot(.duplicateItems(let duplicates)) {
      #expect(Set(duplicates.map { number($0.identifier) }) == expected.repeatedItems, comment)
    } catch DataSourceError.invalidSnapshot(.duplicateSections(let duplicates)) {
      #expect(Set(duplicates.map { number($0.identifier) }) == expected.repeatedSections, comment)
    }
    await expectStart(comment)
    if way == .update { try await checkModels(edit, isValid: isValid, comment) }
    return !isValid
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

  private func expectStart(_ comment: Comment) async {
    let live = await source.snapshot
    #expect(live.picture == start.picture, comment)
    #expect(live.faults == [], comment)
  }

  private func checkModels(
    _ edit: SmallScope.Edit, isValid: Bool, _ comment: Comment
  ) async throws {
    do {
      try await models.update { [entries] draft in
        draft.setModels(entries)
        try edit.apply(&draft.snapshot)
      }
      #expect(isValid, "accepted: \(comment)")
      await #expect(models.snapshot.faults == [], comment)
      while await models.snapshot != start, try await models.undo() != nil {}
    } catch DataSourceError.invalidSnapshot {
      #expect(!isValid, comment)
    }
    await #expect(models.snapshot.picture == start.picture, comment)
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
