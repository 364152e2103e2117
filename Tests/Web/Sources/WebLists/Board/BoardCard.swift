package import Diffable

/// A card of a board; the columns of the board are the sections of its list.
package struct BoardCard: Identifiable, Codable, Equatable, Sendable {
  /// Chosen by the page that has made the card.
  package let id: String
  package var title: String
  package var isDone: Bool

  package init(id: String, title: String, isDone: Bool = false) {
    (self.id, self.title, self.isDone) = (id, title, isDone)
  }
}

package typealias BoardSource = ModelSource<String, BoardCard>

extension BoardSource {
  /// A board with three columns and a few cards.
  package static func sample() async throws -> BoardSource {
    let source = BoardSource(
      // A page that was offline for a while knows an old state.
      options: SourceOptions(history: 1_000),
      mergeHandler: { base, theirs, mine in
        // One may tick a card while another one gives it a new title.
        BoardCard(
          id: theirs.id, title: mine.title == base.title ? theirs.title : mine.title,
          isDone: mine.isDone == base.isDone ? theirs.isDone : mine.isDone)
      })
    try await source.update { draft in
      draft.snapshot.appendSections(["To do", "Doing", "Done"])
      try draft.appendItems(
        [
          BoardCard(id: "paint", title: "Choose a paint for the door"),
          BoardCard(id: "gutter", title: "Clean the gutter"),
          BoardCard(id: "lamp", title: "Buy a lamp for the stairs"),
        ], toSection: "To do")
      try draft.appendItems([BoardCard(id: "fence", title: "Mend the fence")], toSection: "Doing")
      try draft.appendItems(
        [BoardCard(id: "door", title: "Sand the door", isDone: true)], toSection: "Done")
    }
    return source
  }
}
