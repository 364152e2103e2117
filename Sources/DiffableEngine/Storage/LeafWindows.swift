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
      if case .inner(let inner) = child.node { children.append(contentsOf: inner.children) }
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
      let (nextI, nextJ) = Self.firstShared(old, from: i, new, from: j)
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

  /// The position of the first node, from a start on, that both sides have, or both ends.
  private static func firstShared(
    _ old: Nodes, from oldStart: Int, _ new: Nodes, from newStart: Int
  ) -> (old: Int, new: Int) {
    var (i, j) = (oldStart, newStart)
    while i < old.count, j < new.count {
      if old[i].label == new[j].label {
        if old[i].node === new[j].node { return (i, j) }
        (i, j) = (i + 1, j + 1)
      } else if old[i].label < new[j].label {
        i += 1
      } else {
        j += 1
      }
    }
    return (old.count, new.count)
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
