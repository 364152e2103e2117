extension ValueComparison {
  /// Whether no two new elements are equal; if so, all hashes of the new side are known.
  ///
  /// Requires that no two old elements are equal, and that all hashes of the old side are known.
  /// Each matched element has an old partner of its own, so no two matched elements are equal. It
  /// remains to show that an element without a partner equals no other element. For that, one bit
  /// for each of their hashes is enough, in almost all cases: elements with other bits differ.
  ///
  /// - Complexity: O(n) looks at a stored hash for n elements. The k elements without a partner are
  ///   hashed.
  func isNewUnique() -> Bool {
    guard !isTwice else { return false }
    copyHashes()
    let lonely = lonelyElements()
    let count = lonely.reduce(0) { $0 + $1.count }
    let hashes = UnsafeBufferPointer(new.hashes)
    var met: [UInt32] = []
    if count <= 4 {
      for element in lonely.joined() {
        let (hash, end) = (hashes[element], hashes.count)
        if hashes.firstIndex(ofHash: hash, in: 0..<element) != nil
          || hashes.firstIndex(ofHash: hash, in: element + 1..<end) != nil
        {
          met.append(hash)
        }
      }
    } else {
      var filter = HashFilter(capacity: count)
      for range in lonely {
        filter.add(UnsafeBufferPointer(rebasing: hashes[range])) { met.append($0) }
      }
      var start = 0
      for range in lonely + [hashes.count..<hashes.count] {
        let matched = UnsafeBufferPointer(rebasing: hashes[start..<range.lowerBound])
        filter.forEachCandidate(in: matched) { met.append(matched[$0]) }
        start = range.upperBound
      }
    }
    return new.areDistinct(hashedTo: met)
  }

  /// The new elements without a partner, counted over all columns, hashed.
  private func lonelyElements() -> [Range<Int>] {
    var arrivals = [[Range<Int>]?](repeating: nil, count: new.columns.count)
    for pair in pairs { arrivals[pair.new] = pair.arrivals }
    var lonely: [Range<Int>] = []
    for (column, elements) in new.columns.enumerated() {
      for range in arrivals[column] ?? [0..<elements.count] where !range.isEmpty {
        new.hash(column, range)
        lonely.appendRange(elements.start + range.lowerBound..<elements.start + range.upperBound)
      }
    }
    return lonely
  }

  /// Copies the hashes of matched elements from their partners.
  private func copyHashes() {
    // Both sides have an element if there is a run, so they have hashes.
    guard let old = old.hashes.baseAddress, let new = new.hashes.baseAddress else { return }
    for pair in pairs {
      let oldStart = old + self.old.columns[pair.old].start
      let newStart = new + self.new.columns[pair.new].start
      for run in pair.runs where run.count > 1 || newStart[run.new] == 0 {
        (newStart + run.new).update(from: oldStart + run.old, count: run.count)
      }
    }
    for move in migrations {
      new[self.new.columns[move.to.section].start + move.to.item] =
        old[self.old.columns[move.from.section].start + move.from.item]
    }
  }
}
