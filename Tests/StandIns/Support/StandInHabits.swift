/// What a view may do or leave, since Apple's documentation does not say which.
///
/// The views that stand in do all of it, as the strictest view would, but for what makes more cells
/// than a test expects; tests switch each habit both ways.
package struct StandInHabits: OptionSet, Hashable, Sendable, CustomStringConvertible {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A table asks for header and footer of each section, whether there is room for them or not.
  package static let asksForHeadersAndFooters = StandInHabits(rawValue: 1 << 0)
  /// A question for a place that does not exist is raised, where it need not be.
  package static let raisesOutOfRange = StandInHabits(rawValue: 1 << 1)
  /// The invalidation context for what was measured lists its path as well.
  package static let listsMeasuredPaths = StandInHabits(rawValue: 1 << 2)
  /// An update that only moves does not say that the counts of the data source are others.
  package static let leavesCountsOfMoves = StandInHabits(rawValue: 1 << 3)
  /// A table of AppKit asks for views before it returns from `insertRows` and its like.
  package static let asksWithinChanges = StandInHabits(rawValue: 1 << 4)
  /// A completion is called before `performBatchUpdates` returns.
  package static let completesBeforeReturning = StandInHabits(rawValue: 1 << 5)
  /// `reloadData` leaves selected what is at the selected paths then.
  package static let keepsSelectionOnReload = StandInHabits(rawValue: 1 << 6)
  /// The data source is asked of several items whether they can be moved, before one is dragged.
  package static let asksForSeveralDrags = StandInHabits(rawValue: 1 << 7)
  /// A layout is asked about the same bounds when the safe area or the margins are others.
  package static let asksLayoutForInsets = StandInHabits(rawValue: 1 << 8)
  /// A layout of AppKit gives pinned headers an index that is higher than that of items.
  package static let raisesPinnedHeaders = StandInHabits(rawValue: 1 << 9)

  /// A layout of AppKit begins a row at its right end, in a view that is read from right to left.
  package static let mirrorsRows = StandInHabits(rawValue: 1 << 10)
  /// A view has the cell of the row after the last visible one, and does not list it as visible.
  ///
  /// A collection view of AppKit has none: it would list it.
  package static let preparesNextCell = StandInHabits(rawValue: 1 << 11)

  private static let names = [
    "asksForHeadersAndFooters", "raisesOutOfRange", "listsMeasuredPaths", "leavesCountsOfMoves",
    "asksWithinChanges", "completesBeforeReturning", "keepsSelectionOnReload",
    "asksForSeveralDrags", "asksLayoutForInsets", "raisesPinnedHeaders",
    "mirrorsRows", "preparesNextCell",
  ]

  /// All of them but ``preparesNextCell``.
  package static let all = StandInHabits(rawValue: (1 << names.count) - 1)
    .subtracting(.preparesNextCell)

  /// None, all, each alone, and all with one switched.
  package static let combinations: [StandInHabits] = {
    let each = names.indices.map { StandInHabits(rawValue: 1 << $0) }
    return [[], all] + each + each.map { all.symmetricDifference($0) }
  }()

  package var description: String {
    let names = Self.names.indices.filter { contains(.init(rawValue: 1 << $0)) }
      .map { Self.names[$0] }
    return self == .all ? "all" : "\(names)"
  }
}
