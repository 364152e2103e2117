import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// A board whose cards know their columns: row and model agree, whatever two users do with a card.
@Suite(.deadline) struct BoardLawTests {
  struct Card: Identifiable, Equatable, Sendable {
    let id: Int
    var column: String
    var title = "old"
  }

  private typealias Board = ModelSource<String, Card>
  private typealias Place = ReorderDestination<String, Int>

  /// What the other user does.
  private enum Deed {
    case nothing
    case drags(Place)
    case names
    case dragsAndNames(Place)

    var place: Place? {
      switch self {
      case .drags(let place), .dragsAndNames(let place): place
      case .nothing, .names: nil
      }
    }

    var isNaming: Bool {
      switch self {
      case .names, .dragsAndNames: true
      case .nothing, .drags: false
      }
    }
  }

  private static let places = placesBeside(1)

  private static func placesBeside(_ card: Int) -> [Place] {
    let anchors = [1, 2, 3, 4].filter { $0 != card }
    return anchors.flatMap { [.before($0), .after($0)] } + ["a", "b", "c"].map { .end(of: $0) }
  }

  private static var deeds: [Deed] {
    [.nothing, .names] + places.flatMap { [.drags($0), .dragsAndNames($0)] }
  }

  @Sendable private static func merged(base: Card, theirs: Card, mine: Card) -> Card {
    var merged = mine
    if mine.column == base.column { merged.column = theirs.column }
    if mine.title == base.title { merged.title = theirs.title }
    return merged
  }

  /// A board with the columns a[1 2], b[3 4] and c[].
  private static func board(merging: Bool) async throws -> Board {
    let board = Board(
      dropHandler: { (card: inout Card, column: String) in card.column = column },
      mergeHandler: merging ? Self.merged : nil)
    let cards = [(1, "a"), (2, "a"), (3, "b"), (4, "b")].map { Card(id: $0.0, column: $0.1) }
    try await board.apply(cards, section: { $0.column }, sections: ["a", "b", "c"])
    return board
  }

  @discardableResult
  private static func drag(
    _ board: Board, to place: Place
  ) async throws -> Transaction<String, Int>? {
    var drag = try #require(try await board.beginReorder([1]))
    _ = try drag.proposed(to: place)
    return try await drag.commit(named: "Drag")
  }

  private static func make(_ deed: Deed, on board: Board) async throws {
    if let place = deed.place { try await drag(board, to: place) }
    if deed.isNaming { try await board.update { try $0.update(1) { $0.title = "new" } } }
  }

  private static func expectAgreement(_ board: Board, _ comment: Comment) async {
    let state = await board.snapshot
    for card in await board.elements {
      #expect(card.column == state.sectionIdentifier(containingItem: card.id), comment)
    }
  }

