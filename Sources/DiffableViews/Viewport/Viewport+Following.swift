package import Diffable

extension Viewport {
  /// The anchor with which the list follows a change.
  ///
  /// It is for the state *before* the change. Its row exists afterwards as well, at a path that
  /// `PositionMap.newPath(forOld:)` returns.
  ///
  /// - Parameters:
  ///   - difference: The whole change; a batch that is cut into stages is one change.
  ///   - extent: The sections and items before the change.
  ///   - keepsPlace: Whether the rows stay in place even at the beginning of the list, as with
  ///     `Presentation.inPlace`. Otherwise rows that are inserted there come into view. Of the visible
  ///     rows, the last one that stays keeps its place then.
  /// - Complexity: O(v log c + c log c) for v visible rows and c changes, and one step for each
  ///   deleted or empty section next to a gap.
  package func anchor(
    through difference: SnapshotDifference, of extent: SnapshotDifference.Extent,
    keepsPlace: Bool = false
  ) -> ListAnchor {
    let candidates = candidates(keepsPlace: keepsPlace)
    guard !candidates.isEmpty else { return anchor }
    let change = RowChange(difference, of: extent)
    let remaining = candidates.filter { $0.path.map(change.remains) ?? false }
    if let focused = remaining.first(where: { $0.path == focus }) { return focused }
    if let staying = remaining.first(where: { $0.path.map(change.stays) ?? false }) {
      return staying
    }
    // Every row goes. What was around them comes to their place.
    let paths = candidates.compactMap(\.path)
    let after = paths.max().flatMap(change.row(after:))
    let before = paths.min().flatMap(change.row(before:))
    let neighbours = [after, before].compactMap(\.self)
    let gap = max(covered.start, candidates.map(distance(of:)).min() ?? 0)
    if let neighbour = neighbours.first(where: change.stays) {
      return .row(neighbour, distance: gap)
    }
    // All neighbours go with them: to another section, for example.
    return remaining.first ?? neighbours.first.map { .row($0, distance: gap) } ?? .offset
  }

  /// What can stay in place, in the order of preference; nothing for an end of the list.
  private func candidates(keepsPlace: Bool) -> [ListAnchor] {
    switch anchor {
    case .end: return []
    case .start where !keepsPlace: return []
    case .target: return [anchor]
    case .start, .offset, .row:
      // A view without length, or whose rows are out of sight, has an anchor only.
      guard hasRoom, !rows.isEmpty else { return anchor == .start ? [] : [anchor] }
      // What is loaded comes before the last row, but maybe after a row that says what is loading.
      let rows = keepsPlace ? rows.reversed() : rows
      let open = rows.filter { !isCovered($0) }
      if open.isEmpty, case .row = anchor { return [anchor] }
      return (open + rows.filter(isCovered)).map {
        .row($0.path, distance: $0.span.lowerBound - offset)
      }
    }
  }

  private func distance(of anchor: ListAnchor) -> Double {
    if case .row(_, let distance) = anchor { distance } else { 0 }
  }
}
