/// The parts that two related trees share, and the parts in which they differ, leaf by leaf.
///
/// Both trees are walked together, level by level, in the order of their labels. Nodes that are the
/// same object are skipped whole; only the nodes between them are entered. The remaining leaves
/// form windows. Two leaves with the same label begin a new window, as they are most likely two
/// versions of one leaf.
///
/// - Complexity: O(d · log n) for d leaves that differ. For two trees that share nothing, the walk
///   is O(n / leaf).
struct LeafWindows {
  enum Stretch {
    /// The same elements at these positions, as one heavy run.
    case shared(MatchedRun)
    /// Leaves to be compared element by element.
    case changed(Window)
  }

  /// Adjacent leaves of either side, with the position of the first element of each side.
  struct Window {
    var oldBase: Int
    var newBase: Int
    var old: ArraySlice<Child>
    var new: ArraySlice<Child>

    init(oldBase: Int, newBase: Int, old: ArraySlice<Child>, new: ArraySlice<Child>) {
      self.oldBase = oldBase
      self.newBase = newBase
      self.old = old
      self.new = new
    }

    /// The label of both leaves, if they are two versions of one.
    var commonLabel: LeafLabel? {
      guard old.count == 1, new.count == 1, old.first?.label == new.first?.label else { return nil }
      return old.first?.label
    }
  }

  typealias Child = InnerNode.Child

  var body: (Stretch) -> Void
  var oldBase = 0
  var newBase = 0

  init(body: @escaping (Stretch) -> Void, oldBase: Int = 0, newBase: Int = 0) {
    self.body = body
    self.oldBase = oldBase
    self.newBase = newBase
  }

  /// Calls a function with each stretch, in the order of both trees.
  static func forEach(
    old: OrderTree, new: OrderTree, _ body: (Stretch) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      var walk = LeafWindows(body: body)
      var (old, new) = (children(of: old), children(of: new))
      // Brings both sides to the same height; nodes on one side only are entered down to their
      // leaves.
      let height = min(old.first?.node.height ?? 0, new.first?.node.height ?? 0)
      while let node = old.first?.node, node.height > height { old = children(of: old) }
      while let node = new.first?.node, node.height > height { new = children(of: new) }
      walk.compare(old, new)
    }
  }

  /// The nodes below the root, or the root if it is a leaf.
  private static func children(of tree: OrderTree) -> ArraySlice<Child> {
    switch tree.root {
    case nil: []
    case .leaf(let leaf)?: [Child(.leaf(leaf))]
    case .inner(let inner)?: inner.children[...]
    }
  }

  private static func children(of nodes: ArraySlice<Child>) -> ArraySlice<Child> {
    // Mostly it is one node, whose children are not copied.
    if nodes.count == 1, case .inner(let inner)? = nodes.first?.node { return inner.children[...] }
    var children: [Child] = []
    for child in nodes {
      if case .inner(let inner) = child.node { children.append(contentsOf: inner.children) }
    }
    return children[...]
  }

  /// Compares nodes of one height.
  mutating func compare(_ old: ArraySlice<Child>, _ new: ArraySlice<Child>) {
    var (i, j) = (old.startIndex, new.startIndex)
    while i < old.endIndex || j < new.endIndex {
      let (nextI, nextJ) = firstShared(old[i...], new[j...])
      enter(old[i..<nextI], new[j..<nextJ])
      (i, j) = (nextI, nextJ)
      var count = 0
      while i < old.endIndex, j < new.endIndex, old[i].node === new[j].node {
        count += old[i].count
        (i, j) = (i + 1, j + 1)
      }
      if count > 0 { body(.shared(MatchedRun(old: oldBase, new: newBase, count: count))) }
      oldBase += count
      newBase += count
    }
  }

  /// The position of the first node that both sides have, or both ends.
  func firstShared(
    _ old: ArraySlice<Child>, _ new: ArraySlice<Child>
  ) -> (old: Int, new: Int) {
    var (i, j) = (old.startIndex, new.startIndex)
    while i < old.endIndex, j < new.endIndex {
      if old[i].label == new[j].label {
        if old[i].node === new[j].node { return (i, j) }
        (i, j) = (i + 1, j + 1)
      } else if old[i].label < new[j].label {
        i += 1
      } else {
        j += 1
      }
    }
    return (old.endIndex, new.endIndex)
  }

  /// Compares the children of adjacent nodes, no two of which are the same.
  mutating func enter(_ old: ArraySlice<Child>, _ new: ArraySlice<Child>) {
    guard let node = (old.first ?? new.first)?.node else { return }
    guard node.height == 0 else {
      compare(Self.children(of: old), Self.children(of: new))
      return
    }
    var (i, j) = (old.startIndex, new.startIndex)
    while i < old.endIndex || j < new.endIndex {
      var (nextI, nextJ) = (i, j)
      // A window ends before the next pair with the same label.
      repeat {
        let left = nextI < old.endIndex ? old[nextI].label : nil
        let right = nextJ < new.endIndex ? new[nextJ].label : nil
        if let left, let right {
          nextI += left <= right ? 1 : 0
          nextJ += right <= left ? 1 : 0
        } else {
          nextI += left == nil ? 0 : 1
          nextJ += right == nil ? 0 : 1
        }
      } while (nextI < old.endIndex || nextJ < new.endIndex)
        && !(nextI < old.endIndex && nextJ < new.endIndex && old[nextI].label == new[nextJ].label)
      let window = Window(
        oldBase: oldBase, newBase: newBase, old: old[i..<nextI], new: new[j..<nextJ])
      body(.changed(window))
      oldBase += window.old.reduce(0) { $0 + $1.count }
      newBase += window.new.reduce(0) { $0 + $1.count }
      (i, j) = (nextI, nextJ)
    }
  }
}
