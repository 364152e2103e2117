/// Which leaves a change took out of a tree and which it put in, each in ascending order of labels.
///
/// That is all an index needs to follow: it maps each element to the label of its leaf.
struct LeafDelta<Element: Hashable & Sendable>: Sendable {
  var removed: [Leaf<Element>] = []
  var added: [Leaf<Element>] = []
}

extension LeafDelta {
  /// Which leaves are only in one of two related trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ.
  init(from old: OrderTree<Element>, to new: OrderTree<Element>) {
    self.init()
    for case .changed(let window) in LeafWindows(old: old, new: new) {
      removed.append(contentsOf: window.old)
      added.append(contentsOf: window.new)
    }
  }
}
