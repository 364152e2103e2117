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

extension SnapshotDifference {
  /// A contradiction in the difference, for any snapshots; `nil` if there is none.
  ///
  /// - Complexity: O(c log c) for c changes or ranges of them.
  package var contradiction: String? {
    sectionContradiction ?? itemContradiction ?? distance
  }

  private var sectionContradiction: String? {
    func isOnce(_ set: RangeSet<Int>, _ moved: [Int]) -> Bool {
      SlotList(set.ranges + moved.map { $0..<$0 + 1 }).count == set.elementCount + moved.count
    }
    guard sectionMoves.areAscending(by: \.to) else { return "sectionMoves are not ordered by “to”" }
    guard isOnce(sectionDeletes, sectionMoves.map(\.from)) else {
      return "an old section is in sectionDeletes and sectionMoves, or in one of them twice"
    }
    guard isOnce(sectionInserts, sectionMoves.map(\.to)) else {
      return "a new section is in sectionInserts and sectionMoves, or in one of them twice"
    }
    guard sectionReloads.isDisjoint(sectionDeletes) else {
      return "a section is in sectionReloads and in sectionDeletes"
    }
    guard sectionReconfigures.isDisjoint(sectionInserts) else {
      return "a section is in sectionReconfigures and in sectionInserts"
    }
    guard outlineChanges.isDisjoint(sectionInserts) else {
      return "a section is in outlineChanges and in sectionInserts"
    }
    return nil
  }

  private var itemContradiction: String? {
    func isOnce(_ set: ItemPathSet, _ moved: [ItemPath]) -> Bool {
      let paths = ItemPathSet(moved)
      return paths.count == moved.count && paths.isDisjoint(with: set)
    }
    guard itemMoves.areAscending(by: \.to) else { return "itemMoves are not ordered by “to”" }
    guard isOnce(itemDeletes, itemMoves.map(\.from)) else {
      return "an old item is in itemDeletes and itemMoves, or in one of them twice"
    }
    guard isOnce(itemInserts, itemMoves.map(\.to)) else {
      return "a new item is in itemInserts and itemMoves, or in one of them twice"
    }
    guard itemReloads.isDisjoint(with: itemDeletes) else {
      return "an item is in itemReloads and in itemDeletes"
    }
    guard itemReconfigures.isDisjoint(with: itemInserts) else {
      return "an item is in itemReconfigures and in itemInserts"
    }
    guard itemRenames.isDisjoint(with: itemInserts) else {
      return "an item is in itemRenames and in itemInserts"
    }
    let leaving = [itemDeletes, itemReloads].flatMap { $0.ranges.map(\.section) }
    if (leaving + itemMoves.map(\.from.section)).contains(where: sectionDeletes.contains) {
      return "something becomes of an item by itself although its section is in sectionDeletes"
    }
    let entering = [itemInserts, itemReconfigures, itemRenames].flatMap { $0.ranges.map(\.section) }
    if (entering + itemMoves.map(\.to.section)).contains(where: sectionInserts.contains) {
      return "something becomes of an item by itself although its section is in sectionInserts"
    }
    guard isEveryRenameShown else {
      return "an item is in itemRenames, but neither in itemReconfigures nor reloaded"
    }
    return nil
  }

  /// Whether every renamed item is updated in place, or reloaded by itself or with its section.
  private var isEveryRenameShown: Bool {
    guard !itemRenames.isEmpty else { return true }
    let positions = PositionMap(self)
    let reloads = positions.newPaths(forOld: itemReloads)
    let sections = positions.newSections(forOld: sectionReloads)
    let alone = itemRenames.ranges.filter { !sections.contains($0.section) }
    return ItemPathSet(sorting: alone)
      .subtracting(itemReconfigures).subtracting(reloads).isEmpty
  }

  /// A description of a refreshed position that is impossible on one side; `nil` if there is none.
  private var distance: String? {
    inverse.inverse == self
      ? nil : "something stays that is, before or after, behind the last position that there can be"
  }
}

extension Array {
  /// Whether each element has a greater key than the previous one.
  fileprivate func areAscending(by key: (Element) -> some Comparable) -> Bool {
    zip(self, dropFirst()).allSatisfy { key($0) < key($1) }
  }
}
