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

extension RangeSet<Int> {
  /// The set of some ascending indices.
  package init(ascending indices: [Int]) {
    self.init()
    var start = indices.startIndex
    while start < indices.endIndex {
      var end = start + 1
      while end < indices.endIndex, indices[end] == indices[end - 1] + 1 { end += 1 }
      insert(contentsOf: indices[start]..<indices[end - 1] + 1)
      start = end
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
