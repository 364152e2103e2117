/// A section as the order of sections holds it.
///
/// Two records are equal when they are the same section.
struct SectionRecord<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  let id: SectionID
  /// What the item table calls this section, wherever it moves.
  let key: SectionKey
  /// The items of a list, or the visible items of an outline.
  var items: SectionItems<ItemID>
  /// The outline whose visible items these are, where the section holds one.
  var outline: HeldOutline<ItemID>?

  init(
    id: SectionID, key: SectionKey, items: SectionItems<ItemID>,
    outline: HeldOutline<ItemID>? = nil
  ) {
    self.id = id
    self.key = key
    self.items = items
    self.outline = outline
  }

  static func == (left: SectionRecord, right: SectionRecord) -> Bool {
    left.id == right.id
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// The items of a section.
enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// As they were handed in: nothing copied, nothing hashed.
  ///
  /// With the kernel of the tree that they may become.
  case array([ItemID], ElementKernel)
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  /// No items, as a tree.
  static func none(_ kernel: ElementKernel) -> SectionItems {
    .tree(ItemTree(shape: .items, kernel: kernel))
  }

  /// What is known of the items.
  var kernel: ElementKernel {
    switch self {
    case .array(_, let kernel): kernel
    case .tree(let tree): tree.kernel
    }
  }

  var count: Int {
    switch self {
    case .array(let items, _): items.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; hashes those of an array.
  var tree: ItemTree<ItemID> {
    switch self {
    case .array(let items, let kernel): ItemTree(items, shape: .items, kernel: kernel)
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  var array: [ItemID] {
    switch self {
    case .array(let items, _): items
    case .tree(let tree): tree.elements
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  subscript(index: Int) -> ItemID {
    switch self {
    case .array(let items, _): items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that nothing has to be compared.
  func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    return tree.isIdentical(to: other)
  }
}

/// An outline as a record holds it: one word, and the same object where nothing changed.
final class HeldOutline<ItemID: Hashable & Sendable>: Sendable {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
  }
}

extension Totals {
  /// What some neighbouring sections hold together.
  init<SectionID, ItemID>(of records: UnsafeBufferPointer<SectionRecord<SectionID, ItemID>>) {
    for record in records {
      items += record.items.count
      if let outline = record.outline {
        outlines += 1
        hiddenRows += outline.value.count - record.items.count
      }
    }
  }
}
