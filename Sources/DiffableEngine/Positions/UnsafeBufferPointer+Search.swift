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
  /// The elements in order; costs one pass if they are in order already.
  @inlinable package func sortedIfNeeded(by areInOrder: (Element, Element) -> Bool) -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy { !areInOrder(self[$0], self[$0 - 1]) }
    return isSorted ? self : sorted(by: areInOrder)
  }
}
