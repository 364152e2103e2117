/// The place of an item: the index of its section and its index inside that section.
///
/// A path belongs to one *index space*: the state before a batch (old) or the state after it (new).
/// The declaration that holds a path says which.
public struct ItemPath: Hashable, Comparable, Sendable {
  /// The index of the section among all sections, from 0.
  public var section: Int

  /// The index of the item inside its section, from 0.
  public var item: Int

  /// Creates a path from a section index and an index inside that section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Orders paths by section, then by item inside the section.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ItemPath {
  /// All possible section indices, and all possible item indices inside a section.
  ///
  /// Their upper bound is a number that JavaScript and other readers of JSON represent exactly. The
  /// sum of a few of them never overflows.
  package static let indices = 0..<Int(min((1 as Int64) << 53 - 1, Int64(Int.max / 4)))

  /// Whether the path is possible in any snapshot.
  var isPossible: Bool { Self.indices.contains(section) && Self.indices.contains(item) }
}

extension ItemPath: CustomStringConvertible {
  /// The two indices, as batches and differences print them: `2:5`.
  public var description: String { "\(section):\(item)" }
}

extension ItemPath: Codable {
  private enum CodingKeys: String, CodingKey {
    case section
    case item
  }

  /// Reads `{"section", "item"}`.
  ///
  /// - Throws: `DecodingError` if the data is invalid, or an index is negative or not less than
  ///   2^53 − 1.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    section = try container.decode(Int.self, forKey: .section)
    item = try container.decode(Int.self, forKey: .item)
    guard isPossible else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "No item can be at index \(item) of section \(section)."))
    }
  }
}

/// The source and the target of a moved element.
///
/// `from` is in the old index space, `to` in the new one.
public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
  /// The position before the move, in the old index space.
  public var from: Position

  /// The position after the move, in the new index space.
  public var to: Position

  /// Creates a move from an old position to a new one.
  public init(from: Position, to: Position) {
    self.from = from
    self.to = to
  }

  /// The move that takes this one back.
  public var inverse: Move {
    Move(from: to, to: from)
  }
}

extension Move: Codable where Position: Codable {}

/// A set of item paths, stored as ranges of indices inside a section.
///
/// A million rows appended to one section are one range. Iteration is in ascending order. All paths
/// of a set belong to the same index space; the declaration that holds the set says which.
public struct ItemPathSet: Hashable, Sendable {
  // Invariants:
  // 1. Ranges are in ascending order, none is empty, and no two overlap or touch.
  // 2. `count` is the sum of their lengths.

  /// Adjacent paths of one section: the items at `items.lowerBound..<items.upperBound`.
  package struct PathRange: Hashable, Sendable {
    /// The index of the section.
    package let section: Int
    /// The indices inside the section.
    package let items: Range<Int>

    /// Creates the range of paths to `items` of the section at index `section`.
    package init(section: Int, items: Range<Int>) {
      self.section = section
      self.items = items
    }
  }

  /// The ranges, in ascending order.
  package private(set) var ranges: [PathRange] = []

  /// The number of paths.
  ///
  /// - Complexity: O(1).
  public private(set) var count = 0

  /// Creates an empty set.
  public init() {}

  /// Creates a set of the given paths, in any order and with repetitions.
  ///
  /// - Complexity: O(n log n) for n paths, O(n) if they ascend.
  public init(_ paths: some Sequence<ItemPath>) {
    for path in Array(paths).sortedIfNeeded(by: { $0 }) where last != path {
      let item = Swift.min(
        Swift.max(path.item, Self.indices.lowerBound), Self.indices.upperBound - 1)
      append(section: path.section, items: item..<item + 1)
    }
  }

  /// Creates a set of the paths in some ranges, in any order, which may overlap.
  ///
  /// - Complexity: O(r log r) for r ranges, O(r) if they ascend.
  package init(sorting ranges: [PathRange]) {
    let ascending = ranges.sortedIfNeeded {
      ItemPath(section: $0.section, item: $0.items.lowerBound)
    }
    for range in ascending {
      // Indices that the last range contains are left out.
      let last = self.ranges.last.flatMap { $0.section == range.section ? $0.items : nil }
      let start = Swift.max(range.items.lowerBound, last?.upperBound ?? .min)
      guard start < range.items.upperBound else { continue }
      append(section: range.section, items: start..<range.items.upperBound)
    }
  }

  /// More indices than a section can have, and few enough that arithmetic on them never overflows.
  private static let indices = -(Int.max / 4)..<Int.max / 4

  /// The sum of two lengths, at most `Int.max`.
  ///
  /// Sections whose lengths add up to more do not exist, but no input traps.
  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? Int.max : sum
  }

  /// The greatest path.
  private var last: ItemPath? {
    ranges.last.map { ItemPath(section: $0.section, item: $0.items.upperBound - 1) }
  }
}

extension ItemPathSet {
  /// Adds a range of paths after all paths of the set.
  ///
  /// Differences are built this way: in ascending order. A range that is not after the others is
  /// inserted in order.
  ///
  /// - Complexity: O(1) amortised for a range after all others, otherwise O(ranges).
  package mutating func append(section: Int, items: Range<Int>) {
    let items = items.clamped(to: Self.indices)
    guard !items.isEmpty else { return }
    let last = ranges.last
    if let last, (last.section, last.items.upperBound) > (section, items.lowerBound) {
      return sortIn(section: section, items: items)
    }
    if let last, last.section == section, last.items.upperBound == items.lowerBound {
      ranges[ranges.count - 1] = PathRange(
        section: section, items: last.items.lowerBound..<items.upperBound)
    } else {
      ranges.append(PathRange(section: section, items: items))
    }
    count = Self.sum(count, items.count)
    _checkInvariants()
  }

