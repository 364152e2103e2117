/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// Shared stretches are matched without looking at them. In what is left, a window at a time, both
/// sides are walked in step by stored hash and `==`, looking a few elements ahead where they part.
/// What finds no partner in its window is left over: it went, came, or stands in another window.
@usableFromInline struct TreeComparison<Element: Hashable & Sendable> {
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

  /// What was found; nothing in `inserts`, as no table is asked.
  @usableFromInline var matching = OrderMatching<Element>()
  /// Where the elements of the present window are filed, if that is the same for all.
  @usableFromInline var filing: (section: SectionKey, label: LeafLabel)?
  /// The pairs that were compared and not skipped, where they were asked for.
  @usableFromInline var comparedPairs: [Pair] = []
  @usableFromInline let keepsPairs: Bool

  /// Compares two orders.
  ///
  /// - Parameters:
  ///   - section: The key that the elements of both are filed under, if it is the same.
  ///   - keepingPairs: Whether to keep the pairs that were compared.
  @inlinable init<Summary: TreeSummary>(
    old: OrderTree<Summary>, new: OrderTree<Summary>, section: SectionKey? = nil,
    keepingPairs: Bool = false
  ) where Summary.Element == Element {
    keepsPairs = keepingPairs
    LeafWindows.forEach(old: old, new: new) { stretch in
      switch stretch {
      case .shared(let run):
        matching.runs.appendMatch(old: run.old, new: run.new, count: run.count)
      case .changed(let window):
        // Two versions of one leaf: what matches stays filed under its label.
        let firstArrival = matching.arrivals.count
        if let section { filing = window.commonLabel.map { (section, $0) } }
        walk(
          LeafContent(concatenating: window.old), at: window.oldBase,
          LeafContent(concatenating: window.new), at: window.newBase)
        if let section, filing == nil {
          file(window, section)
          matching.changes?.exchanged += matching.arrivals[firstArrival...].lazy.map(\.hash)
        }
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
        matching.runs.appendMatch(old: oldBase + i, new: newBase + j, count: matched)
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

  /// Notes what a window means for a table, where its leaves have several labels.
  @inlinable mutating func file<Summary: TreeSummary>(
    _ window: LeafWindows<Summary>.Window, _ section: SectionKey
  ) where Summary.Element == Element {
    var delta = LeafDelta<Element>()
    delta.append(window)
    matching.changes?.append(delta, section: section)
  }

  @inlinable mutating func leave(_ content: LeafContent<Element>, _ range: Range<Int>, at base: Int)
  {
    guard !range.isEmpty else { return }
    matching.departures.appendRange(base + range.lowerBound..<base + range.upperBound)
    guard let (section, label) = filing else { return }
    for hash in content.hashes[range] {
      matching.changes?.removed.append(.init(hash: hash, section: section, label: label))
    }
  }

  @inlinable mutating func arrive(
    _ content: LeafContent<Element>, _ range: Range<Int>, at base: Int
  ) {
    for index in range {
      let hash = content.hashes[index]
      matching.arrivals.append(
        .init(position: base + index, hash: hash, element: content.elements[index]))
      if let (section, label) = filing {
        matching.changes?.inserted.append(
          .init(hash: hash, section: section, label: label, hint: index))
      }
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
