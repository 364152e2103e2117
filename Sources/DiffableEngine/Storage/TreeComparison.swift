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
    old: borrowing OrderTree, new: borrowing OrderTree, section: SectionKey? = nil,
    keepingPairs: Bool = false
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

/// The parts that two related trees share, and the parts in which they differ, leaf by leaf.
///
/// Both trees are walked together, level by level, in the order of their labels. Nodes that are the
/// same object are skipped whole; only the nodes between them are entered. The remaining leaves
/// form windows. Two leaves with the same label begin a new window, as they are most likely two
/// versions of one leaf.
///
/// - Complexity: O(d · log n) for d leaves that differ. For two trees that share nothing, the walk
///   is O(n / leaf).
package struct LeafWindows {
  package typealias Child = InnerNode.Child
  /// Adjacent nodes of a tree that is held.
  package typealias Nodes = UnsafeBufferPointer<Child>

  package enum Stretch {
    /// The same elements at these positions, as one heavy run.
    case shared(MatchedRun)
    /// Leaves to be compared element by element.
    case changed(Window)
  }

  /// Adjacent leaves of either side, with the position of the first element of each side.
  package struct Window {
    package let oldBase: Int
    package let newBase: Int
    package let old: Nodes
    package let new: Nodes

    /// The label of both leaves, if they are two versions of one.
    var commonLabel: LeafLabel? {
      guard old.count == 1, new.count == 1, old[0].label == new[0].label else { return nil }
      return old[0].label
    }
  }

  private var oldBase = 0
  private var newBase = 0

  /// Calls a function with each stretch, in the order of both trees.
  ///
  /// Its windows are valid during the call.
  package static func forEach(old: OrderTree, new: OrderTree, _ body: (Stretch) -> Void) {
    withExtendedLifetime((old.root, new.root)) {
      var walk = LeafWindows()
      withRoot(of: old) { old in
        withRoot(of: new) { new in walk.align(old, new, body) }
      }
    }
  }

  /// Calls a function with the nodes below the root, or with the root if it is a leaf.
  private static func withRoot(of tree: OrderTree, _ body: (Nodes) -> Void) {
    switch tree.root {
    case nil: body(Nodes(start: nil, count: 0))
    case .leaf(let leaf)?:
      withUnsafePointer(to: Child(.leaf(leaf))) { body(Nodes(start: $0, count: 1)) }
    case .inner(let inner)?: inner.withChildren(body)
    }
  }

  /// Calls a function with the children of adjacent inner nodes.
  private static func withChildren(of nodes: Nodes, _ body: (Nodes) -> Void) {
    // Mostly it is one node, whose children are not copied.
    if nodes.count == 1, case .inner(let inner) = nodes[0].node { return inner.withChildren(body) }
    var children: ContiguousArray<Child> = []
    for child in nodes {
      if case .inner(let inner) = child.node {
        inner.withChildren { children.append(contentsOf: $0) }
      }
    }
    children.withUnsafeBufferPointer(body)
  }

  /// Brings both sides to the same height; nodes on one side only are entered down to their leaves.
  private mutating func align(_ old: Nodes, _ new: Nodes, _ body: (Stretch) -> Void) {
    let (oldHeight, newHeight) = (old.first?.node.height ?? 0, new.first?.node.height ?? 0)
    if oldHeight > newHeight {
      Self.withChildren(of: old) { align($0, new, body) }
    } else if newHeight > oldHeight {
      Self.withChildren(of: new) { align(old, $0, body) }
    } else {
      compare(old, new, body)
    }
  }

  /// Compares nodes of one height.
  private mutating func compare(_ old: Nodes, _ new: Nodes, _ body: (Stretch) -> Void) {
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      var (nextI, nextJ) = (i, j)
      // The next node that both sides have, or both ends.
      while nextI < old.count, nextJ < new.count {
        let (left, right) = (old[nextI].label, new[nextJ].label)
        if left == right, old[nextI].node === new[nextJ].node { break }
        nextI += left <= right ? 1 : 0
        nextJ += right <= left ? 1 : 0
      }
      if nextI == old.count || nextJ == new.count { (nextI, nextJ) = (old.count, new.count) }
      enter(Nodes(rebasing: old[i..<nextI]), Nodes(rebasing: new[j..<nextJ]), body)
      (i, j) = (nextI, nextJ)
      var count = 0
      while i < old.count, j < new.count, old[i].node === new[j].node {
        count += old[i].count
        (i, j) = (i + 1, j + 1)
      }
      if count > 0 { body(.shared(MatchedRun(old: oldBase, new: newBase, count: count))) }
      oldBase += count
      newBase += count
    }
  }

  /// Compares the children of adjacent nodes, no two of which are the same.
  private mutating func enter(_ old: Nodes, _ new: Nodes, _ body: (Stretch) -> Void) {
    guard let height = (old.first ?? new.first)?.node.height else { return }
    guard height == 0 else {
      return Self.withChildren(of: old) { old in
        Self.withChildren(of: new) { new in compare(old, new, body) }
      }
    }
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      var (nextI, nextJ) = (i, j)
      // A window ends before the next pair with the same label.
      repeat {
        // Behind the last node, a side counts as having a label greater than all.
        let left = nextI < old.count ? old[nextI].label.rawValue : .max
        let right = nextJ < new.count ? new[nextJ].label.rawValue : .max
        nextI += left <= right ? 1 : 0
        nextJ += right <= left ? 1 : 0
      } while (nextI < old.count || nextJ < new.count)
        && !(nextI < old.count && nextJ < new.count && old[nextI].label == new[nextJ].label)
      let window = Window(
        oldBase: oldBase, newBase: newBase, old: Nodes(rebasing: old[i..<nextI]),
        new: Nodes(rebasing: new[j..<nextJ]))
      body(.changed(window))
      for child in window.old { oldBase += child.count }
      for child in window.new { newBase += child.count }
      (i, j) = (nextI, nextJ)
    }
  }
}
