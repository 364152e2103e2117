extension UnsafeBufferPointer {
  /// How many elements of an ascending buffer have a key of at most `bound`.
  ///
  /// By halves, and without a branch that depends on what is found: that could not be foreseen. The
  /// halves are powers of two, so that the sign of a difference, shifted, is the way to go; a choice
  /// between two values becomes a branch again when it is compiled.
  ///
  /// - Complexity: O(log n) for n elements.
  @inline(__always)
  func count(upTo bound: Int, by key: (Element) -> Int) -> Int {
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
