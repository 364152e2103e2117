import Diffable

/// The state before a step.
struct StepInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  let origin: Origin
  /// The expanded rows of its trees.
  var expansion: ExpansionFlags<ItemID>
  /// The same, among the rows that a search has found.
  var findings = ExpansionFlags<ItemID>()
  /// The ranks of its rows, if a step wants them.
  var ranks: RowRanks<ItemID>?

  /// How it relates to the previous input.
  enum Origin {
    /// Unknown: the step is computed from scratch.
    case unknown
    /// It is the state that the computed steps are already based on.
    case same
    /// It follows the state that the step is based on.
    indirect case changed(from: Snapshot<SectionID, ItemID>, SnapshotDifference)
  }

  init(
    _ snapshot: Snapshot<SectionID, ItemID>, _ origin: Origin,
    _ expansion: ExpansionFlags<ItemID> = ExpansionFlags()
  ) {
    self.snapshot = snapshot
    self.origin = origin
    self.expansion = expansion
  }
}

/// The state of another source that a step merges with its input.
struct OtherInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  /// Whether it is before the input: then common elements are placed where this one has them.
  let isFirst: Bool
}
