/// Which leaves a change took out of a tree and which it put in, each in ascending order of labels.
///
/// That is all an index needs to follow: it maps each element to the label of its leaf.
@usableFromInline struct LeafDelta<Element: Hashable & Sendable>: Sendable {
  @usableFromInline var removed: [Leaf<Element>] = []
  @usableFromInline var added: [Leaf<Element>] = []

  @inlinable init(removed: [Leaf<Element>] = [], added: [Leaf<Element>] = []) {
    self.removed = removed
    self.added = added
  }
}

extension LeafDelta {
  /// Which leaves are only in one of two related trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ.
  @inlinable init<Summary: TreeSummary>(
    from old: OrderTree<Summary>, to new: OrderTree<Summary>
  ) where Summary.Element == Element {
    self.init()
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: new) { stretch in
      guard case .changed(let window) = stretch else { return }
      delta.append(window)
    }
    self = delta
  }

  @inlinable mutating func append<Summary: TreeSummary>(
    _ window: LeafWindows<Summary>.Window
  ) where Summary.Element == Element {
    removed.append(contentsOf: window.old.lazy.compactMap { $0.leaf })
    added.append(contentsOf: window.new.lazy.compactMap { $0.leaf })
  }
}
