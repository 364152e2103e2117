/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// Shared stretches are matched without looking at them. In what is left, a window at a time, both
/// sides are walked in step by stored hash and `==`, looking a few elements ahead where they part.
/// What finds no partner in its window is left over: it went, came, or stands in another window.
@usableFromInline struct TreeComparison<Element: Hashable & Sendable> {
  /// An element without a partner in its window.
  @usableFromInline struct Leftover {
    @usableFromInline let position: Int
    @usableFromInline let hash: UInt32
    @usableFromInline let element: Element

    @inlinable init(position: Int, hash: UInt32, element: Element) {
      self.position = position
      self.hash = hash
      self.element = element
    }
  }

  /// Both sides of a match.
  @usableFromInline struct Pair {
    @usableFromInline let old: Int
    @usableFromInline let new: Int
    @usableFromInline let oldElement: Element
    @usableFromInline let newElement: Element

    @inlinable init(old: Int, new: Int, oldElement: Element, newElement: Element) {
      self.old = old
      self.new = new
      self.oldElement = oldElement
      self.newElement = newElement
    }
  }

  /// Matched elements, in ascending order on both sides.
  @usableFromInline var runs: [MatchedRun] = []
  /// Ascending.
  @usableFromInline var oldLeftovers: [Leftover] = []
  /// Ascending.
  @usableFromInline var newLeftovers: [Leftover] = []
  /// What a table of the old order has to learn, where the elements are filed under a key.
  @usableFromInline var changes = IdentityChanges()
  /// The pairs that were compared and not skipped, where they were asked for.
  @usableFromInline var comparedPairs: [Pair] = []
  @usableFromInline let keepsPairs: Bool
  @usableFromInline let section: SectionKey?

  /// Compares two orders.
  ///
  /// - Parameters:
  ///   - section: The key that the elements of both are filed under, if it is the same.
  ///   - keepingPairs: Whether to keep the pairs that were compared.
  @inlinable init<Summary: TreeSummary>(
    old: OrderTree<Summary>, new: OrderTree<Summary>, section: SectionKey? = nil,
    keepingPairs: Bool = false
  ) where Summary.Element == Element {
    self.section = section
    keepsPairs = keepingPairs
    LeafWindows.forEach(old: old, new: new) { stretch in
      switch stretch {
      case .shared(let run):
        runs.appendMatch(old: run.old, new: run.new, count: run.count)
      case .changed(let window):
        walk(
          LeafContent(concatenating: window.old), at: window.oldBase,
          LeafContent(concatenating: window.new), at: window.newBase)
        if let section { file(window, section) }
      }
    }
  }

  /// Compares a window.
  @inlinable mutating func walk(
    _ old: LeafContent<Element>, at oldBase: Int, _ new: LeafContent<Element>, at newBase: Int
  ) {
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      let matched = old.matchingCount(at: i, new, at: j)
      if matched > 0 {
        runs.appendMatch(old: oldBase + i, new: newBase + j, count: matched)
        if keepsPairs {
          for step in 0..<matched {
            comparedPairs.append(
              Pair(
                old: oldBase + i + step, new: newBase + j + step,
                oldElement: old.elements[i + step], newElement: new.elements[j + step]))
          }
        }
        (i, j) = (i + matched, j + matched)
      }
      guard i < old.count, j < new.count else { break }
      let (gone, come) = old.parting(at: i, new, at: j)
      leave(old, i..<i + gone, at: oldBase)
      arrive(new, j..<j + come, at: newBase)
      (i, j) = (i + gone, j + come)
    }
    leave(old, i..<old.count, at: oldBase)
    arrive(new, j..<new.count, at: newBase)
  }

  /// Notes what a window means for a table.
  @inlinable mutating func file<Summary: TreeSummary>(
    _ window: LeafWindows<Summary>.Window, _ section: SectionKey
  ) where Summary.Element == Element {
    guard window.old.count == 1, window.new.count == 1, let label = window.old.first?.label,
      label == window.new.first?.label
    else {
      var delta = LeafDelta<Element>()
      delta.append(window)
      return changes.append(delta, section: section)
    }
    // Two versions of one leaf: what matched stays filed under its label.
    for leftover in oldLeftovers.reversed() {
      guard leftover.position >= window.oldBase else { break }
      changes.removed.append(.init(hash: leftover.hash, section: section, label: label))
    }
    for leftover in newLeftovers.reversed() {
      guard leftover.position >= window.newBase else { break }
      changes.inserted.append(.init(hash: leftover.hash, section: section, label: label))
    }
  }

  @inlinable mutating func leave(_ content: LeafContent<Element>, _ range: Range<Int>, at base: Int)
  {
    for index in range {
      oldLeftovers.append(
        Leftover(
          position: base + index, hash: content.hashes[index], element: content.elements[index]))
    }
  }

  @inlinable mutating func arrive(
    _ content: LeafContent<Element>, _ range: Range<Int>, at base: Int
  ) {
    for index in range {
      newLeftovers.append(
        Leftover(
          position: base + index, hash: content.hashes[index], element: content.elements[index]))
    }
  }
}

extension LeafContent {
  /// The content of neighbouring leaves; that of a single one is not copied.
  @inlinable init<Summary: TreeSummary>(
    concatenating nodes: ArraySlice<InnerNode<Summary>.Child>
  ) where Summary.Element == Element {
    self.init()
    if nodes.count == 1, let leaf = nodes.first?.leaf {
      self.init(leaf)
    } else {
      for case let leaf? in nodes.lazy.map({ $0.leaf }) { append(leaf, 0..<leaf.elements.count) }
    }
  }

  /// How many elements are equal, one by one, from a place of this and a place of another.
  @inlinable func matchingCount(at index: Int, _ other: LeafContent, at otherIndex: Int) -> Int {
    let limit = Swift.min(count - index, other.count - otherIndex)
    var matched = 0
    while matched < limit, hashes[index + matched] == other.hashes[otherIndex + matched],
      elements[index + matched] == other.elements[otherIndex + matched]
    {
      matched += 1
    }
    return matched
  }

  /// How many elements of either side stand before the two meet again, where they part.
  ///
  /// Looks a few elements ahead on one side for the element of the other; if that is in vain, one
  /// of each is left.
  @inlinable func parting(
    at index: Int, _ other: LeafContent, at otherIndex: Int
  ) -> (gone: Int, come: Int) {
    for step in 1...8 {
      if index + step < count, hashes[index + step] == other.hashes[otherIndex],
        elements[index + step] == other.elements[otherIndex]
      {
        return (step, 0)
      }
      if otherIndex + step < other.count, hashes[index] == other.hashes[otherIndex + step],
        elements[index] == other.elements[otherIndex + step]
      {
        return (0, step)
      }
    }
    return (1, 1)
  }
}
