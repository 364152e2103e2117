/// The changes that a step makes in its last result.
///
/// Paths and gaps refer to that result; a gap is before the row with its index.
struct StepPlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Rows that leave their place, by section, in ascending order.
  var removals: [Int: [Int]] = [:]
  /// Rows to insert, in their order in each section.
  var insertions: [(section: SectionID, rows: [Insertion])] = []
  /// Rows that stay and may show something else.
  var updates: [RowPlace] = []
  /// Rows that stay and are shown from scratch.
  var reloads: [RowPlace] = []
  /// Rows that have other identifiers.
  var renames: [ItemRename<ItemID>] = []
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
  var sectionReloads: [SectionID] = []

  /// A row to insert.
  struct Insertion {
    let row: RowPlace
    let gap: Int
    /// Whether it may show something else than before, if it was there.
    var showsOther = true
  }
}
