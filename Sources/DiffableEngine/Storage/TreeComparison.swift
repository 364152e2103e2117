/// The matching elements of two orders, as far as they are found near their old places.
///
/// Shared stretches are matched without reading them. In the remaining windows, both sides are
/// walked in step by stored hash and `==`, with a look a few elements ahead when they differ. An
/// element without a partner in its window is left over: it was deleted or inserted, or is in
/// another window.
package struct TreeComparison {
  /// Both sides of a match, valid while the trees and the matching are held.
  package struct Pair {
    package let old: Int
    package let new: Int
    package let oldAddress: UnsafeRawPointer
    package let newAddress: UnsafeRawPointer
  }

  /// The result; `inserts` is empty, as no table is used.
  package internal(set) var matching = OrderMatching()
  /// The place under which the elements of the current window are filed, if it is the same for all.
  var filing: (section: SectionKey, label: LeafLabel)?
  /// The pairs that were compared and not skipped, if requested.
  package internal(set) var comparedPairs: [Pair] = []
  let keepsPairs: Bool
  let kernel: ElementKernel

  /// Compares two orders.
  ///
  /// - Parameters:
  ///   - section: The key under which the elements of both are filed, if it is the same.
  ///   - keepingPairs: Whether to keep the pairs that were compared.
  package init(
    old: OrderTree, new: OrderTree, section: SectionKey? = nil, keepingPairs: Bool = false
  ) {
    keepsPairs = keepingPairs
    kernel = new.kernel
    compare(old, new, section: section)
  }

  /// Compares the trees; not in the initialiser, where a closure would change a copy of the result.
  private mutating func compare(_ old: OrderTree, _ new: OrderTree, section: SectionKey?) {
    LeafWindows.forEach(old: old, new: new) { stretch in
      switch stretch {
      case .shared(let run):
        matching.runs.appendMatch(old: run.old, new: run.new, count: run.count)
      case .changed(let window): compare(window, section: section)
      }
    }
  }

  private mutating func compare(_ window: LeafWindows.Window, section: SectionKey?) {
    // Two versions of one leaf: matching elements stay filed under its label.
    let firstArrival = matching.arrivals.count
    if let section { filing = window.commonLabel.map { (section, $0) } }
    walk(span(of: window.old), at: window.oldBase, span(of: window.new), at: window.newBase)
    if let section, filing == nil {
      var delta = LeafDelta()
      delta.append(window)
      matching.changes?.append(delta, section: section)
      matching.changes?.exchanged += matching.arrivals[firstArrival...].lazy.map(\.hash)
    }
  }

  /// The elements of adjacent leaves of a tree that is held.
  ///
  /// Elements of several leaves are copied, so that they are adjacent in memory.
  private mutating func span(of nodes: LeafWindows.Nodes) -> ElementSpan {
    if nodes.count == 1, let leaf = nodes.first?.leaf { return leaf.span }
    var elements = HashedElements(kernel, capacity: nodes.reduce(0) { $0 + $1.count })
    for child in nodes { if let leaf = child.leaf { elements.append(leaf) } }
    matching.held.append(elements)
    return elements.span
  }

  /// Compares a window.
  mutating func walk(
    _ old: ElementSpan, at oldBase: Int, _ new: ElementSpan, at newBase: Int
  ) {
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      let matched = old.matchingCount(at: i, new, at: j, kernel)
      if matched > 0 {
        matching.runs.appendMatch(old: oldBase + i, new: newBase + j, count: matched)
        if keepsPairs {
          for step in 0..<matched {
            comparedPairs.append(
              Pair(
                old: oldBase + i + step, new: newBase + j + step,
                oldAddress: old.address(i + step), newAddress: new.address(j + step)))
          }
        }
        (i, j) = (i + matched, j + matched)
      }
      guard i < old.count, j < new.count else { break }
      let (gone, come) = old.parting(at: i, new, at: j, kernel)
      leave(old, i..<i + gone, at: oldBase)
      arrive(new, j..<j + come, at: newBase)
      (i, j) = (i + gone, j + come)
    }
    leave(old, i..<old.count, at: oldBase)
    arrive(new, j..<new.count, at: newBase)
  }

  mutating func leave(_ elements: ElementSpan, _ range: Range<Int>, at base: Int) {
    guard !range.isEmpty else { return }
    matching.departures.appendRange(base + range.lowerBound..<base + range.upperBound)
    guard let (section, label) = filing else { return }
    matching.changes?.removed.append(
      elements.sub(range).hashBuffer, section: section, label: label, from: range.lowerBound)
  }

  mutating func arrive(
    _ elements: ElementSpan, _ range: Range<Int>, at base: Int
  ) {
    for index in range {
      let hash = elements.hashes[index]
      matching.arrivals.append(
        .init(position: base + index, hash: hash, address: elements.address(index)))
      if let (section, label) = filing {
        matching.changes?.inserted.append(
          .init(hash: hash, section: section, label: label, hint: index))
      }
    }
  }
}

extension ElementSpan {
  /// The number of equal elements, one by one, from a place in each of two spans.
  func matchingCount(
    at index: Int, _ other: ElementSpan, at otherIndex: Int, _ kernel: ElementKernel
  ) -> Int {
    let limit = Swift.min(count - index, other.count - otherIndex)
    var sameHashes = 0
    while sameHashes < limit, hashes[index + sameHashes] == other.hashes[otherIndex + sameHashes] {
      sameHashes += 1
    }
    guard sameHashes > 0 else { return 0 }
    return kernel.countEqual(address(index), other.address(otherIndex), sameHashes)
  }

  /// The number of elements of either side before the next match, at a difference.
  ///
  /// It looks a few elements ahead on one side for the element of the other; if that fails, it is
  /// one of each.
  func parting(
    at index: Int, _ other: ElementSpan, at otherIndex: Int, _ kernel: ElementKernel
  ) -> (gone: Int, come: Int) {
    if index + 8 < count, otherIndex + 8 < other.count {
      // Mostly none of the hashes is there. A loop without an exit compares several at a time.
      let (hash, otherHash) = (hashes[index], other.hashes[otherIndex])
      var matches: UInt32 = 0
      for step in 1...8 {
        matches |= hashes[index &+ step] == otherHash ? 1 : 0
        matches |= other.hashes[otherIndex &+ step] == hash ? 1 : 0
      }
      if matches == 0 { return (1, 1) }
    }
    return nextMatch(within: 8, old: count - index, new: other.count - otherIndex) {
      hashes[index + $0] == other.hashes[otherIndex + $1]
        && kernel.areEqual(address(index + $0), other.address(otherIndex + $1))
    } ?? (1, 1)
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
