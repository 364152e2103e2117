/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// What has no partner yet went, came, or stands in another window or section.
@usableFromInline struct OrderMatching<Element: Hashable & Sendable> {
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

  /// Matched elements, in ascending order of `new`.
  @usableFromInline var runs: [MatchedRun] = []
  /// Which runs keep their place when as few elements as possible move; `nil` if all do.
  @usableFromInline var stays: [Bool]?
  /// Old positions of elements without a partner, as ascending ranges.
  @usableFromInline var departures: [Range<Int>] = []
  /// New elements that may have stood elsewhere, ascending.
  @usableFromInline var arrivals: [Leftover] = []
  /// New positions of elements that stood nowhere, as ascending ranges.
  @usableFromInline var inserts: [Range<Int>] = []
  /// What a table of the old order has to learn, where the elements are filed under a key; `nil`
  /// where it is better made anew.
  @usableFromInline var changes: IdentityChanges? = IdentityChanges()

  @inlinable init() {}

  /// Whether every element has kept its index.
  @inlinable var isEqual: Bool {
    departures.isEmpty && arrivals.isEmpty && inserts.isEmpty && runs.count <= 1
  }
}

extension OrderTree {
  /// The elements of this tree that an older one had not, as far as a matching with that knows.
  ///
  /// - Complexity: O(k · log n) for k such elements of n; O(n) without a matching.
  @inlinable func newcomers(
    _ matching: OrderMatching<Element>?, since old: OrderTree
  ) -> LeafContent<Element> {
    var content = LeafContent<Element>()
    if isIdentical(to: old) { return content }
    guard let matching else {
      for leaf in leaves { content.append(leaf, 0..<leaf.elements.count) }
      return content
    }
    for leftover in matching.arrivals { content.append(leftover.element, hash: leftover.hash) }
    for leftover in leftovers(at: matching.inserts) {
      content.append(leftover.element, hash: leftover.hash)
    }
    return content
  }

  /// The elements at some positions, given as ascending ranges.
  ///
  /// - Complexity: O(k + r · log n) for k elements in r ranges of a tree of n.
  @inlinable func leftovers(at ranges: [Range<Int>]) -> [OrderMatching<Element>.Leftover] {
    var leftovers: [OrderMatching<Element>.Leftover] = []
    leftovers.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
    appendLeftovers(at: ranges, to: &leftovers)
    return leftovers
  }

  /// Adds the elements at some positions to others.
  @inlinable func appendLeftovers(
    at ranges: [Range<Int>], to leftovers: inout [OrderMatching<Element>.Leftover]
  ) {
    var place: LeafPlace?
    for position in ranges.lazy.joined() {
      if place.map({ position - $0.base >= $0.leaf.elements.count }) ?? true {
        place = leaf(atPosition: position)
      }
      guard let place else { continue }
      let offset = position - place.base
      leftovers.append(
        .init(
          position: position, hash: place.leaf.hashes[offset],
          element: place.leaf.elements[offset]))
    }
  }
}
