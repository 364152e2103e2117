extension Outline: Codable where ItemID: Codable {
  private enum Key: String, CodingKey {
    case id
    case level
    case expanded
    case unloaded
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if there is something else, a row is more than one level below the
  ///   row before it, or an item appears twice.
  /// - Complexity: O(n) for n items, given a good hash, however deep they are.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    var rows: ContiguousArray<Row> = []
    while !container.isAtEnd {
      let row = try container.nestedContainer(keyedBy: Key.self)
      let level = try row.decodeIfPresent(Int32.self, forKey: .level) ?? 0
      guard level >= 0, level <= (rows.last?.level ?? -1) + 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: .level, in: row,
          debugDescription: "A row is at most one level below the row before it.")
      }
      rows.append(
        Row(
          id: try row.decode(ItemID.self, forKey: .id), level: level,
          isExpanded: try row.decodeIfPresent(Bool.self, forKey: .expanded) ?? false,
          hasUnloadedChildren: try row.decodeIfPresent(Bool.self, forKey: .unloaded) ?? false))
    }
    do throws(SnapshotError) {
      try insert(rows, at: 0)
    } catch {
      throw DecodingError.refused(error, at: container.codingPath)
    }
  }

  /// Writes one object a row, hidden ones too: `{"id", "level", "expanded", "unloaded"}`.
  ///
  /// Level 0 and flags that are not set are left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in rows.leaves.lazy.flatMap({ $0.elements }) {
      var nested = container.nestedContainer(keyedBy: Key.self)
      try nested.encode(row.id, forKey: .id)
      if row.level > 0 { try nested.encode(row.level, forKey: .level) }
      if row.isExpanded { try nested.encode(true, forKey: .expanded) }
      if row.hasUnloadedChildren { try nested.encode(true, forKey: .unloaded) }
    }
  }
}
