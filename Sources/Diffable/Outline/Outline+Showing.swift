extension Outline {
  /// This outline edited to show a flat list of items; `nil` if the list contains an item twice.
  ///
  /// The list determines which items are visible, the tree how they are nested. If the two
  /// contradict each other, the tree wins:
  ///
  /// - A visible item that is not in the list is deleted, with its descendants. Descendants that
  ///   are in the list are inserted again as new items.
  /// - A new item is inserted after the item that precedes it in the list and all of that item's
  ///   descendants, at the same level.
  /// - As few items as possible move. An item that moves is placed after the item that precedes it
  ///   in the list, with its descendants; it keeps its level unless that item is above it.
  /// - A hidden item in the list stays hidden.
  ///
  /// - Complexity: O(v) for v visible and listed items, given a good hash, and O(c · log n) for c
  ///   of n items that change.
  func showing(_ list: [ItemID]) -> Outline? {
    let visible = visibleItems
    guard list != visible else { return self }
    let listed = IdentifierSet(list)
    guard listed.count == list.count else { return nil }
    var old = IdentifierMap<ItemID, Int>()
    for (place, item) in visible.enumerated() { old[item] = place }
    var result = self
    result.delete(visible.filter { !listed.contains($0) })

    var runs: [MatchedRun] = []
    for (place, item) in list.enumerated() {
      guard let origin = old[item], result.contains(item) else { continue }
      runs.append(MatchedRun(old: origin, new: place, count: 1))
    }
    var moves: Set<Int> = []
    if let stays = runs.heaviestIncreasingSubsequence() {
      moves = Set(zip(runs, stays).lazy.filter { !$1 }.map(\.0.new))
    }
    var previous: ItemID?
    for (place, item) in list.enumerated() {
      if !result.contains(item) {
        result.insertNew(item, behind: previous)
      } else if old[item] == nil {
        continue
      } else if moves.contains(place) {
        result.moveVisible(item, behind: previous)
      }
      previous = item
    }
    return result
  }

  /// Inserts a new item after a visible one, or as the first.
  mutating func insertNew(_ item: ItemID, behind previous: ItemID?) {
    guard let place = previous.flatMap(position(of:)) else {
      return replaceRows(0..<0, with: [Row(id: item, level: 0)])
    }
    let end = endOfSubtree(at: place)
    replaceRows(end..<end, with: [Row(id: item, level: rows[place].level)])
  }

  /// Moves a visible item after another, or to the front, unless it is already there.
  mutating func moveVisible(_ item: ItemID, behind previous: ItemID?) {
    guard let source = position(of: item) else { return }
    let subtree = source..<endOfSubtree(at: source)
    var (destination, level) = (0, Int32(0))
    if let place = previous.flatMap(position(of:)) {
      guard !subtree.contains(place) else { return }
      let next = rows[place].isExpanded ? place + 1 : endOfSubtree(at: place)
      guard next != source else { return }
      level = min(rows[place].level, rows[source].level)
      // The row itself, or its ancestor at the level.
      let sibling =
        rows.lastPosition(
          before: place + 1, inSubtrees: { $0.lowestLevel <= level }, where: { $0.level <= level })
        ?? place
      destination = endOfSubtree(at: sibling)
    }
    moveRows(subtree, to: destination, deeper: level - rows[source].level)
  }
}
