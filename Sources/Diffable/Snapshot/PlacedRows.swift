/// The items and sections whose writer has said where they are: those that it moved one by one.
///
/// Two states do not say what a writer did: `[1 2 3] → [1 3 2]` is 3 one up, or 2 one down. An edit knows
/// it, so it records the row that it was asked to move. A row that is placed is one that may move; the
/// order of the states says whether it has.
///
/// Placed rows travel as marks do, but request nothing: a follower that does not get them shows the same
/// list.
package struct PlacedRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  package var sections = IdentifierSet<SectionID>()
  package var items = IdentifierSet<ItemID>()

  package init() {}

  package init(sections: some Sequence<SectionID>, items: some Sequence<ItemID>) {
    (self.sections, self.items) = (IdentifierSet(sections), IdentifierSet(items))
  }

  package var isEmpty: Bool { sections.isEmpty && items.isEmpty }
  package var count: Int { sections.count + items.count }

  package mutating func formUnion(_ later: PlacedRows) {
    for section in later.sections.inOrder { sections.insert(section) }
    for item in later.items.inOrder { items.insert(item) }
  }

  /// Gives placed items their new names.
  mutating func rename(_ renames: some Sequence<ItemRename<ItemID>>) {
    guard !items.isEmpty else { return }
    var moved: [ItemID] = []
    for rename in renames where items.contains(rename.old) {
      items.remove(rename.old)
      moved.append(rename.new)
    }
    for item in moved { items.insert(item) }
  }

  /// Adds the old names of placed items, for a state that may know them by either.
  mutating func alias(_ renames: some Sequence<ItemRename<ItemID>>) {
    guard !items.isEmpty else { return }
    for rename in renames where items.contains(rename.new) { items.insert(rename.old) }
  }

  /// Those that satisfy a condition; mostly all of them.
  package func filter(
    sections isSection: (SectionID) -> Bool, items isItem: (ItemID) -> Bool
  ) -> PlacedRows {
    guard !sections.inOrder.allSatisfy(isSection) || !items.inOrder.allSatisfy(isItem) else {
      return self
    }
    return PlacedRows(
      sections: sections.inOrder.filter(isSection), items: items.inOrder.filter(isItem))
  }
}

extension PlacedRows: Equatable {
  package static func == (left: PlacedRows, right: PlacedRows) -> Bool {
    left.count == right.count && left.sections.inOrder == right.sections.inOrder
      && left.items.inOrder == right.items.inOrder
  }
}

extension Snapshot {
  /// The items that the writer has placed with ``moveItem(_:beforeItem:)`` and its relatives, in the order
  /// of the calls.
  ///
  /// Where two states allow several answers to what has moved, it was one of these.
  public var placedItemIdentifiers: [ItemID] { marks.placed.items.inOrder }

  /// The sections that the writer has placed with ``moveSection(_:beforeSection:)`` or
  /// ``moveSection(_:afterSection:)``, in the order of the calls.
  public var placedSectionIdentifiers: [SectionID] { marks.placed.sections.inOrder }
}
