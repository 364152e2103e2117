/// What takes the place of one leaf: leaves whose labels lie between those of its neighbours.
@usableFromInline struct LeafReplacement<Element: Hashable & Sendable> {
  @usableFromInline let label: LeafLabel
  @usableFromInline let leaves: [Leaf<Element>]

  @inlinable init(label: LeafLabel, leaves: [Leaf<Element>]) {
    self.label = label
    self.leaves = leaves
  }
}

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
    var replacements: [LeafReplacement<Element>] = []
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
      replacements.append(
        LeafReplacement(
          label: place.leaf.label,
          leaves: kept.count == 0 ? [] : [kept.leaf(place.leaf.label)]))
    }
    return replaceLeaves(replacements)
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
    return replaceLeaves(
      covered.enumerated().map { index, place in
        LeafReplacement(label: place.leaf.label, leaves: index == 0 ? leaves : [])
      })
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
        let contents =
          before.reversed().map { LeafContent($0.leaf) } + chunks
          + after.map { LeafContent($0.leaf) }
        let leaves = zip(labels, contents).map { $1.leaf($0) }
        return replaceLeaves(
          before.reversed().enumerated().map { index, place in
            LeafReplacement(label: place.leaf.label, leaves: [leaves[index]])
          }
            + covered.enumerated().map { index, place in
              LeafReplacement(
                label: place.leaf.label,
                leaves: index == 0 ? Array(leaves[before.count..<total - after.count]) : [])
            }
            + after.enumerated().map { index, place in
              LeafReplacement(
                label: place.leaf.label, leaves: [leaves[total - after.count + index]])
            })
      }
      reach *= 2
    }
  }

  /// Puts leaves in the place of others and makes the path to each of them anew.
  ///
  /// Thin neighbours are merged on the way. What was really taken out and put in is answered.
  ///
  /// - Complexity: O(k · log n) for k replaced leaves of a tree of n elements.
  @inlinable mutating func replaceLeaves(_ replacements: [LeafReplacement<Element>]) -> LeafDelta<
    Element
  > {
    var delta = LeafDelta<Element>()
    guard let root, !replacements.isEmpty else { return delta }
    let nodes = rebuild(.init(root), replacements[...], &delta)
    var top = Self.root(of: nodes, fanout: shape.fanout)
    while case .inner(let inner) = top, inner.children.count == 1 {
      top = inner.children[0].node
    }
    self.root = top
    // Merged leaves were noted behind the others.
    delta.removed = delta.removed.sortedIfNeeded { $0.label < $1.label }
    delta.added = delta.added.sortedIfNeeded { $0.label < $1.label }
    _checkInvariants()
    return delta
  }

  /// The nodes, of the same height, that take the place of one.
  @inlinable func rebuild(
    _ child: InnerNode<Summary>.Child, _ replacements: ArraySlice<LeafReplacement<Element>>,
    _ delta: inout LeafDelta<Element>
  ) -> InnerNode<Summary>.Children {
    guard case .inner(let inner) = child.node else {
      return exchange([child], replacements, &delta)
    }
    var children: InnerNode<Summary>.Children
    if inner.height == 1 {
      children = exchange(inner.children, replacements, &delta)
    } else {
      children = []
      children.reserveCapacity(shape.fanout + 1)
      var rest = replacements
      for (index, child) in inner.children.enumerated() {
        let isLast = index + 1 == inner.children.count
        let upper = isLast ? nil : inner.children[index + 1].label
        let own = upper.map { upper in rest.prefix { $0.label < upper } } ?? rest
        if own.isEmpty {
          children.append(child)
        } else {
          children.append(contentsOf: rebuild(child, own, &delta))
          rest = rest.dropFirst(own.count)
        }
      }
      mergeThinInnerNodes(&children)
    }
    guard children.count > shape.fanout else {
      return children.isEmpty ? [] : [.init(.inner(InnerNode(children)))]
    }
    return Self.group(children, fanout: shape.fanout)
  }

  /// The leaves that take the place of neighbouring ones, thin ones merged.
  @inlinable func exchange(
    _ children: InnerNode<Summary>.Children, _ replacements: ArraySlice<LeafReplacement<Element>>,
    _ delta: inout LeafDelta<Element>
  ) -> InnerNode<Summary>.Children {
    var result = InnerNode<Summary>.Children()
    result.reserveCapacity(children.count + 1)
    var rest = replacements
    var hasThin = false
    let firstAdded = delta.added.count
    for child in children {
      guard let replacement = rest.first, replacement.label == child.label,
        let old = child.leaf
      else {
        result.append(child)
        continue
      }
      rest.removeFirst()
      if !replacement.leaves.contains(where: { $0 === old }) { delta.removed.append(old) }
      for new in replacement.leaves {
        if new !== old { delta.added.append(new) }
        if new.elements.count * 4 <= shape.leafCapacity { hasThin = true }
        result.append(.init(.leaf(new)))
      }
    }
    if hasThin || result.count < children.count {
      mergeThinLeaves(&result, &delta, from: firstAdded)
    }
    return result
  }

  /// Makes one leaf of two neighbours of which one is thin, where it has room for both.
  ///
  /// - Parameter firstAdded: Where in the delta the leaves begin that were put among these nodes.
  @inlinable func mergeThinLeaves(
    _ nodes: inout InnerNode<Summary>.Children, _ delta: inout LeafDelta<Element>,
    from firstAdded: Int
  ) {
    var index = 1
    while index < nodes.count {
      guard let left = nodes[index - 1].leaf, let right = nodes[index].leaf,
        min(left.elements.count, right.elements.count) * 4 <= shape.leafCapacity,
        left.elements.count + right.elements.count <= shape.builtLeafCount
      else {
        index += 1
        continue
      }
      for leaf in [left, right] {
        if let added = delta.added[firstAdded...].lastIndex(where: { $0 === leaf }) {
          delta.added.remove(at: added)
        } else {
          delta.removed.append(leaf)
        }
      }
      var content = LeafContent(left)
      content.append(right, 0..<right.elements.count)
      let merged = content.leaf(left.label)
      delta.added.append(merged)
      nodes[index - 1] = .init(.leaf(merged))
      nodes.remove(at: index)
    }
  }

  /// Puts the children of a thin inner node under its neighbour where they fit.
  @inlinable func mergeThinInnerNodes(_ nodes: inout InnerNode<Summary>.Children) {
    var index = 1
    while index < nodes.count {
      if case .inner(let left) = nodes[index - 1].node, case .inner(let right) = nodes[index].node,
        min(left.children.count, right.children.count) * 4 <= shape.fanout,
        left.children.count + right.children.count <= shape.fanout
      {
        nodes[index - 1] = .init(.inner(InnerNode(left.children + right.children)))
        nodes.remove(at: index)
      } else {
        index += 1
      }
    }
  }
}
