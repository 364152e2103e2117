import Diffable
import ListSupport
import TestScope
import Testing

/// A model for an item that is nowhere is a mistake, wherever it is given.
@Suite(.deadline)
struct UnknownModelTests {
  private typealias List = ModelSource<SingleSection, Note>

  private func list() async throws -> List {
    let list = List()
    try await list.apply([Note(id: 1), Note(id: 2)])
    return list
  }

  @Test func `An edit that gives one changes nothing, and says for which items`() async throws {
    let list = try await list()
    let (models, revision) = (await list.elements, await list.revision)
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(9)])) {
      try await list.update { $0.setModel(Note(id: 9)) }
    }
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(8), AnyItemID(9)])) {
      try await list.update { draft in
        draft.setModels([Note(id: 1, title: 1), Note(id: 8), Note(id: 9)])
        try draft.insertItems([Note(id: 3)], afterItem: 1)
      }
    }
    await #expect(throws: DataSourceError.invalidSnapshot(.unknownItem([AnyItemID(9)]))) {
      try await list.setModel(Note(id: 9))
    }
    await #expect(throws: SnapshotError.unusedModel([AnyItemID(9)])) {
      try await list.authored(by: "Ann").update { $0.setModel(Note(id: 9)) }
    }
    #expect(await list.elements == models)
    #expect(await list.revision == revision)
  }

  /// What an edit does with one row.
  private enum Step: CaseIterable { case give, insert, delete }

  /// All edits of at most four steps, judged by a model that remembers whether the row is there.
  @Test(arguments: [false, true], [false, true])
  func `A model is unused if its row is not there before, then or at the end`(
    isKnown: Bool, isOutline: Bool
  ) async throws {
    let row = isKnown ? 2 : 9
    for edit in everySequence(of: Step.allCases, upTo: 4) {
      let list = try await list()
      if isOutline {
        try await list.updateOrder {
          try $0.setOutline(Outline([1, 2]), forSection: SingleSection())
        }
      }
      let revision = await list.revision
      var (isThere, isGiven, isAwaited) = (isKnown, isKnown, false)
      for step in edit {
        switch step {
        case .give:
          isGiven = true
          isAwaited = isAwaited || !isThere && !isKnown
        case .insert: isThere = true
        case .delete: isThere = false
        }
      }
      do {
        try await list.update { draft in
          for step in edit {
            switch step {
            case .give: draft.setModel(Note(id: row, title: 7))
            case .insert where draft.snapshot.containsItem(row): break
            case .insert: try draft.snapshot.insertItems([row], afterItem: 1)
            case .delete: draft.snapshot.deleteItems([row])
            }
          }
        }
        #expect(isThere ? isGiven : !isAwaited, "\(edit)")
        let title = edit.contains(.give) ? 7 : 0
        #expect(
          await list.elements
            == [Note(id: 1)] + (isThere ? [Note(id: row, title: title)] : [])
            + (isKnown ? [] : [Note(id: 2)]), "\(edit)")
      } catch SnapshotError.unusedModel(let rows) {
        #expect(isAwaited && !isThere && rows == [AnyItemID(row)], "\(edit)")
        #expect(await list.revision == revision)
      } catch DataSourceError.invalidSnapshot(.missingModel(let rows)) {
        #expect(isThere && !isGiven && rows == [AnyItemID(row)], "\(edit)")
        #expect(await list.revision == revision)
      }
    }
  }

  @Test func `A section may go with its model, and its rows with theirs`() async throws {
    let list = ModelSource<Folder, Note>()
    try await list.update { draft in
      draft.appendSections([0, 1])
      try draft.setSectionModel("Archive", for: 1)
      try draft.appendItems([Note(id: 1)], toSection: 1)
      draft.setModel(Note(id: 1, title: 1))
      draft.snapshot.deleteSections([1])
    }
    #expect(await list.snapshot.sectionIdentifiers == [0])
    #expect(await list.elements.isEmpty)
    #expect(await list.sectionModel(for: 1) == nil)
    try await list.updateOrder { $0.appendSections([1]) }
    #expect(await list.sectionModel(for: 1) == nil)
  }
}
