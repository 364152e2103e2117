extension UpdateBatch: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case base
    case target
    case difference
    case previousSnapshot
    case snapshot
    case presentation
    case droppedItems
    case droppedSections
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// A batch that was read can be cut into stages like any other: its difference is replayed, and
  /// data where that does not lead from the one snapshot to the other is refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      base: try container.decodeIfPresent(Revision.self, forKey: .base),
      target: try container.decode(Revision.self, forKey: .target),
      difference: try container.decodeIfPresent(SnapshotDifference.self, forKey: .difference)
        ?? SnapshotDifference(),
      previousSnapshot: try container.decodeIfPresent(
        Snapshot<SectionID, ItemID>.self, forKey: .previousSnapshot),
      snapshot: try container.decode(Snapshot<SectionID, ItemID>.self, forKey: .snapshot),
      presentation: try container.decode(Presentation.self, forKey: .presentation),
      droppedItems: try container.decodeIfPresent([ItemID].self, forKey: .droppedItems) ?? [],
      droppedSections: try container.decodeIfPresent([SectionID].self, forKey: .droppedSections)
        ?? [])
    guard base != nil else { return }
    func refuse(_ reason: String) -> DecodingError {
      .dataCorruptedError(
        forKey: .difference, in: container,
        debugDescription: "The difference does not lead to the snapshot: \(reason).")
    }
    guard let previousSnapshot else { throw refuse("the snapshot before it is missing") }
    guard difference.fits(from: previousSnapshot, to: snapshot) else {
      throw refuse("it names positions that do not exist")
    }
    guard try previousSnapshot.applying(difference, insertsFrom: snapshot) == snapshot else {
      throw refuse("its replay ends elsewhere")
    }
  }

  /// Writes everything that a renderer elsewhere needs, both snapshots included.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(base, forKey: .base)
    try container.encode(target, forKey: .target)
    if !difference.isEmpty { try container.encode(difference, forKey: .difference) }
    try container.encodeIfPresent(previousSnapshot, forKey: .previousSnapshot)
    try container.encode(snapshot, forKey: .snapshot)
    try container.encode(presentation, forKey: .presentation)
    if !droppedItems.isEmpty { try container.encode(droppedItems, forKey: .droppedItems) }
    if !droppedSections.isEmpty {
      try container.encode(droppedSections, forKey: .droppedSections)
    }
  }
}
