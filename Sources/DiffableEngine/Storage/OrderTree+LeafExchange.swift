extension OrderTree {
  /// Removes leaves and adds others, and rebuilds the path to each.
  ///
  /// Thin neighbours are merged in the process. Returns what was really removed and added.
  ///
  /// - Complexity: O(k · log n) for k leaves that are removed or added in a tree of n elements.
  package mutating func replaceLeaves(_ delta: LeafDelta) -> LeafDelta {
    var delta = exchangeLeaves(delta, mergingThin: true)
    // Merged leaves were recorded after the others.
    delta.removed = delta.removed.sortedIfNeeded { $0.label.halves }
    delta.added = delta.added.sortedIfNeeded { $0.label.halves }
    return delta
  }

  /// The same without merging, unless requested.
  @discardableResult
  package mutating func exchangeLeaves(
    _ delta: LeafDelta, mergingThin: Bool = false
  ) -> LeafDelta {
    guard !delta.removed.isEmpty || !delta.added.isEmpty else { return delta }
    guard let root else {
      self = OrderTree(leaves: delta.added, shape: shape, kernel: kernel)
      return delta
    }
    var exchange = LeafExchange(delta, in: self, mergesThin: mergingThin)
    let nodes = exchange.rebuild(.init(root), before: nil)
    var top = self.root(of: nodes)
    while case .inner(let inner) = top, inner.childCount == 1 {
      top = inner.withChildren { $0[0].node }
    }
    self.root = top
    _checkInvariants()
    return exchange.done
  }

  /// Sets other models in leaves that an older tree has too.
  ///
  /// Leaves in which all models stay the same are kept. All other leaves of this tree have their
  /// models already.
  ///
  /// - Parameters:
  ///   - models: The models of all elements of this tree, in order.
  ///   - old: The tree from which this one was made.
  /// - Complexity: O(n) comparisons for n elements.
  mutating func exchangeModels(with models: ModelPieces, since old: OrderTree) {
    // Most sections have one leaf. One of several may also be all that is left.
    if case .leaf(let leaf)? = root, case .leaf(let former)? = old.root {
      guard former === leaf else { return }
      if let other = models.replacingModels(of: leaf) { root = .leaf(other) }
      return _checkInvariants()
    }
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: self) { stretch in
      guard case .shared(let run) = stretch else { return }
      forEachLeaf(in: run.newRange) { leaf, base in
        let part = models.part(base..<base + leaf.count)
        guard let other = part.replacingModels(of: leaf) else { return }
        delta.removed.append(leaf)
        delta.added.append(other)
      }
    }
    exchangeLeaves(delta)
  }

  /// An exchange of leaves under way in a tree, in the order of their labels.
  ///
  /// The place of an added leaf follows from its label.
  struct LeafExchange {
    typealias Child = InnerNode.Child
    typealias Children = InnerNode.Children

    let asked: LeafDelta
    let tree: OrderTree
    let mergesThin: Bool
    /// The next leaf to remove, and the next to add.
    var nextRemoved = 0
    var nextAdded = 0
    /// What was really removed and added.
    var done = LeafDelta()

    init(_ asked: LeafDelta, in tree: OrderTree, mergesThin: Bool) {
      self.asked = asked
      self.tree = tree
      self.mergesThin = mergesThin
      done.removed.reserveCapacity(asked.removed.count)
      done.added.reserveCapacity(asked.added.count)
    }
  }
}

extension OrderTree.LeafExchange {
  var shape: TreeShape { tree.shape }

  /// Whether anything is left to do before a label.
  func isConcerned(before upper: LeafLabel?) -> Bool {
    hasNext(asked.removed, nextRemoved, before: upper)
      || hasNext(asked.added, nextAdded, before: upper)
  }

  func hasNext(
    _ leaves: [Leaf], _ next: Int, before upper: LeafLabel?
  ) -> Bool {
    guard next < leaves.count else { return false }
    return upper.map { leaves[next].label < $0 } ?? true
  }

  /// The nodes, of the same height, that replace a node.
  mutating func rebuild(_ child: Child, before upper: LeafLabel?) -> Children {
    guard case .inner(let inner) = child.node else { return exchange([child], before: upper) }
    var children: Children
    if inner.height == 1 {
      children = exchange(inner.children, before: upper)
    } else {
      children = []
      children.reserveCapacity(shape.fanout + 1)
      inner.withChildren { old in
        for index in old.indices {
          let end = index + 1 < old.count ? old[index + 1].label : upper
          if isConcerned(before: end) {
            children.append(contentsOf: rebuild(old[index], before: end))
          } else {
            children.append(old[index])
          }
        }
      }
      mergeThinInnerNodes(&children)
    }
    guard children.count > shape.fanout else {
      return children.isEmpty
        ? [] : [.init(.inner(InnerNode(children, hasTotals: tree.hasTotals)))]
    }
    return tree.group(children)
  }

  /// The leaves that replace adjacent ones.
  mutating func exchange(_ children: Children, before upper: LeafLabel?) -> Children {
    var result = Children()
    result.reserveCapacity(children.count + 1)
    let firstAdded = done.added.count
    for child in children {
      add(before: child.label, to: &result)
      if hasNext(asked.removed, nextRemoved, before: upper),
        asked.removed[nextRemoved].label == child.label
      {
        done.removed.append(asked.removed[nextRemoved])
        nextRemoved += 1
      } else {
        result.append(child)
      }
    }
    add(before: upper, to: &result)
    if mergesThin { mergeThinLeaves(&result, from: firstAdded) }
    return result
  }

  mutating func add(before upper: LeafLabel?, to children: inout Children) {
    while hasNext(asked.added, nextAdded, before: upper) {
      let leaf = asked.added[nextAdded]
      nextAdded += 1
      done.added.append(leaf)
      children.append(.init(.leaf(leaf)))
    }
  }

  /// Merges two adjacent leaves if one is thin and a leaf has room for both.
  ///
  /// - Parameter firstAdded: The index, in the added leaves, of the first one among these nodes.
  mutating func mergeThinLeaves(_ nodes: inout Children, from firstAdded: Int) {
    var index = 1
    while index < nodes.count {
      guard let left = nodes[index - 1].leaf, let right = nodes[index].leaf,
        min(left.count, right.count) * 4 <= shape.leafCapacity,
        left.count + right.count <= shape.builtLeafCount
      else {
        index += 1
        continue
      }
      for leaf in [left, right] {
        if let added = done.added[firstAdded...].lastIndex(where: { $0 === leaf }) {
          done.added.remove(at: added)
        } else {
          done.removed.append(leaf)
        }
      }
      let merged = withExtendedLifetime((left, right)) {
        Leaf(label: left.label, kernel: tree.kernel, left.span, right.span)
      }
      done.added.append(merged)
      nodes[index - 1] = .init(.leaf(merged))
      nodes.remove(at: index)
    }
  }

  /// Moves the children of a thin inner node to its neighbour if they fit.
  func mergeThinInnerNodes(_ nodes: inout Children) {
    var index = 1
    while index < nodes.count {
      if case .inner(let left) = nodes[index - 1].node, case .inner(let right) = nodes[index].node,
        min(left.childCount, right.childCount) * 4 <= shape.fanout,
        left.childCount + right.childCount <= shape.fanout
      {
        let joined = InnerNode(left.children + right.children, hasTotals: tree.hasTotals)
        nodes[index - 1] = .init(.inner(joined))
        nodes.remove(at: index)
      } else {
        index += 1
      }
    }
  }
}
