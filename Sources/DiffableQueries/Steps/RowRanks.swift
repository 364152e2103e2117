import Diffable

/// Makes the step that ranks rows over all sections.
typealias Ranking<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> =
  @Sendable (_ input: SnapshotKernels) -> QueryStep<SectionID, SingleSection, ItemID>

/// The ranks of all rows over all sections, in an order that later steps no longer know, and how
/// they have changed.
///
/// A map makes other elements, and an order cannot compare these. If a grouping comes later, it has
/// to sort across all sections. So the rows before the map are kept in one more list, all in a
/// single section and in their order, and the grouping looks up their places there.
struct RowRanks<ItemID: Hashable & Sendable> {
  let state: Snapshot<SingleSection, ItemID>
  /// `nil` if it is not known how.
  let change: InputChange<SingleSection, ItemID>?

  init(_ input: StepInput<SingleSection, ItemID>) {
    (state, change) = (input.snapshot, input.change)
  }

  /// Whether no row has changed its place.
  var isSame: Bool { change.map { !$0.difference.isStructural } ?? false }

  /// Puts rows in the order of their ranks.
  ///
  /// - Complexity: O(n · log n) for n rows.
  func sort(_ rows: inout [RowPlace]) {
    let end = ItemPath(section: 1, item: 0)
    let places = rows.map { state.itemPath(for: $0.item()) ?? end }
    rows = rows.indices.sorted { places[$0] < places[$1] }.map { rows[$0] }
  }
}

extension StepChange {
  /// Adds the rows that stay in the input where they are, and get another rank.
  ///
  /// - Returns: Whether there are few enough.
  func addRanked(
    _ ranks: InputChange<SingleSection, ItemID>, to rows: inout ChangedRows, atMost limit: Int
  ) -> Bool {
    let moves = ranks.difference.itemMoves
    guard !moves.isEmpty else { return true }
    guard moves.count + rows.count <= limit else { return false }
    let leaving = Set(rows.leaving)
    var entering = Set(rows.entering)
    for move in moves {
      let item: ItemID = ranks.new.row(at: move.to).item()
      guard let path = new.itemPath(for: item), !entering.contains(path),
        let oldPath = old.itemPath(for: item), !leaving.contains(oldPath)
      else { continue }
      rows.leaving.append(oldPath)
      rows.entering.append(path)
      entering.insert(path)
    }
    rows.updated.removeAll(where: entering.contains)
    return true
  }
}
