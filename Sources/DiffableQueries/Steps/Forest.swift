import Diffable

/// A forest of rows, made from the parent that each row names.
///
/// A row whose parent is not among the rows has no parent. If rows name each other in a circle, the
/// first of them has no parent. Children are in the order of the rows.
struct Forest<ItemID: Hashable & Sendable> {
  /// The rows by their indices, each before its descendants.
  private(set) var rows: [(index: Int, level: Int32)] = []
  /// Rows that name a parent that is not among the rows.
  private(set) var orphans: [(index: Int, parent: ItemID)] = []
  private(set) var hasCircles = false

  /// - Complexity: O(n) for n rows, given a good hash.
  init(_ items: [ItemID], parents: [ItemID?]) {
    var places = IdentifierMap<ItemID, Int>()
    for (index, item) in items.enumerated() { places[item] = index }
    /// The index of the parent of each row, -1 for none.
    var above = Array(repeating: -1, count: items.count)
    for (index, parent) in parents.enumerated() {
      guard let parent else { continue }
      if let place = places[parent] {
        above[index] = place
      } else {
        orphans.append((index, parent))
      }
    }
    openCircles(&above)
    arrange(above)
  }

  /// Removes the parent of the first row of each circle.
  private mutating func openCircles(_ above: inout [Int]) {
    // A walk goes up until it meets a row of a walk. If that is a row of the same walk, there is a
    // circle.
    var walks = Array(repeating: -1, count: above.count)
    for start in above.indices {
      var row = start
      while row >= 0, walks[row] < 0 {
        walks[row] = start
        row = above[row]
      }
      guard row >= 0, walks[row] == start else { continue }
      hasCircles = true
      var first = row
      var next = above[row]
      while next != row {
        first = min(first, next)
        next = above[next]
      }
      above[first] = -1
    }
  }

  private mutating func arrange(_ above: [Int]) {
    /// The first child of each row, and the row after it, -1 for none.
    var (children, next) = (Array(repeating: -1, count: above.count), above)
    var root = -1
    for row in above.indices.reversed() {
      let parent = above[row]
      if parent < 0 {
        (next[row], root) = (root, row)
      } else {
        (next[row], children[parent]) = (children[parent], row)
      }
    }
    rows.reserveCapacity(above.count)
    var path: [(index: Int, level: Int32)] = []
    if root >= 0 { path.append((root, 0)) }
    while let row = path.popLast() {
      rows.append(row)
      if next[row.index] >= 0 { path.append((next[row.index], row.level)) }
      if children[row.index] >= 0 { path.append((children[row.index], row.level + 1)) }
    }
  }
}
