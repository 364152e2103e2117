/// What changes in the tree of a section.
struct TreePlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let section: SectionID
  /// Rows that leave the section, or their place among its rows.
  var leaving = IdentifierSet<ItemID>()
  /// Rows that come to the section, or to another place among its rows.
  var entering: [RowPlace] = []
  /// Rows that name another parent than before.
  var adopted: [ItemID] = []
}
