#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Diffable

/// The rows of a view that knows no sections: a row for each item, and one above each section if it is
/// to have a header.
struct FlatRows {
  /// What stands in a row.
  enum Element {
    case header(section: Int)
    case item(ItemPath)
  }

  let headerCount: Int
  private(set) var itemCounts: [Int] = []

  init(hasHeaders: Bool, itemCounts: [Int] = []) {
    headerCount = hasHeaders ? 1 : 0
    self.itemCounts = itemCounts
  }

  var count: Int { start(ofSection: itemCounts.count) }

  /// The row in which a section starts, its header if it has one.
  ///
  /// - Complexity: O(s) for s sections, as all that is asked here.
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

  /// What stands in a row; `nil` where there is none.
  func element(inRow row: Int) -> Element? {
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

  /// Where something goes that is dropped between a row and the one above it: in front of the item in the
  /// row, or at the end of the section before; `nil` where there are no sections.
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

  /// Moves a section; answers which row to move where, one row after the other.
  mutating func moveSection(_ move: Move<Int>) -> [Move<Int>] {
    let start = start(ofSection: move.from)
    let count = itemCounts.remove(at: move.from)
    let target = self.start(ofSection: move.to)
    itemCounts.insert(count, at: move.to)
    let length = count + headerCount
    return (0..<length).map { row in
      target > start
        ? Move(from: start, to: target + length - 1) : Move(from: start + row, to: target + row)
    }
  }
}
#endif
