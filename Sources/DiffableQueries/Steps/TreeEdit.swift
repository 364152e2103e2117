import Diffable

/// An edit that lets the tree of a section follow its rows.
///
/// Rows that have no place yet are after all others, as rows without a parent, each with its
/// descendants.
struct TreeEdit<ItemID: Hashable & Sendable> {
  private(set) var outline: Outline<ItemID>
  /// The start of the rows that have no place yet.
  private var settled: Int
  private var unsettled: [ItemID] = []

  init(_ outline: Outline<ItemID>) {
    (self.outline, settled) = (outline, outline.count)
  }

  /// Removes rows; descendants that stay have no place for the moment.
  ///
  /// - Complexity: O(k · log n) for k of n rows with their children and the descendants of these.
  mutating func remove(_ gone: IdentifierSet<ItemID>) {
    for item in gone.inOrder {
      for child in outline.children(of: item) where !gone.contains(child) { lift(child) }
    }
    let ranges = outline.subtrees(of: gone.inOrder.compactMap(outline.position(of:)))
    outline.deleteRows(ranges)
    settled -= ranges.reduce(0) { $0 + ($1.lowerBound < settled ? $1.count : 0) }
  }

  /// Adds a row, which has no place for the moment.
  mutating func add(_ row: OutlineRow<ItemID>) {
    outline.replaceRows(outline.count..<outline.count, with: [row])
    unsettled.append(row.id)
  }

  /// Sets the flags of a row.
  mutating func setFlags(like row: OutlineRow<ItemID>) {
    outline.setFlags(like: CollectionOfOne(row))
  }

  /// Takes a row with its descendants from its place.
  ///
  /// - Complexity: O(k + log n) for k of n rows below it.
  mutating func lift(_ item: ItemID) {
    guard let position = outline.position(of: item) else { return }
    let isLifted = position >= settled && outline.rows[position].level == 0
    guard !isLifted else { return }
    let count = move(position, to: outline.count, level: 0)
    if position < settled { settled -= count }
    unsettled.append(item)
  }

  /// Places all rows that have no place.
  ///
  /// - Parameters:
  ///   - isBefore: Whether the first row belongs before the second if both have the same parent.
  ///   - parent: The parent that a row names.
  /// - Returns: The rows that name a parent that does not exist.
  /// - Throws: `SnapshotError.cyclicMove` if rows name each other in a circle.
  /// - Complexity: O(c · log² n + k) for c rows with k descendants among n rows.
  mutating func settle(
    isBefore: (ItemID, ItemID) -> Bool, parent: (ItemID) -> ItemID?
  ) throws(SnapshotError) -> [(orphan: ItemID, parent: ItemID)] {
    var orphans: [(orphan: ItemID, parent: ItemID)] = []
    for item in unsettled {
      guard let position = outline.position(of: item) else { continue }
      var (siblings, level) = (0..<settled, Int32(0))
      if let name = parent(item) {
        if let parent = outline.position(of: name) {
          let end = outline.endOfSubtree(at: position)
          guard !(position..<end).contains(parent) else {
            throw .cyclicMove([AnyItemID(item)])
          }
          siblings = parent + 1..<outline.endOfSubtree(at: parent)
          level = outline.rows[parent].level + 1
        } else {
          orphans.append((item, name))
        }
      }
      let place = gap(for: item, in: siblings, level, isBefore)
      let count = move(position, to: place, level: level)
      if place <= settled { settled += count }
    }
    unsettled = []
    return orphans
  }

  /// The place of a row among its siblings.
  private func gap(
    for item: ItemID, in siblings: Range<Int>, _ level: Int32, _ isBefore: (ItemID, ItemID) -> Bool
  ) -> Int {
    var (low, high) = (siblings.lowerBound, siblings.upperBound)
    while low < high {
      let middle = outline.rows.lastPosition(
        before: (low + high) / 2 + 1, inSubtrees: { $0.lowestLevel <= level },
        where: { $0.level <= level })
      guard let middle, middle >= low else { break }
      if isBefore(outline.rows[middle].id, item) {
        low = outline.endOfSubtree(at: middle)
      } else {
        high = middle
      }
    }
    return low
  }

  /// Moves a row with its descendants, and returns their number.
  private mutating func move(_ position: Int, to place: Int, level: Int32) -> Int {
    let subtree = position..<outline.endOfSubtree(at: position)
    outline.moveRows(subtree, to: place, deeper: level - outline.rows[position].level)
    return subtree.count
  }
}
