#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Diffable

/// The rows of a view without sections: one for each item, and one for each section header, if any.
struct FlatRows {
  /// The content of a row.
  enum Element {
    case header(section: Int)
    case item(ItemPath)
  }

  let headerCount: Int
  private(set) var itemCounts: [Int] = []
  /// The section that is moving, row by row.
  private var passage: Passage?

  /// A moving section: its old start, its final start, and the number of arrived rows.
  private struct Passage {
    let from: Int
    let to: Int
    let length: Int
    var arrived = 0
  }

  init(hasHeaders: Bool, itemCounts: [Int] = []) {
    headerCount = hasHeaders ? 1 : 0
    self.itemCounts = itemCounts
  }

  var count: Int { start(ofSection: itemCounts.count) }

  /// The first row of a section, its header if it has one.
  ///
  /// - Complexity: O(s) for s sections, as for all lookups of one row here.
  func start(ofSection section: Int) -> Int {
    itemCounts.prefix(section).reduce(0) { $0 + $1 + headerCount }
  }

  func row(of path: ItemPath) -> Int { start(ofSection: path.section) + headerCount + path.item }

  func rows(ofSections sections: Range<Int>) -> Range<Int> {
    start(ofSection: sections.lowerBound)..<start(ofSection: sections.upperBound)
  }

  func rows(of range: ItemPathSet.PathRange) -> Range<Int> {
    let first = row(of: ItemPath(section: range.section, item: range.items.lowerBound))
    return first..<first + range.items.count
  }

  /// The content of a row; `nil` if there is no such row.
  func element(inRow row: Int) -> Element? {
    let row = settled(row)
    guard row >= 0 else { return nil }
    var first = 0
    for (section, count) in itemCounts.enumerated() {
      let item = row - first - headerCount
      if item < 0 { return .header(section: section) }
      if item < count { return .item(ItemPath(section: section, item: item)) }
      first += count + headerCount
    }
    return nil
  }

  /// The rows of some items, in ranges that ascend.
  ///
  /// - Complexity: O(s + r) for s sections and r ranges.
  func rows(ofItems paths: ItemPathSet) -> [Range<Int>] {
    var (section, start) = (0, 0)
    return paths.ranges.map { range in
      while section < min(range.section, itemCounts.count) {
        start += headerCount + itemCounts[section]
        section += 1
      }
      let first = start + headerCount + range.items.lowerBound
      return first..<first + range.items.count
    }
  }

  /// The items in some rows, while no section is moving.
  ///
  /// - Parameter ranges: The rows, in ranges that ascend.
  /// - Complexity: O(s + r) for s sections and r ranges.
  func items(inRows ranges: some Sequence<Range<Int>>) -> ItemPathSet {
    var items = ItemPathSet()
    var (section, start) = (0, 0)
    for range in ranges {
      while section < itemCounts.count {
        let first = start + headerCount
        let end = first + itemCounts[section]
        let rows = range.clamped(to: first..<end)
        items.append(section: section, items: rows.lowerBound - first..<rows.upperBound - first)
        // The next range may begin in the same section.
        guard end <= range.upperBound else { break }
        (section, start) = (section + 1, end)
      }
    }
    return items
  }

  /// The target of a drop between a row and the one above it; `nil` if there are no sections.
  ///
  /// It is before the item in the row, or at the end of the previous section.
  func dropPath(aboveRow row: Int) -> ItemPath? {
    func end(ofSection section: Int) -> ItemPath {
      ItemPath(section: section, item: itemCounts[section])
    }
    return switch element(inRow: row) {
    case .item(let path): path
    case .header(section: 0): ItemPath(section: 0, item: 0)
    case .header(let section): end(ofSection: section - 1)
    case nil: itemCounts.indices.last.map { end(ofSection: $0) }
    }
  }

  mutating func removeSections(_ sections: Range<Int>) { itemCounts.removeSubrange(sections) }

  mutating func insertSections(ofCounts counts: [Int], at section: Int) {
    itemCounts.insert(contentsOf: counts, at: section)
  }

  mutating func changeCount(ofSection section: Int, by change: Int) {
    itemCounts[section] += change
  }

  /// Begins to move a section; its rows move one after another, see ``moveNextRow()``.
  mutating func moveSection(_ move: Move<Int>) {
    let start = start(ofSection: move.from)
    let count = itemCounts.remove(at: move.from)
    let target = self.start(ofSection: move.to)
    itemCounts.insert(count, at: move.to)
    passage = Passage(from: start, to: target, length: count + headerCount)
  }

  /// Moves the next row of the moving section; `nil` if all rows have arrived.
  mutating func moveNextRow() -> Move<Int>? {
    guard let passage, passage.arrived < passage.length else {
      passage = nil
      return nil
    }
    self.passage?.arrived += 1
    return passage.to > passage.from
      ? Move(from: passage.from, to: passage.to + passage.length - 1)
      : Move(from: passage.from + passage.arrived, to: passage.to + passage.arrived)
  }

  /// The row to which the content of a row belongs when the whole section has moved.
  private func settled(_ row: Int) -> Int {
    guard let passage else { return row }
    let (from, to) = (passage.from, passage.to)
    let waiting = passage.length - passage.arrived
    // Between the waiting rows and those that have arrived are others, shifted by the waiting rows.
    if to > from {
      if (from..<from + waiting).contains(row) { return row - from + to + passage.arrived }
      if (from + waiting..<to + waiting).contains(row) { return row - waiting }
      if (to + waiting..<to + passage.length).contains(row) { return row - waiting }
    } else {
      if (to + passage.arrived..<from + passage.arrived).contains(row) { return row + waiting }
      if (from + passage.arrived..<from + passage.length).contains(row) { return row - from + to }
    }
    return row
  }
}
#endif
