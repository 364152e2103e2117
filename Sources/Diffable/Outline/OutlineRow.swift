/// A row of an outline: an item, how deep it stands, and its flags.
///
/// Two rows are equal when they are the same item.
@usableFromInline struct OutlineRow<ItemID: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline let id: ItemID
  /// 0 for an item without a parent.
  @usableFromInline var level: Int32
  @usableFromInline var isExpanded: Bool
  @usableFromInline var hasUnloadedChildren: Bool
  /// Whether all its ancestors are expanded: follows from the rows before it.
  @usableFromInline var isVisible = true

  @inlinable init(
    id: ItemID, level: Int32, isExpanded: Bool = false, hasUnloadedChildren: Bool = false
  ) {
    self.id = id
    self.level = level
    self.isExpanded = isExpanded
    self.hasUnloadedChildren = hasUnloadedChildren
  }

  @inlinable static func == (left: OutlineRow, right: OutlineRow) -> Bool { left.id == right.id }

  @inlinable func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// That of the item, so that both are filed under the same hash.
  @inlinable var hashValue: Int { id.hashValue }

  /// Whether somebody wants to see children that are not loaded.
  @inlinable var isLoading: Bool { isExpanded && hasUnloadedChildren }

  /// Whether everything that a row says of itself is the same.
  @inlinable func isIdentical(to other: OutlineRow) -> Bool {
    level == other.level && isExpanded == other.isExpanded
      && hasUnloadedChildren == other.hasUnloadedChildren && id == other.id
  }
}

/// What some neighbouring rows have in common.
@usableFromInline struct RowSummary<ItemID: Hashable & Sendable>: TreeSummary {
  /// The lowest level of any row: what ends a subtree, and where a parent is.
  @usableFromInline var lowestLevel = Int32.max
  /// How many rows are visible: where a row is in the list of those.
  @usableFromInline var visibleCount = 0
  /// Whether any row waits for its children.
  @usableFromInline var isLoading = false

  @inlinable init() {}

  @inlinable init(of rows: ContiguousArray<OutlineRow<ItemID>>) {
    for row in rows {
      lowestLevel = min(lowestLevel, row.level)
      if row.isVisible { visibleCount += 1 }
      if row.isLoading { isLoading = true }
    }
  }

  @inlinable mutating func append(_ next: RowSummary) {
    lowestLevel = min(lowestLevel, next.lowestLevel)
    visibleCount += next.visibleCount
    if next.isLoading { isLoading = true }
  }
}
