/// Which elements of two orders are the same, as far as that shows where they stand.
///
/// What has no partner yet went, came, or stands in another window or section.
struct OrderMatching {
  /// An element without a partner in its window.
  ///
  /// Whoever keeps one holds the tree that the element is in.
  struct Leftover {
    let position: Int
    let hash: UInt32
    let address: UnsafeRawPointer

    func element<Element>(as type: Element.Type) -> Element {
      address.assumingMemoryBound(to: type).pointee
    }
  }

  /// Matched elements, in ascending order of `new`.
  var runs: [MatchedRun] = []
  /// Which runs keep their place when as few elements as possible move; `nil` if all do.
  var stays: [Bool]?
  /// Old positions of elements without a partner, as ascending ranges.
  var departures: [Range<Int>] = []
  /// New elements that may have stood elsewhere, ascending.
  var arrivals: [Leftover] = []
  /// New positions of elements that stood nowhere, as ascending ranges.
  var inserts: [Range<Int>] = []
  /// What a table of the old order has to learn, where the elements are filed under a key; `nil`
  /// where it is better made anew.
  var changes: IdentityChanges? = IdentityChanges()
  /// What holds those of the arrivals that are not in a leaf of the tree.
  var held: [HashedElements] = []

  /// Whether every element has kept its index.
  var isEqual: Bool {
    departures.isEmpty && arrivals.isEmpty && inserts.isEmpty && runs.count <= 1
  }
}

extension OrderTree {
  /// The elements of this tree that an older one had not, as far as a matching with that knows.
  ///
  /// - Complexity: O(k · log n) for k such elements of n; O(n) without a matching.
  func newcomers(_ matching: OrderMatching?, since old: OrderTree) -> HashedElements {
    var elements = HashedElements(kernel)
    if isIdentical(to: old) { return elements }
    guard let matching else {
      root?.forEachLeaf { elements.append($0) }
      return elements
    }
    withExtendedLifetime(self) {
      for leftover in matching.arrivals { elements.append(leftover.address, hash: leftover.hash) }
      for leftover in leftovers(at: matching.inserts) {
        elements.append(leftover.address, hash: leftover.hash)
      }
    }
    return elements
  }

  /// The elements at some positions, given as ascending ranges, for as long as somebody holds the
  /// tree.
  ///
  /// - Complexity: O(k + r · log n) for k elements in r ranges of a tree of n.
  func leftovers(at ranges: [Range<Int>]) -> [OrderMatching.Leftover] {
    var leftovers: [OrderMatching.Leftover] = []
    leftovers.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
    appendLeftovers(at: ranges, to: &leftovers)
    return leftovers
  }

  /// Adds the elements at some positions to others.
  func appendLeftovers(
    at ranges: [Range<Int>], to leftovers: inout [OrderMatching.Leftover]
  ) {
    var place: LeafPlace?
    for range in ranges {
      for position in range {
        if place.map({ position - $0.base >= $0.leaf.count }) ?? true {
          place = leaf(atPosition: position)
        }
        guard let place else { continue }
        let (span, offset) = (place.leaf.span, position - place.base)
        leftovers.append(
          .init(position: position, hash: span.hashes[offset], address: span.address(offset)))
      }
    }
  }
}
