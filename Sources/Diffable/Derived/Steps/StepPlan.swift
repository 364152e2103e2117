/// What a step changes in the state that it made last.
///
/// Paths and gaps are in that state; a gap is before the row with its index.
struct StepPlan<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Rows that leave their place, by section, in ascending order.
  var removals: [Int: [Int]] = [:]
  /// Rows that come, in their order in each section.
  var insertions: [(section: SectionID, rows: [Insertion])] = []
  /// Rows that stay and may show something else.
  var updates: [RowPlace] = []
  /// Rows that stay and are shown from scratch.
  var reloads: [RowPlace] = []
  /// Rows that have other identifiers.
  var renames: [ItemRename<ItemID>] = []
  /// Changes of trees.
  var trees: [TreePlan<SectionID, ItemID>] = []
  /// Rows with a parent that they named before and name no longer.
  var relations: [(child: ItemID, parent: ItemID)] = []
  /// Sections that the input has no longer.
  var sectionDeletes: [SectionID] = []
  /// Sections that have come, or have moved among others.
  var sectionPlacements: [SectionID] = []
  /// Sections whose headers may show something else.
  var sectionUpdates: [SectionID] = []
  var sectionReloads: [SectionID] = []

  /// A row that comes.
  struct Insertion {
    let row: RowPlace
    let gap: Int
    /// Whether it may show something else than before, if it was there.
    var showsOther = true
  }
}
