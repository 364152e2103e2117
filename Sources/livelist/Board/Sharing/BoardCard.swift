/// A card of a shared board; the columns of the board are the sections of its list.
struct BoardCard: Identifiable, Codable, Equatable, Sendable {
  /// Chosen by the program that has made the card.
  let id: String
  var title: String
  var isDone = false

  /// One may tick a card while another one gives it a new title.
  static func merged(_ base: BoardCard, _ theirs: BoardCard, _ mine: BoardCard) -> BoardCard {
    BoardCard(
      id: theirs.id, title: mine.title == base.title ? theirs.title : mine.title,
      isDone: mine.isDone == base.isDone ? theirs.isDone : mine.isDone)
  }
}
