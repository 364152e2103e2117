extension UpdateBatch: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case base
    case target
    case difference
    case previousSnapshot
    case snapshot
    case presentation
    case renamedItems
    case droppedItems
    case droppedSections
    case unconfirmedItems
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// A decoded batch can be cut into stages like any other.
  ///
  /// - Throws: `DecodingError` if the data is invalid: an identifier that appears twice in a
  ///   snapshot, a reset with a difference or a previous snapshot, a target older than the base, or
  ///   a difference whose replay does not lead from one snapshot to the other.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes, given good hashes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let target = try Self.state(
      container.decode(ResumeToken.self, forKey: .target), .target, of: container)
    let base = try container.decodeIfPresent(ResumeToken.self, forKey: .base).map {
      try Self.state($0, .base, of: container, in: target.epoch)
    }
    self.init(
      epoch: target.epoch, base: base?.place.revision, target: target.place.revision,
      difference: try container.decodeIfPresent(SnapshotDifference.self, forKey: .difference)
        ?? SnapshotDifference(),
      previousSnapshot: try container.decodeIfPresent(
        Snapshot<SectionID, ItemID>.self, forKey: .previousSnapshot),
      snapshot: try container.decode(Snapshot<SectionID, ItemID>.self, forKey: .snapshot),
      presentation: try container.decode(Presentation.self, forKey: .presentation),
      renamedItems: try container.decodeIfPresent(
        [ItemRename<ItemID>].self, forKey: .renamedItems) ?? [],
      droppedItems: try container.decodeIfPresent([ItemID].self, forKey: .droppedItems) ?? [],
      droppedSections: try container.decodeIfPresent([SectionID].self, forKey: .droppedSections)
        ?? [],
      unconfirmedItems: Set(
        try container.decodeIfPresent([ItemID].self, forKey: .unconfirmedItems) ?? []))
    setDigests(base: base?.place.digest ?? .none, target: target.place.digest)
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

  /// Writes everything that a renderer in another process needs, both snapshots included.
  ///
  /// Base and target are written as the tokens ``baseToken`` and ``token``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(baseToken, forKey: .base)
    try container.encode(token, forKey: .target)
    if !difference.isEmpty { try container.encode(difference, forKey: .difference) }
    try container.encodeIfPresent(previousSnapshot, forKey: .previousSnapshot)
    try container.encode(snapshot, forKey: .snapshot)
    try container.encode(presentation, forKey: .presentation)
    if !renamedItems.isEmpty { try container.encode(renamedItems, forKey: .renamedItems) }
    if !droppedItems.isEmpty { try container.encode(droppedItems, forKey: .droppedItems) }
    if !droppedSections.isEmpty {
      try container.encode(droppedSections, forKey: .droppedSections)
    }
    if !unconfirmedItems.isEmpty {
      try container.encode(Array(unconfirmedItems), forKey: .unconfirmedItems)
    }
  }

  /// The state that a token names; if an epoch is given, the token must be of that epoch.
  private static func state(
    _ token: ResumeToken, _ key: Key, of container: KeyedDecodingContainer<Key>,
    in epoch: Epoch? = nil
  ) throws -> (epoch: Epoch, place: HistoryPlace) {
    guard let state = token.parts, epoch ?? state.epoch == state.epoch else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription: epoch == nil
          ? "The text is not that of a token." : "The batch starts in another life of its source.")
    }
    return state
  }
}
