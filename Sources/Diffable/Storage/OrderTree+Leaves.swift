/// The leaves of a tree, first to last.
struct LeafSequence<Value: Hashable & Sendable>: Sequence, IteratorProtocol {
  private var path: [(inner: InnerNode<Value>, next: Int)] = []
  private var pending: Leaf<Value>?

  init(_ root: OrderNode<Value>?) {
    if let root { pending = firstLeaf(of: root) }
  }

  mutating func next() -> Leaf<Value>? {
    if let leaf = pending {
      pending = nil
      return leaf
    }
    while let (inner, index) = path.popLast() {
      guard index < inner.children.count else { continue }
      path.append((inner, index + 1))
      return firstLeaf(of: inner.children[index].node)
    }
    return nil
  }

  private mutating func firstLeaf(of node: OrderNode<Value>) -> Leaf<Value>? {
    var node = node
    while case .inner(let inner) = node {
      path.append((inner, 1))
      node = inner.children[0].node
    }
    guard case .leaf(let leaf) = node else { return nil }
    return leaf
  }
}

extension OrderTree {
  /// The leaves, first to last.
  ///
  /// - Complexity: O(leaves) to walk.
  var leaves: LeafSequence<Element> { LeafSequence(root) }

  /// Puts another element in the place of one that has the same identity.
  ///
  /// - Complexity: O(log n) for n elements.
  mutating func replaceElement(at position: Int, with element: Element) {
    guard let root else { return }
    self.root = Self.replacing(root, position, element)
  }

  private static func replacing(
    _ node: OrderNode<Element>, _ position: Int, _ element: Element
  ) -> OrderNode<Element> {
    switch node {
    case .leaf(let leaf):
      var elements = leaf.elements
      elements[position] = element
      return .leaf(Leaf(label: leaf.label, hashes: leaf.hashes, elements: elements))
    case .inner(let inner):
      var index = 0
      var base = 0
      while index + 1 < inner.children.count, base + inner.children[index].count <= position {
        base += inner.children[index].count
        index += 1
      }
      var children = inner.children
      children[index] = .init(replacing(children[index].node, position - base, element))
      return .inner(InnerNode(children))
    }
  }
}