  /// Reserves storage for a number of ranges.
  mutating func reserveCapacity(_ rangeCount: Int) {
    ranges.reserveCapacity(rangeCount)
  }

  /// Adds a range of paths anywhere; some of the paths may be in the set already.
  @inline(never) private mutating func sortIn(section: Int, items: Range<Int>) {
    let place = ranges.partitioningIndex {
      ($0.section, $0.items.lowerBound) > (section, items.lowerBound)
    }
    var all = ranges
    all.insert(PathRange(section: section, items: items), at: place)
    self = ItemPathSet(sorting: all)
  }

  /// The indices of the set's paths in one section.
  ///
  /// - Complexity: O(log r + k) for r ranges, k of them in the section.
  public func items(inSection section: Int) -> RangeSet<Int> {
    let first = ranges.partitioningIndex { $0.section >= section }
    var result = RangeSet<Int>()
    for range in ranges[first...].prefix(while: { $0.section == section }) {
      result.insert(contentsOf: range.items)
    }
    return result
  }

  /// Returns whether a path is in the set.
  ///
  /// - Complexity: O(log r) for r ranges.
  public func contains(_ path: ItemPath) -> Bool {
    let next = ranges.partitioningIndex {
      ($0.section, $0.items.lowerBound) > (path.section, path.item)
    }
    guard next > 0 else { return false }
    let range = ranges[next - 1]
    return range.section == path.section && range.items.contains(path.item)
  }
}

extension ItemPathSet {
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(
      zip(ranges, ranges.dropFirst()).allSatisfy {
        $0.section < $1.section
          || ($0.section == $1.section && $0.items.upperBound < $1.items.lowerBound)
      }, "1: ranges ascend and neither overlap nor touch")
    precondition(ranges.allSatisfy { !$0.items.isEmpty }, "1: no range is empty")
    precondition(count == ranges.reduce(0) { Self.sum($0, $1.items.count) }, "2: count")
    #endif
  }
}

extension ItemPathSet: BidirectionalCollection, ExpressibleByArrayLiteral {
  /// The place of a path in the set: its range, and its offset in the range.
  public struct Index: Comparable, Hashable, Sendable {
    let range: Int
    let offset: Int

    /// Orders indices like their paths.
    public static func < (left: Index, right: Index) -> Bool {
      (left.range, left.offset) < (right.range, right.offset)
    }
  }

  /// Creates a set of the listed paths.
  public init(arrayLiteral elements: ItemPath...) {
    self.init(elements)
  }

  /// The index of the smallest path.
  public var startIndex: Index { Index(range: 0, offset: 0) }

  /// The index after the greatest path.
  public var endIndex: Index { Index(range: ranges.count, offset: 0) }

  /// Whether the set is empty.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { ranges.isEmpty }

  /// The path at an index.
  ///
  /// - Complexity: O(1).
  public subscript(position: Index) -> ItemPath {
    let range = ranges[position.range]
    return ItemPath(section: range.section, item: range.items.lowerBound + position.offset)
  }

  /// The index after another.
  ///
  /// - Complexity: O(1).
  public func index(after index: Index) -> Index {
    index.offset + 1 < ranges[index.range].items.count
      ? Index(range: index.range, offset: index.offset + 1)
      : Index(range: index.range + 1, offset: 0)
  }

  /// The index before another.
  ///
  /// - Complexity: O(1).
  public func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(range: index.range, offset: index.offset - 1)
      : Index(range: index.range - 1, offset: ranges[index.range - 1].items.count - 1)
  }
}

extension ItemPathSet: CustomStringConvertible {
  /// The ranges as `section: lower..<upper`, in ascending order.
  public var description: String {
    "[" + ranges.map { "\($0.section): \($0.items)" }.joined(separator: ", ") + "]"
  }
}

extension ItemPathSet: Codable {
  /// Reads triples of section, first item and the item after the last, in ascending order.
  ///
  /// - Throws: `DecodingError` if the data is invalid, an index is 2^53 − 1 or more, or there are
  ///   more paths than `Int` can count.
  /// - Complexity: O(r) for r triples.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let triple = try container.decode([Int].self)
      func refuse(_ reason: String) -> DecodingError {
        .dataCorruptedError(in: container, debugDescription: reason)
      }
      guard triple.count == 3, ItemPath.indices.contains(triple[0]),
        let items = Range(first: triple[1], end: triple[2])
      else {
        throw refuse(
          "\(triple) is not a range of paths, [section, first item, item after the last].")
      }
      guard ranges.last.map({ ($0.section, $0.items.upperBound) <= (triple[0], triple[1]) }) ?? true
      else { throw refuse("\(triple) is not after the range before it.") }
      guard !count.addingReportingOverflow(items.count).overflow else {
        throw refuse("There are more paths than can be counted.")
      }
      append(section: triple[0], items: items)
    }
  }

  /// Writes triples of section, first item and the item after the last.
  public func encode(to encoder: any Encoder) throws {
    try triples.encode(to: encoder)
  }

  /// The ranges as section, first item and the item after the last.
  var triples: [[Int]] {
    ranges.map { [$0.section, $0.items.lowerBound, $0.items.upperBound] }
  }
}

extension Collection {
  /// The index of the first element that satisfies a predicate.
  ///
  /// No earlier element may satisfy the predicate, and every later one must.
  ///
  /// - Complexity: O(log n) for n elements of a random access collection.
  @inlinable package func partitioningIndex(where isAfter: (Element) -> Bool) -> Index {
    var start = startIndex
    var remaining = count
    while remaining > 0 {
      let half = remaining / 2
      let middle = index(start, offsetBy: half)
      if isAfter(self[middle]) {
        remaining = half
      } else {
        start = index(after: middle)
        remaining -= half + 1
      }
    }
    return start
  }
}
