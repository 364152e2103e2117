/// Adjacent rows of an outline, and the rows that replace them.
package struct RowReplacement<ItemID: Hashable & Sendable>: Sendable {
  package let old: Range<Int>
  package let rows: ContiguousArray<OutlineRow<ItemID>>

  /// - Parameter rows: Their visibility marks count for nothing.
  package init(_ old: Range<Int>, with rows: ContiguousArray<OutlineRow<ItemID>>) {
    (self.old, self.rows) = (old, rows)
  }
}

/// Replacing rows: what every edit of an outline comes down to.
///
/// What is visible follows from the levels and the flags of the final rows alone. An edit replaces all
/// of its rows at once and looks at no marks but those of rows that stay. So it does not matter in
/// which order it finds its parts, nor what there would be between them.
extension Outline {
  /// Replaces adjacent rows.
  ///
  /// - Complexity: As ``replaceRows(_:)``.
  package mutating func replaceRows(_ range: Range<Int>, with new: ContiguousArray<Row>) {
    replaceRows([RowReplacement(range, with: new)])
  }

  /// Replaces rows in several places; the table follows.
  ///
  /// - Parameter replacements: Ascending and without overlap, by the positions before all of them.
  /// - Returns: The new positions of all rows that have stayed and have become visible or hidden,
  ///   ascending; some that were inserted may be among them.
  /// - Complexity: O(m + (k + v) · log n) for k replacements in n rows, with m rows that are removed or
  ///   inserted, and v others that become visible or hidden, or are visible below a row that was
  ///   removed or inserted. More if a copy of the outline shares its table, see `append(_:to:)`.
  @discardableResult
  package mutating func replaceRows(_ replacements: [RowReplacement<ItemID>]) -> [Int] {
    let levels = replacements.map { replacement in
      (
        before: collapsedLevel(before: replacement.old.lowerBound),
        after: collapsedLevel(before: replacement.old.upperBound)
      )
    }
    for (replacement, levels) in zip(replacements, levels).reversed() {
      var rows = replacement.rows
      Self.mark(&rows, below: levels.before)
      let elements = HashedElements(hashing: rows, self.rows.kernel)
      file(self.rows.replaceSubrange(replacement.old, with: elements))
    }
    var boundaries: [Boundary] = []
    var shift = 0
    for (replacement, levels) in zip(replacements, levels) {
      let (start, count) = (replacement.old.lowerBound + shift, replacement.rows.count)
      if count > 0 { boundaries.append(Boundary(position: start, collapsed: levels.before)) }
      boundaries.append(Boundary(position: start + count, collapsed: levels.after))
      shift += count - replacement.old.count
    }
    let toggled = restoreMarks(boundaries)
    _checkInvariants()
    return toggled
  }

  /// Deletes rows.
  ///
  /// - Parameter ranges: Ascending and without overlap.
  /// - Complexity: As ``replaceRows(_:)``.
  package mutating func deleteRows(_ ranges: [Range<Int>]) {
    replaceRows(ranges.map { RowReplacement($0, with: []) })
  }

  /// Moves adjacent rows, a subtree, before another row or to the end.
  ///
  /// - Parameters:
  ///   - destination: A position before the move, not among the rows.
  ///   - shift: What is added to their levels.
  /// - Complexity: As ``replaceRows(_:)``.
  package mutating func moveRows(_ range: Range<Int>, to destination: Int, deeper shift: Int32) {
    let gap = RowReplacement<ItemID>(range, with: [])
    let moved = RowReplacement(
      destination..<destination, with: copiedRows(range, deeper: shift))
    replaceRows(destination <= range.lowerBound ? [moved, gap] : [gap, moved])
  }

  /// Changes whether rows at some positions, given in ascending order, are expanded.
  ///
  /// - Complexity: The same as ``changeRows(at:_:)`` for these rows and k that become visible or
  ///   hidden.
  mutating func changeExpansion(at positions: [Int], _ change: (inout Row) -> Void) {
    // What is below a hidden row becomes visible only with the row.
    let boundaries = positions.filter { rows[$0].isVisible }
      .map { Boundary(position: $0 + 1, collapsed: collapsedLevel(before: $0 + 1)) }
    changeRows(at: positions, change)
    restoreMarks(boundaries)
    _checkInvariants()
  }
}

/// Visibility marks.
///
/// Whether a row is visible depends on the rows before it by one number: the level below which they hide
/// everything. So where that is the same as before an edit, the marks from there on are right.
extension Outline {
  /// A place before which rows have changed.
  private struct Boundary {
    let position: Int
    /// The level below which the rows before it did hide those after it, when these were marked.
    let collapsed: Int32
  }

  /// The level below which rows before a position hide the rows after it; `.max` if they hide none.
  ///
  /// - Complexity: O(log n) for n rows.
  private func collapsedLevel(before position: Int) -> Int32 {
    // All rows between the last visible row and the position are below that row.
    let last = rows.lastPosition(
      before: position, inSubtrees: { $0.items > 0 }, where: { $0.isVisible })
    guard let last else { return .max }
    let row = rows[last]
    return row.isExpanded ? .max : row.level
  }

  /// Marks adjacent rows as visible or hidden.
  ///
  /// - Parameter level: The level below which the rows before them hide rows.
  private static func mark(_ rows: inout ContiguousArray<Row>, below level: Int32) {
    var collapsed = level
    for index in rows.indices {
      rows[index].isVisible = rows[index].level <= collapsed
      if rows[index].isVisible { collapsed = rows[index].isExpanded ? .max : rows[index].level }
    }
  }

  /// Makes the visibility marks right, given that they are except after some places.
  ///
  /// - Returns: The rows whose marks were wrong, ascending.
  /// - Complexity: O((b + k) · log n) for b places and k of n rows after them that are or were marked
  ///   visible.
  @discardableResult private mutating func restoreMarks(_ boundaries: [Boundary]) -> [Int] {
    var wrong: [Int] = []
    // The rows from `position` to `end` are to be looked at.
    var (position, end, collapsed) = (0, 0, Int32.max)
    for boundary in boundaries {
      appendWronglyMarked(
        from: &position, to: min(end, boundary.position), below: &collapsed, &wrong)
      if position < boundary.position {
        // The last row that was looked at ends at a row that was and is visible.
        position = boundary.position
        collapsed = collapsedLevel(before: position)
      }
      guard collapsed != boundary.collapsed else { continue }
      // Where a row is as high as this, it was visible and is visible.
      let highest = min(collapsed, boundary.collapsed)
      end = max(end, self.position(notBelow: highest, from: boundary.position))
    }
    appendWronglyMarked(from: &position, to: end, below: &collapsed, &wrong)
    if !wrong.isEmpty { changeRows(at: wrong) { $0.isVisible.toggle() } }
    return wrong
  }

  /// Adds the positions of rows whose visibility mark is wrong.
  ///
  /// - Parameter collapsed: The level below which the rows before the position hide rows.
  private func appendWronglyMarked(
    from position: inout Int, to end: Int, below collapsed: inout Int32, _ wrong: inout [Int]
  ) {
    while position < end {
      let row = rows[position]
      guard row.level > collapsed else {
        if !row.isVisible { wrong.append(position) }
        collapsed = row.isExpanded ? .max : row.level
        position += 1
        continue
      }
      let hidden = position..<min(self.position(notBelow: collapsed, from: position), end)
      wrong += rows.positions(in: hidden, inSubtrees: { $0.items > 0 }, where: { $0.isVisible })
      position = hidden.upperBound
    }
  }
}
