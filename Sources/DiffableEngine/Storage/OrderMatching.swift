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
  package internal(set) var runs: [MatchedRun] = []
  /// The runs that keep their place if as few elements as possible move; `nil` if all do.
  var stays: [Bool]?
  /// Old positions of elements without a partner, as ascending ranges.
  package internal(set) var departures: [Range<Int>] = []
  /// New elements that may have been elsewhere, ascending.
  package internal(set) var arrivals: [Leftover] = []
  /// New positions of elements that were nowhere before, as ascending ranges.
  package internal(set) var inserts: [Range<Int>] = []
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
    }
    elements.append(self, at: matching.inserts)
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

/// Elements that lost their place, to be found elsewhere by hash and equality.
///
/// It uses chained hashing over a list of leftovers. A taken leftover is removed from its chain. So
/// an element that appears twice on the other side finds a partner only once, and the chains get
/// shorter, even if all hashes are equal.
///
/// - Complexity: O(m) to create for m elements; expected O(1) for each lookup.
package struct LeftoverPool {
  package let leftovers: [OrderMatching.Leftover]
  let kernel: ElementKernel
  var isTaken: [Bool]
  /// By slot: the first leftover of the chain, or -1.
  var first: [Int32]
  /// By leftover: the next one in its chain, or -1.
  var next: [Int32]

  package init(_ leftovers: [OrderMatching.Leftover], _ kernel: ElementKernel) {
    precondition(leftovers.count < Int32.max, "More elements than a pool can number")
    self.kernel = kernel
    self.leftovers = leftovers
    isTaken = Array(repeating: false, count: leftovers.count)
    var slotCount = leftovers.isEmpty ? 0 : 8
    while slotCount < leftovers.count { slotCount *= 2 }
    first = Array(repeating: -1, count: slotCount)
    next = Array(repeating: -1, count: leftovers.count)
    for index in leftovers.indices.reversed() {
      let slot = Int(leftovers[index].hash >> 1) & (slotCount - 1)
      next[index] = first[slot]
      first[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  /// Takes the first leftover that is equal and not taken yet, and returns its place in the list.
  package mutating func take(_ other: OrderMatching.Leftover) -> Int? {
    guard !first.isEmpty else { return nil }
    let slot = Int(other.hash >> 1) & (first.count - 1)
    var index = Int(first[slot])
    var previous = -1
    while index >= 0 {
      if leftovers[index].hash == other.hash,
        kernel.areEqual(leftovers[index].address, other.address)
      {
        if previous < 0 { first[slot] = next[index] } else { next[previous] = next[index] }
        isTaken[index] = true
        return index
      }
      (previous, index) = (index, Int(next[index]))
    }
    return nil
  }
}
