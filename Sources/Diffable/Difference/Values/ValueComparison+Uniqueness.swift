extension ValueComparison {
  /// Whether no two new elements are equal; if so, all hashes of the new side are known.
  ///
  /// Requires that no two old elements are equal, and that all hashes of the old side are known.
  /// Each matched element has an old partner of its own, so no two matched elements are equal. It
  /// remains to show that an element without a partner equals no other element. Those are filed by
  /// hash. The hashes of the matched elements, which equal their partners' hashes, are passed
  /// through a filter.
  ///
  /// - Complexity: O(n) looks at a stored hash for n elements. The k elements without a partner are
  ///   hashed.
  func isNewUnique() -> Bool {
    guard !isTwice else { return false }
    copyHashes()
    var lonely: [(column: Int, range: Range<Int>)] = []
    var isPaired = [Bool](repeating: false, count: new.columns.count)
    for pair in pairs {
      isPaired[pair.new] = true
      for range in pair.arrivals { lonely.append((pair.new, range)) }
    }
    for column in new.columns.indices where !isPaired[column] && new.columns[column].count > 0 {
      lonely.append((column, 0..<new.columns[column].count))
    }
    guard !lonely.isEmpty else { return true }
    guard let table = new.tableOfDistinct(lonely) else { return false }
    var hashes: [UInt32] = []
    for (column, range) in lonely {
      let start = new.columns[column].start
      hashes += new.hashes[start + range.lowerBound..<start + range.upperBound]
    }
    var isUnique = true
    forEachCandidate(for: hashes) { element in
      let (hash, address) = (new.hashes[element], new.address(of: element))
      let other = table.first(hash: hash) {
        $0 != element && new.hashes[$0] == hash
          && new.kernel.areEqual(new.address(of: $0), address)
      }
      if other != nil { isUnique = false }
    }
    return isUnique
  }

  /// Copies the hashes of matched elements from their partners.
  private func copyHashes() {
    for pair in pairs {
      let (oldStart, newStart) = (old.columns[pair.old].start, new.columns[pair.new].start)
      for run in pair.runs {
        for offset in 0..<run.count {
          new.hashes[newStart &+ run.new &+ offset] =
            old.hashes[oldStart &+ run.old &+ offset]
        }
      }
    }
    for move in migrations {
      new.hashes[new.columns[move.to.section].start + move.to.item] =
        old.hashes[old.columns[move.from.section].start + move.from.item]
    }
  }

  /// Calls a function with each new element that may have one of some hashes.
  private func forEachCandidate(for hashes: [UInt32], _ body: (Int) -> Void) {
    let all = UnsafeBufferPointer(new.hashes)
    guard hashes.count <= 4 else {
      return HashFilter(hashes).forEachCandidate(in: all, body)
    }
    for hash in hashes {
      // Blocks without a branch: compilers vectorise the comparison of hashes.
      var start = 0
      while start < all.count {
        let end = min(start + 256, all.count)
        var hits = 0
        for index in start..<end { hits &+= all[index] == hash ? 1 : 0 }
        if hits > 0 {
          for index in start..<end where all[index] == hash { body(index) }
        }
        start = end
      }
    }
  }
}
