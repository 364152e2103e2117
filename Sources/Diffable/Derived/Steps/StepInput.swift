/// What the state before a step has become.
struct StepInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  let origin: Origin
  /// What of its trees is expanded.
  var expansion: ExpansionFlags<ItemID>

  /// What is known of how it came to be.
  enum Origin {
    /// Nothing: the step is worked out from scratch.
    case unknown
    /// It is the state that steps which have been worked out already rest on.
    case same
    /// It follows the state that the step rests on.
    case changed(from: Snapshot<SectionID, ItemID>, SnapshotDifference)
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
  /// Whether it comes before the input: then what both have is where this one has it.
  let isFirst: Bool
}
