import Diffable
import ListSupport

/// An identifier that has one of a few hashes.
struct FewHashes: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let hashCount: Int

  static func == (left: Self, right: Self) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number % hashCount) }

  var description: String { "\(number)" }
}

/// A list of identifiers with few hashes.
typealias FewHashesList = Snapshot<FewHashes, FewHashes>

extension Snapshot<FewHashes, FewHashes> {
  /// All that a snapshot holds, read in order without asking for any identifier.
  var picture: String {
    sectionIdentifiers.enumerated().map { index, section in
      let items = items(inSectionAt: index).map(\.description).joined(separator: " ")
      let outline = outline(ofSectionAt: index).map { " of\n\($0)" } ?? ""
      return "\(section)[\(items)]\(outline)"
    }.joined(separator: "\n")
  }

  /// The items of each section, hidden ones too, read in order.
  var numbers: [[Int]] {
    sectionIdentifiers.indices.map { index in
      (outline(ofSectionAt: index)?.items ?? Array(items(inSectionAt: index))).map(\.number)
    }
  }

  /// The items that are in the snapshot more than once, found by comparing each with each.
  var repeatedItems: Set<Int> { Self.repeated(numbers.flatMap { $0 }) }

  /// The sections that are in the snapshot more than once, found by comparing each with each.
  var repeatedSections: Set<Int> { Self.repeated(sectionIdentifiers.map(\.number)) }

  private static func repeated(_ numbers: [Int]) -> Set<Int> {
    Set(numbers.filter { number in numbers.count { $0 == number } > 1 })
  }

  /// The same state, built again of arrays, as a program would that keeps no snapshot.
  func rebuilt() throws -> Self {
    var result = Self()
    for (index, section) in sectionIdentifiers.enumerated() {
      var part = Self()
      part.appendSections([section])
      if let outline = outline(ofSectionAt: index) {
        try part.setOutline(outline, forSection: section)
      } else {
        try part.appendItems(Array(items(inSectionAt: index)), toSection: section)
      }
      guard repeatedSections.isEmpty else { return self }
      result.appendSections([section])
      if let outline = part.outline(ofSectionAt: 0) {
        try result.setOutline(outline, forSection: section)
      } else {
        try result.appendItems(Array(part.items(inSectionAt: 0)), toSection: section)
      }
    }
    return result
  }

  /// Everything by which a state is not a valid one that finds what it holds.
  var faults: [String] {
    var faults: [String] = []
    if !repeatedItems.isEmpty { faults.append("holds items twice: \(repeatedItems)") }
    if !repeatedSections.isEmpty { faults.append("holds sections twice: \(repeatedSections)") }
    do { try validate() } catch { faults.append("validate(): \(error)") }
    return faults + self.faults(asking: allItems)
  }
}

extension Outline {
  /// Creates an outline of rows, each with its level and whether it is expanded.
  init(_ rows: [ItemID], _ shape: [(level: Int, isExpanded: Bool)]) throws {
    let expanded = zip(rows, shape).filter(\.1.isExpanded).map(\.0)
    try self.init(rows, levels: shape.map(\.level), expanding: expanded)
  }
}
