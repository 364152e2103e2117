/// A section as the order of sections holds it.
///
/// Two records are equal when they are the same section.
@usableFromInline
struct SectionRecord<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  @usableFromInline let id: SectionID
  /// What the item table calls this section, wherever it moves.
  @usableFromInline let key: SectionKey
  @usableFromInline var items: SectionItems<ItemID>

  @inlinable init(id: SectionID, key: SectionKey, items: SectionItems<ItemID>) {
    self.id = id
    self.key = key
    self.items = items
  }

  @inlinable static func == (left: SectionRecord, right: SectionRecord) -> Bool {
    left.id == right.id
  }

  @inlinable func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }

  /// The stored hash of a section with this identifier.
  @inlinable static func storedHash(of id: SectionID) -> UInt32 {
    SectionRecord(id: id, key: SectionKey(rawValue: 0), items: .none).storedHash
  }
}

/// The items of a section.
@usableFromInline enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// As they were handed in: nothing copied, nothing hashed.
  case array([ItemID])
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  @inlinable static var none: SectionItems { .tree(OrderTree(shape: .items)) }

  @inlinable var count: Int {
    switch self {
    case .array(let items): items.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; hashes those of an array.
  @inlinable var tree: ItemTree<ItemID> {
    switch self {
    case .array(let items): OrderTree(items, shape: .items)
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  @inlinable var array: [ItemID] {
    switch self {
    case .array(let items): items
    case .tree(let tree): tree.leaves.flatMap { $0.elements }
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  @inlinable subscript(index: Int) -> ItemID {
    switch self {
    case .array(let items): items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that nothing has to be compared.
  @inlinable func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    switch (tree.root, other.root) {
    case (nil, nil): return true
    case (let root?, let other?): return root === other
    default: return false
    }
  }
}

/// The number of items in some neighbouring sections.
@usableFromInline
struct ItemCount<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: TreeSummary {
  @usableFromInline var value = 0

  @inlinable init() {}

  @inlinable init(of records: ContiguousArray<SectionRecord<SectionID, ItemID>>) {
    for record in records { value += record.items.count }
  }

  @inlinable mutating func append(_ next: ItemCount) {
    value += next.value
  }
}
