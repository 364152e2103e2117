extension OrderTree {
  /// The first position, from a start on, whose element satisfies a condition.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - isPossible: Returns, from its totals, whether a subtree may contain such an element.
  ///   - isFound: The condition, for the address of an element.
  /// - Complexity: O(log n) for n elements, if every subtree that is possible contains such an
  ///   element.
  @usableFromInline func firstPosition(
    from start: Int, inSubtrees isPossible: (Totals) -> Bool,
    where isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    root?.firstPosition(from: start, isPossible, isFound)
  }

  /// The last position before another one whose element satisfies a condition.
  ///
  /// - Complexity: The same as ``firstPosition(from:inSubtrees:where:)``.
  @usableFromInline func lastPosition(
    before end: Int, inSubtrees isPossible: (Totals) -> Bool,
    where isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    root?.lastPosition(before: end, isPossible, isFound)
  }
}

extension OrderNode {
  func firstPosition(
    from start: Int, _ isPossible: (Totals) -> Bool, _ isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    switch self {
    case .leaf(let leaf):
      guard start < leaf.count else { return nil }
      return withExtendedLifetime(leaf) {
        (max(0, start)..<leaf.count).first { isFound(leaf.span.address($0)) }
      }
    case .inner(let inner):
      var base = 0
      for child in inner.children {
        if base + child.count > start, isPossible(child.totals),
          let found = child.node.firstPosition(from: start - base, isPossible, isFound)
        {
          return base + found
        }
        base += child.count
      }
      return nil
    }
  }

  func lastPosition(
    before end: Int, _ isPossible: (Totals) -> Bool, _ isFound: (UnsafeRawPointer) -> Bool
  ) -> Int? {
    switch self {
    case .leaf(let leaf):
      return withExtendedLifetime(leaf) {
        (0..<max(0, min(end, leaf.count))).last { isFound(leaf.span.address($0)) }
      }
    case .inner(let inner):
      var base = inner.count
      for child in inner.children.reversed() {
        base -= child.count
        if base < end, isPossible(child.totals),
          let found = child.node.lastPosition(before: end - base, isPossible, isFound)
        {
          return base + found
        }
      }
      return nil
    }
  }
}
