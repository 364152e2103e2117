extension UnsafeBufferPointer {
  /// The number of elements of an ascending buffer whose key is at most `bound`.
  ///
  /// It is a binary search without a branch that depends on the data, since that could not be
  /// predicted. The steps are powers of two, so the shifted sign of a difference gives the next
  /// step. A choice between two values would be compiled to a branch again.
  ///
  /// - Complexity: O(log n) for n elements.
  @inlinable @inline(__always)
  package func count(upTo bound: Int, by key: (Element) -> Int) -> Int {
    guard !isEmpty else { return 0 }
    var shift = Int.bitWidth - 1 - count.leadingZeroBitCount
    let rest = count - 1 << shift
    var start = rest > 0 && key(self[rest - 1]) <= bound ? rest : 0
    while shift > 0 {
      shift &-= 1
      let last = start &+ 1 &<< shift &- 1
      let sign = UInt(bitPattern: key(self[last]) &- bound &- 1) &>> UInt(Int.bitWidth - 1)
      start &+= Int(bitPattern: sign) &<< shift
    }
    return key(self[start]) <= bound ? start + 1 : start
  }
}

extension Array {
  /// The elements in ascending order of a number; costs one pass if they are in order already.
  ///
  /// Elements with the same number keep their order.
  package func sortedIfNeeded(by number: (Element) -> Int) -> [Element] {
    sortedIfNeeded { ItemPath(section: 0, item: number($0)) }
  }

  /// The elements in ascending order of a path; costs one pass if they are in order already.
  ///
  /// Elements with the same path keep their order. Only paths and numbers are sorted, so the sort is
  /// compiled once, and not for each type of elements.
  package func sortedIfNeeded(by path: (Element) -> ItemPath) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { path(self[$0 - 1]) <= path(self[$0]) }
    return isSorted ? self : ascendingOrder(of: map(path)).map { self[$0] }
  }
}

/// The numbers of some paths in their ascending order.
private func ascendingOrder(of paths: [ItemPath]) -> [Int] {
  var order = paths.indices.map { (path: paths[$0], number: $0) }
  order.sort { $0.path < $1.path }
  return order.map(\.number)
}

extension [Range<Int>] {
  /// Adds an index greater than all others.
  package mutating func appendIndex(_ index: Int) {
    appendRange(index..<index + 1)
  }

  /// Adds a range after all others.
  mutating func appendRange(_ range: Range<Int>) {
    if let last = indices.last, self[last].upperBound == range.lowerBound {
      self[last] = self[last].lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}

extension Range<Int> {
  /// A range from its first position and the one after its last; `nil` if it is invalid or empty.
  init?(first: Int, end: Int) {
    let positions = ItemPath.indices
    guard positions.contains(first), first < end, end <= positions.upperBound else { return nil }
    self = first..<end
  }
}
