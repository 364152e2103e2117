import Diffable

/// What pending edits have made of a confirmed state.
extension Snapshot {
  /// Whether another state has the same order and the same models.
  ///
  /// - Complexity: O(d · log n) for d leaves that they do not share.
  func isSameState(as other: Snapshot) -> Bool {
    order.isIdentical(to: other.order)
      || difference(fromState: other, marks: Marks()).isEmpty && givenContent(since: other).isEmpty
  }

  /// The items that another state does not have, or has in another place or with another model.
  ///
  /// What only a folded row hides there is in its place.
  ///
  /// - Complexity: O(c · log n) for c such items of n and those that were unfolded, if the states share their
  ///   storage.
  func items(
    changedSince other: Snapshot, placing placed: PlacedRows<SectionID, ItemID>
  ) -> IdentifierSet<ItemID> {
    var marks = Marks()
    marks.placed.formUnion(placed)
    let difference = difference(fromState: other, marks: marks, moving: .placed)
    var items = items(insertedBy: difference)
    if !difference.outlineChanges.isEmpty {
      let unfolded = items.inOrder.filter {
        !placed.items.contains($0) && unfolds($0, since: other)
      }
      let given = unfolded.isEmpty ? .init() : givenContent(since: other)
      for item in unfolded where !given.hasModel(of: item) { items.remove(item) }
    }
    for move in difference.itemMoves { itemIdentifier(for: move.to).map { _ = items.insert($0) } }
    for path in difference.itemReconfigures {
      itemIdentifier(for: path).map { _ = items.insert($0) }
    }
    return items
  }

  /// Whether another state has an item below the same parent, where a folded row hides it.
  private func unfolds(_ item: ItemID, since other: Snapshot) -> Bool {
    guard other.itemPath(for: item) == nil,
      let section = other.sectionIdentifier(containingItem: item),
      section == sectionIdentifier(containingItem: item),
      let former = other.outline(ofSection: section), let outline = outline(ofSection: section)
    else { return false }
    return former.parent(of: item) == outline.parent(of: item)
  }

  /// The items that come with a difference which leads here, alone or with their sections.
  func items(insertedBy difference: SnapshotDifference) -> IdentifierSet<ItemID> {
    var items = IdentifierSet<ItemID>()
    for path in difference.itemInserts { itemIdentifier(for: path).map { _ = items.insert($0) } }
    for section in difference.sectionInserts.ranges.joined() {
      for item in self.items(inSectionAt: section) { items.insert(item) }
    }
    return items
  }
}
