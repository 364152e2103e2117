extension SnapshotDifference: Codable {
  package enum Key: String, CodingKey {
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
    case itemRenames
    case outlineChanges
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// Missing kinds of change are empty. Ranges and moves are in ascending order, and positions are
  /// less than 2^53 − 1.
  ///
  /// - Throws: `DecodingError` if the data is invalid, or the changes contradict each other for any
  ///   snapshots: an element that is deleted and moved, for example.
  /// - Complexity: O(c log c) for c changes or ranges of them.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: Key.self)
    func refuse(_ key: Key, _ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: reason)
    }
    func indices(_ key: Key) throws -> RangeSet<Int> {
      var set = RangeSet<Int>()
      for pair in try container.decodeIfPresent([[Int]].self, forKey: key) ?? [] {
        guard pair.count == 2, let range = Range(first: pair[0], end: pair[1]),
          set.ranges.last?.upperBound ?? 0 <= range.lowerBound
        else {
          throw refuse(
            key,
            "\(pair) is not a range of indices, [first, after the last], that is after the range before it."
          )
        }
        set.insert(contentsOf: range)
      }
      return set
    }
    func paths(_ key: Key) throws -> ItemPathSet {
      try container.decodeIfPresent(ItemPathSet.self, forKey: key) ?? []
    }
    sectionDeletes = try indices(.sectionDeletes)
    sectionInserts = try indices(.sectionInserts)
    sectionMoves = try container.decodeIfPresent([Move<Int>].self, forKey: .sectionMoves) ?? []
    for move in sectionMoves {
      guard ItemPath.indices.contains(move.from), ItemPath.indices.contains(move.to) else {
        throw refuse(.sectionMoves, "No section moves from \(move.from) to \(move.to).")
      }
    }
    sectionReloads = try indices(.sectionReloads)
    sectionReconfigures = try indices(.sectionReconfigures)
    itemDeletes = try paths(.itemDeletes)
    itemInserts = try paths(.itemInserts)
    itemMoves = try container.decodeIfPresent([Move<ItemPath>].self, forKey: .itemMoves) ?? []
    itemReloads = try paths(.itemReloads)
    itemReconfigures = try paths(.itemReconfigures)
    itemRenames = try paths(.itemRenames)
    outlineChanges = try indices(.outlineChanges)
    if let contradiction {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath,
          debugDescription: "The difference contradicts itself: \(contradiction)."))
    }
  }

  /// Writes every kind of change that is not empty; index sets are written as ranges.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try encode(to: &container)
  }

  /// Writes the fields into an object, which costs an encoder less than a value of its own.
  package func encode(to container: inout KeyedEncodingContainer<Key>) throws {
    func encode(_ indices: RangeSet<Int>, _ key: Key) throws {
      guard !indices.isEmpty else { return }
      try container.encode(
        indices.ranges.map { [$0.lowerBound, $0.upperBound] }, forKey: key)
    }
    func encode(_ paths: ItemPathSet, _ key: Key) throws {
      guard !paths.isEmpty else { return }
      try container.encode(paths.triples, forKey: key)
    }
    func encode(_ moves: [some Encodable], _ key: Key) throws {
      guard !moves.isEmpty else { return }
      try container.encode(moves, forKey: key)
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
    try encode(itemRenames, .itemRenames)
    try encode(outlineChanges, .outlineChanges)
  }
}
