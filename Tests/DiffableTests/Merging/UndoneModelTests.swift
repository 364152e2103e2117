import Diffable
import ListSupport
import TestScope
import Testing

/// Undo takes back what a change wrote, as far as it still shows; what others wrote stays.
@Suite("Models of which a change is taken back", .deadline)
struct UndoneModelTests {
  typealias Fields = TakingBack.Fields
  typealias Deed = TakingBack.Deed

  struct Row: Identifiable, Equatable, Sendable {
    var id = 1
    var fields = Fields()
  }

  struct Group: ModelledSection {
    typealias SectionModel = Fields
    let id: Int
  }

  /// What is edited: a row, a hidden row of an outline, or a section.
  enum Place: CaseIterable { case row, hiddenRow, section }

  enum Way: CaseIterable { case undo, groupedUndo, revertEach, revertAll }

  /// A source with one model, and what must come of it.
  struct Trial {
    let source: ModelSource<Group, Row>
    let place: Place
    var expected: TakingBack
    var changes: [UndoableChange?] = []
    let start: Revision

    init(_ place: Place, hasHandler: Bool) async throws {
      source = hasHandler ? ModelSource(mergeHandler: Self.merged) : ModelSource()
      self.place = place
      // No function merges models of sections.
      expected = TakingBack(hasHandler: hasHandler && place != .section)
      try await source.update { draft in
        draft.appendSections([Group(id: 0)])
        try draft.appendItems([Row(id: 0), Row()], toSection: Group(id: 0))
        if place == .hiddenRow {
          let outline = try Outline([0, 1], levels: [0, 1])
          try draft.snapshot.setOutline(outline, forSection: Group(id: 0))
        }
        try draft.setSectionModel(Fields(), for: Group(id: 0))
      }
      start = await source.revision
    }

    @Sendable private static func merged(base: Row, theirs: Row, mine: Row) -> Row {
      Row(
        fields: TakingBack.merged(base: base.fields, theirs: theirs.fields, mine: mine.fields))
    }

    var live: Fields? {
      get async {
        place == .section
          ? await source.sectionModel(for: Group(id: 0)) : await source.model(for: 1)?.fields
      }
    }

    mutating func make(_ deed: Deed, number: Int) async throws {
      let fields = expected.made(by: deed, number: number)
      let write = try await source.update(named: deed == .mine ? "mine" : nil) { [place] draft in
        if place == .section {
          try draft.setSectionModel(fields, for: Group(id: 0))
        } else {
          draft.setModel(Row(fields: fields))
        }
      }
      if deed == .mine { changes.append(write.change) }
      expected.make(deed, number: number)
    }

    func check(_ comment: Comment) async {
      #expect(await live == expected.live, comment)
      // The reference may be wrong too: what others have written last is never taken back.
      if let first = expected.theirs.first { #expect(await live?.first == first, comment) }
      if let second = expected.theirs.second { #expect(await live?.second == second, comment) }
    }
  }

  @Test(
    "Every sequence of changes by two writers, taken back in every way",
    arguments: Place.allCases, Way.allCases)
  func everySequence(place: Place, way: Way) async throws {
    for hasHandler in [false, true] {
      for deeds in TakingBack.sequences(upTo: scoped(usual: 3, wide: 4)) {
        var trial = try await Trial(place, hasHandler: hasHandler)
        for (index, deed) in deeds.enumerated() { try await trial.make(deed, number: index + 1) }
        let comment: Comment = "\(place), \(way), handler: \(hasHandler), \(deeds)"
        if way == .groupedUndo {
          trial.source.groupUndo(since: trial.start)
          trial.expected.group()
        }
        switch way {
        case .undo, .groupedUndo: try await undoAndRedo(&trial, comment)
        case .revertEach:
          for (index, change) in trial.changes.enumerated() {
            let reverted = try await trial.source.revert(change)
            let contradicts = trial.expected.take(back: [trial.expected.mine[index]])
            #expect(reverted.conflicts.isEmpty == !contradicts, comment)
            await trial.check(comment)
          }
        case .revertAll:
          try await trial.source.revertAll(trial.changes)
          _ = trial.expected.take(back: trial.expected.mine)
          await trial.check(comment)
        }
      }
    }
  }

  private func undoAndRedo(_ trial: inout Trial, _ comment: Comment) async throws {
    for isUndo in [true, true, false, false, true] {
      let made = try await isUndo ? trial.source.undo(.named) : trial.source.redo(.named)
      let contradicts = isUndo ? trial.expected.undo() : trial.expected.redo()
      #expect((made == nil) == (contradicts == nil), comment)
      if let made { #expect(made.conflicts.isEmpty == (contradicts == false), comment) }
      await trial.check(comment)
    }
  }

  @Test("The contradiction has the three versions")
  func versions() async throws {
    var trial = try await Trial(.row, hasHandler: false)
    try await trial.make(.mine, number: 1)
    try await trial.make(.theirs, number: 2)
    let undone = try #require(try await trial.source.undo(.named))
    #expect(undone.conflicts == [.item(1, .changedTwice)])
    #expect(
      undone.versions(of: 1, as: Row.self)
        == ModelVersions(
          base: Row(fields: Fields(first: 1)), theirs: Row(fields: Fields(first: 2)), mine: Row()))
    #expect(undone.difference.isEmpty)
  }

  @Test("Undo of a deletion keeps the row that others have inserted under the same identifier")
  func insertedAgain() async throws {
    for hasHandler in [false, true] {
      let trial = try await Trial(.row, hasHandler: hasHandler)
      try await trial.source.update(named: "mine") { $0.deleteItems([1]) }
      try await trial.source.update {
        try $0.appendItems([Row(fields: Fields(first: 7))], toSection: Group(id: 0))
      }
      let undone = try #require(try await trial.source.undo(.named))
      #expect(undone.conflicts.contains(.item(1, .changedTwice)))
      #expect(await trial.live == Fields(first: 7))
    }
  }
}
