/// What the state before a stage has become.
struct StageInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  let origin: Origin

  /// What is known of how it came to be.
  enum Origin {
    /// Nothing: the stage is worked out from scratch.
    case unknown
    /// It is the state that stages which have been worked out already rest on.
    case same
    /// It follows the state that the stage rests on.
    case changed(from: Snapshot<SectionID, ItemID>, SnapshotDifference)
  }

  init(_ snapshot: Snapshot<SectionID, ItemID>, _ origin: Origin) {
    self.snapshot = snapshot
    self.origin = origin
  }
}

/// The state of another source that a stage merges with its input.
struct OtherInput<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let snapshot: Snapshot<SectionID, ItemID>
  /// Whether it comes before the input: then what both have is where this one has it.
  let isFirst: Bool
}
