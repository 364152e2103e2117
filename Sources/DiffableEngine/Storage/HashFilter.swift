/// Rules out most hashes that are not in a set of hashes, by one bit for each.
package struct HashFilter {
  private var words: [UInt64]

  /// Creates an empty set with at least 32 bits for each hash, so that few share a bit.
  init(capacity: Int) {
    var count = 8
    while count * 2 < capacity { count *= 2 }
    words = Array(repeating: 0, count: count)
  }

  package init(_ hashes: [UInt32]) {
    self.init(capacity: hashes.count)
    hashes.withUnsafeBufferPointer { add($0) { _ in } }
  }

  /// The place of the bit of a hash, whose own lowest bit is always set.
  @inline(__always)
  private static func place(of hash: UInt32, _ mask: Int) -> (word: Int, bit: UInt64) {
    (Int(hash &>> 7) & mask, 1 &<< UInt64(hash &>> 1 & 63))
  }

  /// Adds hashes, and calls a function with each that may have been in the set already.
  @inline(__always)
  mutating func add(_ hashes: UnsafeBufferPointer<UInt32>, meeting body: (UInt32) -> Void) {
    words.withUnsafeMutableBufferPointer { words in
      let mask = words.count &- 1
      for hash in hashes {
        let (word, bit) = Self.place(of: hash, mask)
        let present = words[word]
        words[word] = present | bit
        if present & bit != 0 { body(hash) }
      }
    }
  }

  /// Calls a function with the index of each hash that may be in the set.
  @inline(__always)
  package func forEachCandidate(in hashes: UnsafeBufferPointer<UInt32>, _ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      let mask = words.count &- 1
      for index in hashes.indices {
        let (word, bit) = Self.place(of: hashes[index], mask)
        if words[word] & bit != 0 { body(index) }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt32> {
  /// The index of the first hash that equals another one, in a range.
  ///
  /// It compares many at a time, so that it takes a small fraction of a look at each.
  func firstIndex(ofHash hash: UInt32, in range: Range<Int>) -> Int? {
    guard let baseAddress, !range.isEmpty else { return nil }
    let sought = SIMD16(repeating: hash)
    var index = range.lowerBound
    while index &+ 16 <= range.upperBound {
      let hashes = UnsafeRawPointer(baseAddress + index).loadUnaligned(as: SIMD16<UInt32>.self)
      if any(hashes .== sought) { break }
      index &+= 16
    }
    while index < range.upperBound, self[index] != hash { index &+= 1 }
    return index < range.upperBound ? index : nil
  }
}
