import Diffable

/// The changes of the tree of a section.
struct TreePlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let section: SectionID
  /// Rows that leave the section, or their place among its rows.
  var leaving = IdentifierSet<ItemID>()
  /// Rows that arrive in the section, or at another place among its rows.
  var entering: [RowPlace] = []
  /// Rows that name another parent than before.
  var adopted: [ItemID] = []
}