  @Test(arguments: [false, true])
  func `A drop, its undo and its redo keep what the other has done`(merging: Bool) async throws {
    for place in Self.places {
      for deed in Self.deeds {
        let comment: Comment = "\(place), then \(deed)"
        let board = try await Self.board(merging: merging)
        let start = await board.snapshot
        let dropped = try await Self.drag(board, to: place)
        let mine = await board.snapshot
        try await Self.make(deed, on: board)
        await Self.expectAgreement(board, comment)
        let live = await board.snapshot
        let undone = try await board.revert(dropped?.change)
        #expect(await board.snapshot == (live == mine ? start : live), comment)
        #expect(await board.model(for: 1)?.title == (deed.isNaming ? "new" : "old"), comment)
        await Self.expectAgreement(board, comment)
        let isMoved = live != mine && live != start
        #expect(
          undone.conflicts.contains(.item(1, .movedTwice))
            == (isMoved && dropped?.change != nil), comment)

        try await board.revert(undone.change)
        #expect(await board.snapshot == live, comment)
        #expect(await board.model(for: 1)?.title == (deed.isNaming ? "new" : "old"), comment)
        await Self.expectAgreement(board, comment)
      }
    }
  }

  @Test(arguments: [false, true])
  func `The undo of a drop, once the other has renamed the card too`(merging: Bool) async throws {
    for place in Self.places {
      for deed in Self.deeds.inScope(usual: 3) {
        let comment: Comment = "\(place), then \(deed) and another name"
        let board = try await Self.board(merging: merging)
        let dropped = try await Self.drag(board, to: place)
        try await Self.make(deed, on: board)
        let card = try #require(await board.model(for: 1))
        try await board.update {
          try $0.renameItem(1, to: Card(id: 9, column: card.column, title: card.title))
        }
        try await board.revert(dropped?.change)
        #expect(await board.model(for: 9)?.title == (deed.isNaming ? "new" : "old"), comment)
        await Self.expectAgreement(board, comment)
      }
    }
  }

  @Test(arguments: [false, true])
  func `A drop that another user comes in between of`(merging: Bool) async throws {
    for place in Self.places {
      for deed in Self.deeds {
        let comment: Comment = "\(place), meanwhile \(deed)"
        let board = try await Self.board(merging: merging)
        let start = await board.snapshot
        var drag = try #require(try await board.beginReorder([1]))
        _ = try drag.proposed(to: place)
        try await Self.make(deed, on: board)
        let live = await board.snapshot
        let drop = try #require(try await drag.commit())
        await Self.expectAgreement(board, comment)
        #expect(await board.model(for: 1)?.title == (deed.isNaming ? "new" : "old"), comment)
        let isTwice = drag.proposedSnapshot != start && live != start
        #expect(
          drop.conflicts
            == (isTwice && live != drag.proposedSnapshot ? [.item(1, .movedTwice)] : []), comment)
        // Undo of the drop gives what the other has made.
        try await board.revert(drop.change)
        #expect(await board.snapshot == live, comment)
        await Self.expectAgreement(board, comment)
      }
    }
  }

  @Test(arguments: [false, true])
  func `Two drags of different cards at the same time`(merging: Bool) async throws {
    for (card, place) in [2, 3].flatMap({ card in Self.places.map { (card, $0) } }) {
      for other in Self.placesBeside(card) {
        let board = try await Self.board(merging: merging)
        // Of two cards that are dragged together, both are in the new column.
        var ann = try #require(try await board.beginReorder(card == 2 ? [1] : [2, 1]))
        var ben = try #require(try await board.beginReorder([card]))
        _ = try ann.proposed(to: place)
        _ = try ben.proposed(to: other)
        try await ben.commit()
        try await ann.commit()
        await Self.expectAgreement(board, "1 \(place), \(card) \(other)")
      }
    }
  }

  @Test func `A card that was put back says where another has put it`() async throws {
    let board = try await Self.board(merging: false)
    var ann = try #require(try await board.beginReorder([1]))
    _ = try ann.proposed(to: .end(of: "c"))
    _ = try ann.proposed(to: .before(2))
    try await Self.drag(board, to: .end(of: "c"))
    try await ann.commit()
    #expect(await board.snapshot.sectionIdentifier(containingItem: 1) == "c")
    #expect(await board.model(for: 1)?.column == "c")
  }

  @Test func `A handler that makes another card of it is ignored, and the card is dropped`()
    async throws
  {
    let board = Board(dropHandler: { (card: inout Card, column: String) in
      card = Card(id: 2, column: column)
    })
    let cards = [Card(id: 1, column: "a"), Card(id: 2, column: "a")]
    try await board.apply(cards, section: { $0.column }, sections: ["a", "c"])
    try await Self.drag(board, to: .end(of: "c"))
    #expect(await board.snapshot.description == "a[2] c[1]")
    #expect(await board.elements.map { $0 } == [cards[1], cards[0]])
  }

  @Test func `What is committed twice is dropped twice`() async throws {
    let board = try await Self.board(merging: false)
    var drag = try #require(try await board.beginReorder([1]))
    _ = try drag.proposed(to: .after(3))
    let first = try #require(try await drag.commit())
    let again = try #require(try await drag.commit())
    #expect(first.change != nil && again.change == nil && again.conflicts.isEmpty)
    #expect(again.finalSnapshot == first.finalSnapshot && again.target == first.target)
    // Somebody has taken it away in between: now it is a drop like one that came later.
    try await Self.drag(board, to: .end(of: "c"))
    let third = try #require(try await drag.commit())
    #expect(third.conflicts == [.item(1, .movedTwice)])
    #expect(third.finalSnapshot == first.finalSnapshot)
    await Self.expectAgreement(board, "committed twice")
  }

  @Test func `What is reverted twice is reverted once`() async throws {
    for deed in Self.deeds where deed.place != .end(of: "c") {
      let board = try await Self.board(merging: true)
      let dropped = try await Self.drag(board, to: .end(of: "c"))
      let named = try await board.update { try $0.update(2) { $0.title = "mine" } }
      for change in [dropped?.change, named.change] {
        try await board.revert(change)
        try await Self.make(deed, on: board)
        let (live, models) = (await board.snapshot, await board.elements)
        let again = try await board.revert(change)
        #expect(again.change == nil, "\(deed)")
        #expect(await board.snapshot == live)
        #expect(await board.elements.elementsEqual(models))
      }
    }
  }
}
