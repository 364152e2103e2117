/// The leaves that a change removed from a tree and added to it, each in ascending order of labels.
///
/// That is all that an index needs to follow: it maps each element to the label of its leaf.
package struct LeafDelta: Sendable {
  package var removed: [Leaf] = []
  package var added: [Leaf] = []

  package init(removed: [Leaf] = [], added: [Leaf] = []) {
    self.removed = removed
    self.added = added
  }
}

extension LeafDelta {
  /// The leaves that are only in one of two related trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ.
  package init(from old: OrderTree, to new: OrderTree) {
    self.init()
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: new) { stretch in
      guard case .changed(let window) = stretch else { return }
      delta.append(window)
    }
    self = delta
  }

  mutating func append(_ window: LeafWindows.Window) {
    removed.append(contentsOf: window.old.lazy.compactMap { $0.leaf })
    added.append(contentsOf: window.new.lazy.compactMap { $0.leaf })
  }
}
