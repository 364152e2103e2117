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
  /// The section that moves, row by row.
  private var passage: Passage?

  /// A section on its way: where it started, where it starts in the end, and how many of its rows are there.
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

  /// Begins to move a section, whose rows move one after the other, see ``moveNextRow()``.
  mutating func moveSection(_ move: Move<Int>) {
    let start = start(ofSection: move.from)
    let count = itemCounts.remove(at: move.from)
    let target = self.start(ofSection: move.to)
    itemCounts.insert(count, at: move.to)
    passage = Passage(from: start, to: target, length: count + headerCount)
  }

  /// Moves the next row of the section that moves; answers from where to where, or `nil` if all are there.
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

  /// Where what stands in a row now stands once the whole section has moved.
  private func settled(_ row: Int) -> Int {
    guard let passage else { return row }
    let (from, to) = (passage.from, passage.to)
    let waiting = passage.length - passage.arrived
    // Between the rows that wait and those that have arrived are others, moved by those that wait.
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
