/// Rules out most hashes that are not in a set of hashes, by one bit for each.
struct HashFilter {
  var words: [UInt64]

  init(_ hashes: [UInt32]) {
    var count = 8
    while count * 8 < hashes.count { count *= 2 }
    words = Array(repeating: 0, count: count)
    // The lowest bit of a stored hash is always set.
    for hash in hashes { words[Int(hash >> 7) & (count - 1)] |= 1 << UInt64(hash >> 1 & 63) }
  }

  /// Calls a function with the index of each hash that may be in the set.
  func forEachCandidate(in hashes: UnsafeBufferPointer<UInt32>, _ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      let mask = words.count - 1
      for (index, hash) in hashes.enumerated()
      where words[Int(hash >> 7) & mask] >> UInt64(hash >> 1 & 63) & 1 != 0 {
        body(index)
      }
    }
  }
}
