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

/// The items of a section as they were passed in: nothing is copied or hashed.
///
/// With the kernel of the tree that they may become and, if a writer gives them, their models.
package final class ItemArray<ItemID: Hashable & Sendable>: SectionArray {
  let items: [ItemID]
  let kernel: ElementKernel
  let models: RowModels?

  init(_ items: [ItemID], _ kernel: ElementKernel, models: RowModels? = nil) {
    (self.items, self.kernel, self.models) = (items, kernel, models)
  }

  package var count: Int { items.count }
  package var hasModels: Bool { models != nil }

  package func makeTree() -> OrderTree {
    RowModels.withSpan(of: models) {
      ItemTree(items, models: $0, shape: .items, kernel: kernel).base
    }
  }

  package func reusing(
    _ old: OrderTree, table: IdentityTable?, section: SectionKey, mostChanges: Int
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    let (tree, matching) = ItemTree<ItemID>(old).updated(
      to: items, models: models, table: table, section: section, mostChanges: mostChanges)
    return (tree.base, matching)
  }
}

/// An outline as a section stores it: one word, and the same object if nothing changed.
package final class HeldOutline<ItemID: Hashable & Sendable>: SectionOutline {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
  }

  package var count: Int { value.count }

  package var visibleItems: any SectionArray {
    ItemArray(value.visibleItems, value.kernel)
  }

  package func forEachHiddenHash(_ body: (UInt32) -> Void) { value.forEachHiddenHash(body) }

  package func appendItems(to elements: inout HashedElements) {
    elements.append(value.items(in: 0..<value.count, visibleOnly: false))
  }

  package func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure? {
    value.disclosure(of: item.assumingMemoryBound(to: ItemID.self).pointee)
  }

  package func isEqual(to other: any SectionOutline) -> Bool {
    value == Self.of(other).value
  }

  package func showing(_ list: SectionBody) -> (any SectionOutline)? {
    let items: SectionItems<ItemID> = list.items()
    return value.showing(items.array).map(HeldOutline.init)
  }

  package func comparison(
    from old: SectionBody, to new: SectionBody, visible: OrderMatching
  ) -> OutlineComparison {
    OutlineComparison(
      old: old, old.outline(of: ItemID.self)?.value, new: new, new.outline(of: ItemID.self)?.value,
      visible: visible)
  }

  /// The typed view of the outline of a section with such items.
  static func of(_ outline: any SectionOutline) -> HeldOutline {
    // It is called only for sections with these types; see `TypedRevisionNotes.of(_:)`.
    unsafeDowncast(outline, to: HeldOutline.self)
  }
}
