/// The matching elements of two orders, as far as they are found near their old places.
///
/// An element without a partner was deleted or inserted, or is in another window or section.
package struct OrderMatching {
  /// An element without a partner in its window.
  ///
  /// Code that keeps one must hold the tree that contains the element.
  package struct Leftover {
    package let position: Int
    package let hash: UInt32
    package let address: UnsafeRawPointer

    package init(position: Int, hash: UInt32, address: UnsafeRawPointer) {
      (self.position, self.hash, self.address) = (position, hash, address)
    }

    package func element<Element>(as type: Element.Type) -> Element {
      address.assumingMemoryBound(to: type).pointee
    }
  }

  /// Matched elements, in ascending order of `new`.
  package var runs: [MatchedRun] = []
  /// The runs that keep their place if as few elements as possible move; `nil` if all do.
  var stays: [Bool]?
  /// Old positions of elements without a partner, as ascending ranges.
  package var departures: [Range<Int>] = []
  /// New elements that may have been elsewhere, ascending.
  package var arrivals: [Leftover] = []
  /// New positions of elements that were nowhere before, as ascending ranges.
  package var inserts: [Range<Int>] = []
  /// The changes for a table of the old order whose elements are filed under a key.
  ///
  /// It is `nil` if it is better to make a new table.
  var changes: IdentityChanges? = IdentityChanges()
  /// Holds those arrivals that are not in a leaf of the tree.
  var held: [HashedElements] = []

  /// Whether every element has kept its index.
  package var isEqual: Bool {
    departures.isEmpty && arrivals.isEmpty && inserts.isEmpty && runs.count <= 1
  }
}

extension OrderTree {
  /// The elements of this tree that an older tree does not have, as far as a matching tells.
  ///
  /// - Complexity: O(k · log n) for k such elements of n; O(n) without a matching.
  package func newcomers(_ matching: OrderMatching?, since old: OrderTree) -> HashedElements {
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

  /// The elements at some positions, given as ascending ranges, valid while the tree is held.
  ///
  /// - Complexity: O(k + r · log n) for k elements in r ranges of a tree of n.
  package func leftovers(at ranges: [Range<Int>]) -> [OrderMatching.Leftover] {
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
