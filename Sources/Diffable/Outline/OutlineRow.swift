/// A row of an outline: an item, how deep it stands, and its flags.
///
/// Two rows are equal when they are the same item.
struct OutlineRow<ItemID: Hashable & Sendable>: Hashable, Sendable {
  let id: ItemID
  /// 0 for an item without a parent.
  var level: Int32
  var isExpanded: Bool
  var hasUnloadedChildren: Bool
  /// Whether all its ancestors are expanded: follows from the rows before it.
  var isVisible = true

  init(
    id: ItemID, level: Int32, isExpanded: Bool = false, hasUnloadedChildren: Bool = false
  ) {
    self.id = id
    self.level = level
    self.isExpanded = isExpanded
    self.hasUnloadedChildren = hasUnloadedChildren
  }

  static func == (left: OutlineRow, right: OutlineRow) -> Bool { left.id == right.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// That of the item, so that both are filed under the same hash.
  var hashValue: Int { id.hashValue }

  /// Whether somebody wants to see children that are not loaded.
  var isLoading: Bool { isExpanded && hasUnloadedChildren }

  /// Whether everything that a row says of itself is the same.
  func isIdentical(to other: OutlineRow) -> Bool {
    level == other.level && isExpanded == other.isExpanded
      && hasUnloadedChildren == other.hasUnloadedChildren && id == other.id
  }
}

extension Totals {
  /// What some neighbouring rows have in common.
  init<ItemID>(of rows: UnsafeBufferPointer<OutlineRow<ItemID>>) {
    for row in rows {
      lowestLevel = min(lowestLevel, row.level)
      if row.isVisible { items += 1 }
      if row.isLoading { isLoading = true }
    }
  }
}

extension ElementKernel {
  /// The kernel of the rows of some items.
  static func rows<ItemID: Hashable & Sendable>(
    of type: ItemID.Type, _ items: ElementKernel
  ) -> ElementKernel {
    ElementKernel(OutlineRow<ItemID>.self, identifiedBy: items) { Totals(of: $0) }
  }
}

extension TypedTree {
  /// Adds the items of all rows, with their hashes.
  func appendItems<ItemID>(to content: inout LeafContent) where Element == OutlineRow<ItemID> {
    base.root?.forEachLeaf { leaf in
      let span = leaf.span
      withExtendedLifetime(leaf) {
        // An identifier is the first property of its row.
        for index in 0..<span.count {
          content.append(span.address(index), hash: span.hashes[index])
        }
      }
    }
  }
}
