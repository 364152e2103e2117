import Diffable

/// The changes that a step makes in its last result.
///
/// Indices and gaps refer to that result; a gap is before the row with its index.
struct StepPlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Rows that leave their place, by section, in ascending order.
  var removals: [Int: [Int]] = [:]
  /// Rows to insert, in their order in each section.
  var insertions: [Insertions] = []
  /// Holds the models that were made for inserted rows.
  var made: HashedElements?
  /// Rows that stay and may show something else.
  var updates: [RowPlace] = []
  /// Changes of trees.
  var trees: [TreePlan<SectionID, ItemID>] = []
  /// Former relations: rows with a parent that they no longer name.
  var relations: [(child: ItemID, parent: ItemID)] = []
  /// Sections that the input no longer has.
  var sectionDeletes: [SectionID] = []
  /// Sections that were inserted, or moved among others.
  var sectionPlacements: [SectionID] = []
  /// Sections whose headers may show something else.
  var sectionUpdates: [SectionID] = []

  /// Rows to insert in a section, in their order.
  struct Insertions {
    let section: SectionID
    /// The index of the section, unless it is new.
    let index: Int?
    var rows: [RowInsertion] = []
  }
}

/// A row to insert in a section.
struct RowInsertion {
  let row: RowPlace
  let gap: Int
  /// Whether it may show something else than before, if it was there.
  let showsOther: Bool
  /// The address of its model, unless it shows what it showed before.
  var model: UnsafeRawPointer?
}

/// The changes of the tree of a section.
struct TreePlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let section: SectionID
  /// Rows that leave the section, or their place among its rows.
  var leaving = IdentifierSet<ItemID>()
  /// Rows that arrive in the section, or at another place among its rows.
  var entering: [RowPlace] = []
  /// Rows that name another parent than before.
  var reparented: [ItemID] = []
  /// Rows that stay, and whose children may be loaded now, or no longer.
  var flagged: [RowPlace] = []
}
