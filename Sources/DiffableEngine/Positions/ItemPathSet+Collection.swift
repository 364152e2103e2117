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
