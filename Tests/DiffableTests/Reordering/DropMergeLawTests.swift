import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

/// Two rows are dragged together, while others rename, delete, move and change rows.
@Suite("A drop is a merge of what was shown, and cards say where they are", .deadline)
struct DropMergeLawTests {
  private typealias Board = ModelSource<String, Card>
  private typealias Place = ReorderDestination<String, Int>

  private enum Deed {
    case rename(Int, Int)
    case delete(Int)
    case text(Int)
    case drag(Int, Place)
    case insert(Int, after: Int)
    case deleteSection

    static let all: [Deed] = [
      .rename(1, 10), .rename(2, 20), .rename(3, 30), .delete(1), .delete(3), .text(1), .text(3),
      .drag(2, .end(of: "c")), .drag(3, .before(1)), .insert(9, after: 3), .deleteSection,
    ]
  }

  private static let places: [Place] = [.before(3), .after(3), .end(of: "b"), .end(of: "c")]

  /// A board `a[1 2] b[3 4] c[]`, and a list of the same order that has no cards.
  private struct Pair {
    let board = Board(dropHandler: { card, column in card.column = column })
    let list = Source()

    func start() async throws -> List {
      let cards = [(1, "a"), (2, "a"), (3, "b"), (4, "b")].map { Card(id: $0.0, column: $0.1) }
      try await board.apply(cards, section: \.column, sections: ["a", "b", "c"])
      try await list.update { list in
        list.appendSections(["a", "b", "c"])
        try list.appendItems([1, 2], toSection: "a")
        try list.appendItems([3, 4], toSection: "b")
      }
      return await list.snapshot
    }

    /// Does the same in both; what is not there is left alone.
    func make(_ deed: Deed) async throws {
      let order = await list.snapshot
      switch deed {
      case .rename(let old, let new):
        guard var card = await board.model(for: old), !order.containsItem(new) else { return }
        card.rename(to: new)
        try await board.update { [card] in try $0.renameItem(old, to: card) }
        try await list.update { try $0.renameItem(old, to: new) }
      case .delete(let item):
        try await board.update { $0.deleteItems([item]) }
        try await list.update { $0.deleteItems([item]) }
      case .text(let item):
        guard order.containsItem(item) else { return }
        try await board.update { try $0.update(item) { $0.text += "x" } }
      case .drag(let item, let place):
        guard order.containsItem(item) else { return }
        for source in [board, list] as [any WritableListSource<String, Int>] {
          var drag = try #require(try await source.beginReorder([item], at: nil))
          // An anchor may be gone.
          guard (try? drag.proposed(to: place)) != nil else { return }
          try await drag.commit()
        }
      case .insert(let item, let anchor):
        guard !order.containsItem(item),
          let column = order.sectionIdentifier(containingItem: anchor)
        else { return }
        let card = Card(id: item, column: column)
        try await board.update { try $0.insertItems([card], afterItem: anchor) }
        try await list.update { try $0.insertItems([item], afterItem: anchor) }
      case .deleteSection:
        try await board.update { $0.snapshot.deleteSections(["b"]) }
        try await list.update { $0.deleteSections(["b"]) }
      }
    }
  }

  @Test func `Every two deeds of others, for every place`() async throws {
    let deeds = Deed.all.flatMap { first in Deed.all.map { [first, $0] } }
    let cases = Self.places.flatMap { place in deeds.map { (place, $0) } }
    for (place, deeds) in cases.inScope(usual: 5) {
      let pair = Pair()
      let start = try await pair.start()
      let base = await pair.list.revision
      var drag = try #require(try await pair.board.beginReorder([2, 1]))
      _ = try drag.proposed(to: place)
      for deed in deeds { try await pair.make(deed) }
      let before = await pair.board.elements.map { $0 }
      let drop = try #require(try await drag.commit())
      var mine = start
      try mine.reorder([1, 2], to: place)
      let merged = try await pair.list.merge(mine, basedOn: base)
      let comment: Comment = "\(place), meanwhile \(deeds): \(drop)"
      #expect("\(drop.finalSnapshot)" == "\(merged.finalSnapshot)", comment)
      #expect(drop.conflicts == merged.conflicts, comment)
      let state = await pair.board.snapshot
      let after = await pair.board.elements.map { $0 }
      for card in after {
        #expect(card.column == state.sectionIdentifier(containingItem: card.id), comment)
      }
      // A drop changes columns, and leaves the rest of a card as others have it.
      #expect(
        Set(after.map { "\($0.id) \($0.text)" }) == Set(before.map { "\($0.id) \($0.text)" }),
        comment)
    }
  }
}
