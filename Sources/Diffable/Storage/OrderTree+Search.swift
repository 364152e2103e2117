extension OrderTree {
  /// The first position, not before another one, whose element satisfies a condition.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - isPossible: Answers by its summary whether a subtree holds such an element.
  ///   - isFound: The condition.
  /// - Complexity: O(log n) for n elements, where summaries never promise in vain.
  @inlinable func firstPosition(
    from start: Int, inSubtrees isPossible: (Summary) -> Bool, where isFound: (Element) -> Bool
  ) -> Int? {
    root?.firstPosition(from: start, isPossible, isFound)
  }

  /// The last position before another one whose element satisfies a condition.
  ///
  /// - Complexity: that of ``firstPosition(from:inSubtrees:where:)``.
  @inlinable func lastPosition(
    before end: Int, inSubtrees isPossible: (Summary) -> Bool, where isFound: (Element) -> Bool
  ) -> Int? {
    root?.lastPosition(before: end, isPossible, isFound)
  }
}

extension OrderNode {
  @inlinable func firstPosition(
    from start: Int, _ isPossible: (Summary) -> Bool, _ isFound: (Summary.Element) -> Bool
  ) -> Int? {
    switch self {
    case .leaf(let leaf):
      guard start < leaf.elements.count else { return nil }
      return leaf.elements[max(0, start)...].firstIndex(where: isFound)
    case .inner(let inner):
      var base = 0
      for child in inner.children {
        if base + child.count > start, isPossible(child.summary),
          let found = child.node.firstPosition(from: start - base, isPossible, isFound)
        {
          return base + found
        }
        base += child.count
      }
      return nil
    }
  }

  @inlinable func lastPosition(
    before end: Int, _ isPossible: (Summary) -> Bool, _ isFound: (Summary.Element) -> Bool
  ) -> Int? {
    switch self {
    case .leaf(let leaf):
      return leaf.elements.prefix(max(0, end)).lastIndex(where: isFound)
    case .inner(let inner):
      var base = inner.count
      for child in inner.children.reversed() {
        base -= child.count
        if base < end, isPossible(child.summary),
          let found = child.node.lastPosition(before: end - base, isPossible, isFound)
        {
          return base + found
        }
      }
      return nil
    }
  }
}
