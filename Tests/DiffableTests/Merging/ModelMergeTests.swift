import Diffable
import ListSupport
import TestScope
import Testing

/// What a merge does with models that both sides have changed, compared with a table of all cases.
@Suite("Models that a writer and others change", .deadline)
struct ModelMergeTests {
  typealias Cards = ModelSource<String, Card>

  /// What one side does to a row.
  enum Deed: CaseIterable {
    case nothing
    case column
    case text
    case otherText
    case removal

    /// The row as this side leaves it; `nil` if it deletes it.
    func made(of card: Card) -> Card? {
      var card = card
      switch self {
      case .nothing: break
      case .column: card.column = "b"
      case .text: card.text = "x"
      case .otherText: card.text = "y"
      case .removal: return nil
      }
      return card
    }
  }

  struct Case: CustomTestStringConvertible {
    let (theirs, mine): (Deed, Deed)
    /// Whether others also give the row another identifier.
    let isRenamed: Bool
    let hasHandler: Bool
    let isOutline: Bool

    var testDescription: String {
      "\(theirs)/\(mine)\(isRenamed ? " renamed" : "")\(hasHandler ? " merged" : "")"
        + (isOutline ? " hidden" : "")
    }
  }

  static let cases = Deed.allCases.flatMap { theirs in
    Deed.allCases.flatMap { mine in
      [false, true].flatMap { isRenamed in
        [false, true].flatMap { hasHandler in
          [false, true].compactMap { isOutline in
            isRenamed && theirs == .removal
              ? nil
              : Case(
                theirs: theirs, mine: mine, isRenamed: isRenamed, hasHandler: hasHandler,
                isOutline: isOutline)
          }
        }
      }
    }
  }

  /// Keeps the columns and texts that one side alone has changed; of two texts, both.
  static let handler: @Sendable (Card, Card, Card) -> Card = { base, theirs, mine in
    var merged = mine
    if mine.column == base.column { merged.column = theirs.column }
    if mine.text == base.text { merged.text = theirs.text }
    if theirs.text != base.text, mine.text != base.text { merged.text = theirs.text + mine.text }
    return merged
  }

  private func source(_ test: Case) async throws -> Cards {
    let source = Cards(mergeHandler: test.hasHandler ? Self.handler : nil)
    try await source.apply((1...3).map { Card(id: $0, text: "0") }, section: { _ in "s" })
    guard test.isOutline else { return source }
    // Row 2 is hidden below row 1.
    try await source.update { draft in
      let outline = try Outline([1, 2, 3], levels: [0, 1, 0])
      try draft.snapshot.setOutline(outline, forSection: "s")
    }
    return source
  }

  @Test("Each contradiction is a value with its models", arguments: cases)
  func everyCase(_ test: Case) async throws {
    let source = try await source(test)
    let (base, revision) = (await source.snapshot, await source.revision)
    let card = Card(id: 2, text: "0")
    let name = test.isRenamed ? 20 : 2
    func named(_ card: Card?) -> Card? {
      guard var card else { return nil }
      card.rename(to: name)
      return card
    }
    let (theirs, mine) = (test.theirs.made(of: card), test.mine.made(of: card))
    try await source.update { draft in
      if let theirs {
        draft.setModel(theirs)
        var renamed = theirs
        renamed.rename(to: name)
        if test.isRenamed { try draft.renameItem(2, to: renamed) }
      } else {
        draft.snapshot.deleteItems([2])
      }
    }
    var order = base
    if mine == nil { order.deleteItems([2]) }
    let merged = try await source.merge(order, models: mine.map { [$0] } ?? [], basedOn: revision)

    let isTheirs = theirs != card
    let isMine = mine != card
    let expected: (model: Card?, contradiction: Contradiction?)
    switch (theirs, mine) {
    case (let theirs?, let mine?) where isTheirs && isMine && theirs != mine:
      expected =
        test.hasHandler
        ? (Self.handler(card, theirs, mine), nil) : (mine, .changedTwice)
    case (let theirs?, let mine?): expected = (isMine ? mine : theirs, nil)
    case (nil, _?): expected = (nil, isMine ? .changedButDeleted : nil)
    case (_?, nil): expected = (nil, isTheirs ? .deletedButChanged : nil)
    case (nil, nil): expected = (nil, nil)
    }
    #expect(await source.model(for: name) == named(expected.model))
    #expect(merged.conflicts == (expected.contradiction.map { [.item(name, $0)] } ?? []))
    let versions = merged.versions(of: name, as: Card.self)
    #expect(
      versions
        == (expected.contradiction == nil
          ? nil : ModelVersions(base: named(card), theirs: named(theirs), mine: named(mine))))
    #expect(merged.versions(of: 1, as: Card.self) == nil)
    struct Stranger: Identifiable {
      let id: Int
      var texts = ["a", "b"]
    }
    #expect(merged.versions(of: name, as: Stranger.self) == nil)
  }

  @Test("Two that insert the same row with different models contradict each other")
  func insertedTwice() async throws {
    for text in ["x", "y"] {
      let source = Cards(mergeHandler: Self.handler)
      try await source.apply([Card(id: 1)], section: { _ in "s" })
      let (base, revision) = (await source.snapshot, await source.revision)
      try await source.update { try $0.appendItems([Card(id: 2, text: "x")], toSection: "s") }
      var order = base
      try order.appendItems([2])
      let merged = try await source.merge(
        order, models: [Card(id: 2, text: text)], basedOn: revision)
      #expect(await source.model(for: 2)?.text == text)
      #expect(merged.conflicts == (text == "x" ? [] : [.item(2, .changedTwice)]))
      #expect(
        merged.versions(of: 2, as: Card.self)
          == (text == "x"
            ? nil
            : ModelVersions(
              base: nil, theirs: Card(id: 2, text: "x"), mine: Card(id: 2, text: text))))
    }
  }

  @Test("Rows that a writer adds come with their models, and a model of no row is left out")
  func inserted() async throws {
    let source = Cards()
    let base = try await source.apply([Card(id: 1)], section: { _ in "s" }).revision
    var order = await source.snapshot
    try order.appendItems([4])
    try await source.update { try $0.appendItems([Card(id: 2)], toSection: "s") }
    await #expect(throws: DataSourceError.invalidSnapshot(.missingModel([AnyItemID(4)]))) {
      try await source.merge(order, models: [], basedOn: base)
    }
    // Others have a row 2, but the writer has none.
    let merged = try await source.merge(
      order, models: [Card(id: 4, text: "x"), Card(id: 77), Card(id: 2, text: "y")], basedOn: base)
    #expect(merged.conflicts.isEmpty)
    #expect(await source.model(for: 2) == Card(id: 2))
    #expect(await Set(source.snapshot.itemIdentifiers) == [1, 2, 4])
    #expect(await source.model(for: 4) == Card(id: 4, text: "x"))
    #expect(await source.model(for: 77) == nil)
  }

  @Test("A handler that gives a model another identifier is not believed")
  func foreignResult() async throws {
    let source = Cards(mergeHandler: { _, _, _ in Card(id: 9) })
    try await source.apply([Card(id: 1)], section: { _ in "s" })
    let (base, revision) = (await source.snapshot, await source.revision)
    try await source.setModel(Card(id: 1, text: "x"))
    try await source.merge(base, models: [Card(id: 1, text: "y")], basedOn: revision)
    #expect(await source.model(for: 1) == Card(id: 1, text: "y"))
    #expect(await source.snapshot.itemIdentifiers == [1])
  }
}

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
