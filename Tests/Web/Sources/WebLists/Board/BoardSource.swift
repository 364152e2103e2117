import Diffable

/// A board; the columns are its sections.
typealias BoardSource = ModelSource<String, BoardCard>

extension BoardSource {
  /// A board with three columns and a few cards.
  static func sample() async throws -> BoardSource {
    let source = BoardSource(
      // A page that was offline for a while knows an old state.
      options: SourceOptions(history: 1_000), mergeHandler: BoardCard.merged)
    try await source.update { try addSample(to: &$0) }
    return source
  }

  static func addSample(to draft: inout BoardBatch.Draft) throws {
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
}
