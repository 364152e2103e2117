/// The items of a section.
package enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// The items as they were passed in: nothing is copied or hashed.
  ///
  /// With the kernel of the tree that they may become and, if a writer gives them, their models.
  case array([ItemID], ElementKernel, models: RowModels? = nil)
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  /// No items, as a tree.
  static func none(_ kernel: ElementKernel) -> SectionItems {
    .tree(ItemTree(shape: .items, kernel: kernel))
  }

  /// The kernel of the items.
  var kernel: ElementKernel {
    switch self {
    case .array(_, let kernel, _): kernel
    case .tree(let tree): tree.kernel
    }
  }

  var count: Int {
    switch self {
    case .array(let items, _, _): items.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; computes the hashes of an array.
  package var tree: ItemTree<ItemID> {
    switch self {
    case .array(let items, let kernel, let models):
      RowModels.withSpan(of: models) {
        ItemTree(items, models: $0, shape: .items, kernel: kernel)
      }
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  var array: [ItemID] {
    switch self {
    case .array(let items, _, _): items
    case .tree(let tree): tree.elements
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  subscript(index: Int) -> ItemID {
    switch self {
    case .array(let items, _, _): items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that no comparison is needed.
  func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    return tree.isIdentical(to: other)
  }
}

/// An outline as a record stores it: one word, and the same object if nothing changed.
package final class HeldOutline<ItemID: Hashable & Sendable>: Sendable {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
  }
}
