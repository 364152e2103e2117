/// What two related trees share and where they differ, leaf by leaf.
///
/// Both trees are walked together in the order of their labels. Nodes that are the same object are
/// skipped whole. Leaves between them form windows; leaves with the same label begin a new one, as
/// they are most likely two versions of one leaf.
///
/// - Complexity: O(d · log n) to walk for d leaves that differ. Two trees that share nothing are
///   walked in O(n / leaf).
struct LeafWindows<Value: Hashable & Sendable>: Sequence, IteratorProtocol {
  enum Stretch {
    /// The same elements at these positions, as one heavy run.
    case shared(MatchedRun)
    /// Leaves to be compared element by element.
    case changed(Window)
  }

  /// Neighbouring leaves of either side, with the position of the first element of each side.
  struct Window {
    var oldBase: Int
    var newBase: Int
    var old: [Leaf<Value>] = []
    var new: [Leaf<Value>] = []

    var isEmpty: Bool { old.isEmpty && new.isEmpty }
  }

  private var old: NodeCursor<Value>
  private var new: NodeCursor<Value>

  init(old: OrderTree<Value>, new: OrderTree<Value>) {
    self.old = NodeCursor(old.root)
    self.new = NodeCursor(new.root)
  }

  mutating func next() -> Stretch? {
    var window = Window(oldBase: old.base, newBase: new.base)
    while true {
      switch (old.node, new.node) {
      case (nil, nil):
        return window.isEmpty ? nil : .changed(window)
      case (let left?, let right?) where left === right:
        guard window.isEmpty else { return .changed(window) }
        let run = MatchedRun(old: old.base, new: new.base, count: left.count)
        old.advance()
        new.advance()
        return .shared(run)
      case (.leaf(let left), .leaf(let right)) where left.label == right.label:
        guard window.isEmpty else { return .changed(window) }
        window.old.append(left)
        window.new.append(right)
        old.advance()
        new.advance()
      case (let left, let right):
        if isOldNext(left, right) {
          if let leaf = old.advanceOverLeaf() { window.old.append(leaf) }
        } else {
          if let leaf = new.advanceOverLeaf() { window.new.append(leaf) }
        }
      }
    }
  }

  /// Whether to go on on the old side: it is behind, or both begin alike and its node is higher.
  private func isOldNext(_ left: OrderNode<Value>?, _ right: OrderNode<Value>?) -> Bool {
    guard let left else { return false }
    guard let right else { return true }
    return left.firstLabel == right.firstLabel
      ? left.height >= right.height : left.firstLabel < right.firstLabel
  }
}

/// A place in a walk over the nodes of a tree, which may skip or enter each.
private struct NodeCursor<Element: Hashable & Sendable> {
  /// The node ahead, or `nil` at the end.
  private(set) var node: OrderNode<Element>?
  /// The position of its first element.
  private(set) var base = 0
  private var path: [(inner: InnerNode<Element>, index: Int)] = []

  init(_ root: OrderNode<Element>?) {
    node = root
  }

  /// Skips the node ahead.
  mutating func advance() {
    base += node?.count ?? 0
    node = nil
    while let (inner, index) = path.popLast() {
      guard index + 1 < inner.children.count else { continue }
      path.append((inner, index + 1))
      node = inner.children[index + 1].node
      return
    }
  }

  /// Skips the node ahead if it is a leaf, and answers it; else enters it.
  mutating func advanceOverLeaf() -> Leaf<Element>? {
    switch node {
    case .leaf(let leaf):
      advance()
      return leaf
    case .inner(let inner):
      path.append((inner, 0))
      node = inner.children[0].node
      return nil
    case nil:
      return nil
    }
  }
}
