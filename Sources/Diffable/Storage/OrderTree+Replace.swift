extension OrderTree {
  /// Puts other elements in the place of a range of positions.
  ///
  /// This is insertion, deletion and replacement in one; the range may be empty, and so may the
  /// content.
  ///
  /// - Complexity: O(log n + m + r / leaf) for n elements, r replaced by m.
  @inlinable mutating func replaceSubrange(
    _ range: Range<Int>, with content: LeafContent<Element>
  ) -> LeafDelta<Element> {
    guard var last = leaf(atPosition: range.lowerBound) else {
      self = OrderTree(content, shape: shape)
      return LeafDelta(added: Array(leaves))
    }
    let first = last
    var covered = [first]
    while last.base + last.leaf.elements.count < range.upperBound,
      let next = leaf(atPosition: last.base + last.leaf.elements.count)
    {
      last = next
      covered.append(next)
    }
    var merged = LeafContent<Element>()
    merged.reserveCapacity(first.leaf.elements.count + content.count)
    merged.append(first.leaf, 0..<range.lowerBound - first.base)
    merged.append(content)
    merged.append(last.leaf, range.upperBound - last.base..<last.leaf.elements.count)
    let isAppend = range.upperBound == count
    return replaceLeaves(covered, with: merged.chunks(shape, keepingFull: isAppend))
  }

  /// Takes out the elements at some positions, given in ascending order.
  ///
  /// - Complexity: O(k · (leaf + log n)) for k touched leaves of a tree of n elements.
  @inlinable mutating func remove(at positions: [Int]) -> LeafDelta<Element> {
    var delta = LeafDelta<Element>()
    var index = 0
    while index < positions.count, let place = leaf(atPosition: positions[index]) {
      var kept = LeafContent<Element>()
      var next = 0
      while index < positions.count,
        positions[index] < place.base + place.leaf.elements.count
      {
        kept.append(place.leaf, next..<positions[index] - place.base)
        next = positions[index] - place.base + 1
        index += 1
      }
      kept.append(place.leaf, next..<place.leaf.elements.count)
      delta.removed.append(place.leaf)
      if kept.count > 0 { delta.added.append(kept.leaf(place.leaf.label)) }
    }
    return replaceLeaves(delta)
  }

  /// Puts content in the place of neighbouring leaves, the first piece under the first one's label.
  @inlinable mutating func replaceLeaves(
    _ covered: [LeafPlace], with chunks: [LeafContent<Element>]
  ) -> LeafDelta<Element> {
    let label = covered[0].leaf.label
    let others = LeafLabel.labels(
      max(0, chunks.count - 1), after: label, before: covered[covered.count - 1].nextLabel)
    guard let others else { return spreadLabels(around: covered, chunks) }
    let leaves = zip([label] + others, chunks).map { $1.leaf($0) }
    return replaceLeaves(LeafDelta(removed: covered.map(\.leaf), added: leaves))
  }

  /// Makes room where a gap between labels is used up: gives the leaves of a growing
  /// neighbourhood new labels, evenly spread, until the gaps in it are wide again.
  ///
  /// The neighbourhood doubles, so that narrow gaps are paid for by the inserts that made them.
  /// Source: Bender et al., “Two simplified algorithms for maintaining order in a list” (2002).
  @inlinable mutating func spreadLabels(
    around covered: [LeafPlace], _ chunks: [LeafContent<Element>]
  ) -> LeafDelta<Element> {
    let end = covered[covered.count - 1]
    var before: [LeafPlace] = []
    var after: [LeafPlace] = []
    var reach = 8
    while true {
      while before.count < reach,
        let base = (before.last ?? covered.first)?.base, base > 0,
        let place = leaf(atPosition: base - 1)
      {
        before.append(place)
      }
      while after.count < reach, let last = Optional(after.last ?? end), last.nextLabel != nil,
        let place = leaf(atPosition: last.base + last.leaf.elements.count)
      {
        after.append(place)
      }
      let lowest = (before.last ?? covered[0]).base
      let lower = lowest > 0 ? leaf(atPosition: lowest - 1)?.leaf.label : nil
      let upper = (after.last ?? end).nextLabel
      let total = before.count + chunks.count + after.count
      let isWhole = lower == nil && upper == nil
      if let labels = LeafLabel.labels(total, after: lower, before: upper),
        isWhole || labels.count < 2 || labels[1].rawValue - labels[0].rawValue >= 1 << 12
      {
        let removed = before.reversed() + covered + after
        let contents =
          before.reversed().map { LeafContent($0.leaf) } + chunks
          + after.map { LeafContent($0.leaf) }
        return replaceLeaves(
          LeafDelta(
            removed: removed.map(\.leaf), added: zip(labels, contents).map { $1.leaf($0) }))
      }
      reach *= 2
    }
  }
}
