import Diffable
import TestScope
import Testing

/// Two people drag on one board, each from what they saw.
@Suite("The model of a dropped card says the section in which it is", .deadline)
struct DroppedSectionTests {
  private struct Card: Identifiable, Equatable {
    let id: Int
    var column: Int
  }

  private typealias Board = ModelSource<Int, Card>
  private typealias Destination = ReorderDestination<Int, Int>

  private static let start = [
    Card(id: 1, column: 0), Card(id: 2, column: 0), Card(id: 3, column: 1),
  ]
  private static let destinations: [Destination] =
    start.flatMap { [.before($0.id), .after($0.id)] } + (0..<3).map { .end(of: $0) }

  @Sendable private static func newer(_ base: Card, _ theirs: Card, _ mine: Card) -> Card {
    base == mine ? theirs : mine
  }

  private static func board(merges: Bool) async throws -> Board {
    let board = Board(
      dropHandler: { card, column in card.column = column },
      mergeHandler: merges ? Self.newer : nil)
    try await board.apply(start, section: \.column, sections: [0, 1, 2])
    return board
  }

  @Test("Whoever drops first, and wherever", arguments: [true, false])
  func anyTwo(merges: Bool) async throws {
    var count = 0
    for (mine, theirs) in [(1, 1), (1, 2), (3, 3), (3, 1)] {
      for first in Self.destinations {
        for second in Self.destinations {
          let board = try await Self.board(merges: merges)
          var ann = try #require(try await board.beginReorder([mine]))
          var ben = try #require(try await board.beginReorder([theirs]))
          guard (try? ann.proposed(to: first)) != nil, (try? ben.proposed(to: second)) != nil
          else { continue }
          try await ben.commit()
          try await ann.commit()
          let (state, _) = await board.current
          for card in await board.elements {
            #expect(
              state.sectionIdentifier(containingItem: card.id) == card.column,
              "\(theirs) to \(second), then \(mine) to \(first)")
          }
          count += 1
        }
      }
    }
    #expect(count > 200)
  }

  @Test func `A card that was put back says where another has put it`() async throws {
    let board = try await Self.board(merges: false)
    var ann = try #require(try await board.beginReorder([1]))
    _ = try ann.proposed(to: .end(of: 2))
    _ = try ann.proposed(to: .before(2))
    var ben = try #require(try await board.beginReorder([1]))
    _ = try ben.proposed(to: .end(of: 2))
    try await ben.commit()
    try await ann.commit()
    #expect(await board.snapshot.sectionIdentifier(containingItem: 1) == 2)
    #expect(await board.model(for: 1)?.column == 2)
  }
}
