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
  /// The items of a list, or the visible items of an outline.
  @usableFromInline var items: SectionItems<ItemID>
  /// The outline whose visible items these are, where the section holds one.
  @usableFromInline var outline: HeldOutline<ItemID>?

  @inlinable init(
    id: SectionID, key: SectionKey, items: SectionItems<ItemID>,
    outline: HeldOutline<ItemID>? = nil
  ) {
    self.id = id
    self.key = key
    self.items = items
    self.outline = outline
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
    return tree.isIdentical(to: other)
  }
}

/// An outline as a record holds it: one word, and the same object where nothing changed.
@usableFromInline final class HeldOutline<ItemID: Hashable & Sendable>: Sendable {
  @usableFromInline let value: Outline<ItemID>

  @inlinable init(_ value: Outline<ItemID>) {
    self.value = value
  }
}

/// What some neighbouring sections hold together.
@usableFromInline
struct SectionTotals<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: TreeSummary {
  @usableFromInline var items = 0
  @usableFromInline var outlines = 0
  /// The rows of outlines that a collapsed row hides.
  @usableFromInline var hiddenRows = 0

  @inlinable init() {}

  @inlinable init(of records: ContiguousArray<SectionRecord<SectionID, ItemID>>) {
    for record in records {
      items += record.items.count
      if let outline = record.outline {
        outlines += 1
        hiddenRows += outline.value.count - record.items.count
      }
    }
  }

  @inlinable mutating func append(_ next: SectionTotals) {
    items += next.items
    outlines += next.outlines
    hiddenRows += next.hiddenRows
  }
}
