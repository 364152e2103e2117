extension SnapshotDifference: Codable {
  private enum Key: String, CodingKey {
    case sectionDeletes
    case sectionInserts
    case sectionMoves
    case sectionReloads
    case sectionReconfigures
    case itemDeletes
    case itemInserts
    case itemMoves
    case itemReloads
    case itemReconfigures
    case outlineChanges
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// Kinds of change that are left out are empty.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Key.self)
    func indices(_ key: Key) throws -> RangeSet<Int> {
      var set = RangeSet<Int>()
      for pair in try container.decodeIfPresent([[Int]].self, forKey: key) ?? [] {
        guard pair.count == 2, pair[0] >= 0, pair[0] < pair[1] else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription: "A range of indices is [first, behind the last].")
        }
        set.insert(contentsOf: pair[0]..<pair[1])
      }
      return set
    }
    func paths(_ key: Key) throws -> ItemPathSet {
      try container.decodeIfPresent(ItemPathSet.self, forKey: key) ?? []
    }
    sectionDeletes = try indices(.sectionDeletes)
    sectionInserts = try indices(.sectionInserts)
    sectionMoves = try container.decodeIfPresent([Move<Int>].self, forKey: .sectionMoves) ?? []
    sectionReloads = try indices(.sectionReloads)
    sectionReconfigures = try indices(.sectionReconfigures)
    itemDeletes = try paths(.itemDeletes)
    itemInserts = try paths(.itemInserts)
    itemMoves = try container.decodeIfPresent([Move<ItemPath>].self, forKey: .itemMoves) ?? []
    itemReloads = try paths(.itemReloads)
    itemReconfigures = try paths(.itemReconfigures)
    outlineChanges = try indices(.outlineChanges)
  }

  /// Writes every kind of change that there is, index sets as ranges.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func encode(_ indices: RangeSet<Int>, _ key: Key) throws {
      guard !indices.isEmpty else { return }
      try container.encode(
        indices.ranges.map { [$0.lowerBound, $0.upperBound] }, forKey: key)
    }
    func encode(_ elements: some Collection & Encodable, _ key: Key) throws {
      guard !elements.isEmpty else { return }
      try container.encode(elements, forKey: key)
    }
    try encode(sectionDeletes, .sectionDeletes)
    try encode(sectionInserts, .sectionInserts)
    try encode(sectionMoves, .sectionMoves)
    try encode(sectionReloads, .sectionReloads)
    try encode(sectionReconfigures, .sectionReconfigures)
    try encode(itemDeletes, .itemDeletes)
    try encode(itemInserts, .itemInserts)
    try encode(itemMoves, .itemMoves)
    try encode(itemReloads, .itemReloads)
    try encode(itemReconfigures, .itemReconfigures)
    try encode(outlineChanges, .outlineChanges)
  }
}
