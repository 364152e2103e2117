/// The items of a section.
package enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// The items as they were passed in: nothing is copied or hashed.
  case array(ItemArray<ItemID>)
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  /// The items as they were passed in; see ``ItemArray``.
  package static func array(
    _ items: [ItemID], _ kernel: ElementKernel, models: RowModels? = nil
  ) -> SectionItems {
    .array(ItemArray(items, kernel, models: models))
  }

  /// No items, as a tree.
  static func none(_ kernel: ElementKernel) -> SectionItems {
    .tree(ItemTree(shape: .items, kernel: kernel))
  }

  /// The kernel of the items.
  var kernel: ElementKernel {
    switch self {
    case .array(let array): array.kernel
    case .tree(let tree): tree.kernel
    }
  }

  var count: Int {
    switch self {
    case .array(let array): array.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; computes the hashes of an array.
  package var tree: ItemTree<ItemID> {
    switch self {
    case .array(let array): ItemTree(array.makeTree())
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  var array: [ItemID] {
    switch self {
    case .array(let array): array.items
    case .tree(let tree): tree.elements
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  subscript(index: Int) -> ItemID {
    switch self {
    case .array(let array): array.items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that no comparison is needed.
  func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    return tree.isIdentical(to: other)
  }
}
