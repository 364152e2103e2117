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
  /// A batch that was read can be cut into stages like any other.
  ///
  /// - Throws: `DecodingError` if there is something else: an identifier that appears twice in a
  ///   snapshot, a reset with a difference or a snapshot before it, a target that is older than the
  ///   base, or a difference whose replay does not lead from the one snapshot to the other.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes, given good hashes.
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
    try checkSnapshots(in: container)
    try checkDifference(in: container)
  }

  private func checkSnapshots(in container: KeyedDecodingContainer<Key>) throws {
    for (key, snapshot) in [(Key.snapshot, snapshot), (.previousSnapshot, previousSnapshot)] {
      do throws(SnapshotError) {
        try snapshot?.validate()
      } catch {
        throw DecodingError.refused(error, at: container.codingPath + [key])
      }
    }
  }

  private func checkDifference(in container: KeyedDecodingContainer<Key>) throws {
    func refuse(_ key: Key, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    guard let base else {
      guard previousSnapshot == nil else {
        throw refuse(.previousSnapshot, "A batch without a base has no snapshot before it.")
      }
      guard difference.isEmpty else {
        throw refuse(.difference, "A batch without a base has no difference.")
      }
      return
    }
    guard base <= target else {
      throw refuse(.target, "\(target) is older than the base, \(base).")
    }
    guard let previousSnapshot else {
      throw refuse(.previousSnapshot, "A batch with a base has a snapshot before it.")
    }
    func check(_ fault: String?) throws {
      guard let fault else { return }
      throw refuse(.difference, "The difference does not lead to the snapshot: \(fault).")
    }
    try check(difference.misplacedPosition(from: previousSnapshot, to: snapshot))
    do {
      let replayed = try previousSnapshot.applying(difference, insertsFrom: snapshot)
      try check(replayed == snapshot ? nil : "its replay ends elsewhere")
    } catch let error as SnapshotError {
      throw refuse(.difference, error.description)
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
