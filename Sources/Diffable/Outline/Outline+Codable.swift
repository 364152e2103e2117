extension Outline: Codable where ItemID: Codable {
  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if the data is invalid, a row is more than one level below the
  ///   previous row, or an item appears twice.
  /// - Complexity: O(n) for n items, given a good hash, however deep they are.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    var rows: ContiguousArray<Row> = []
    while !container.isAtEnd {
      let row = try container.decode(Row.self)
      guard row.level <= (rows.last?.level ?? -1) + 1 else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "A row is at most one level below the row before it.")
      }
      rows.append(row)
    }
    do throws(SnapshotError) {
      try insert(rows, at: 0)
    } catch {
      throw DecodingError.refused(error, at: container.codingPath)
    }
  }

  /// Writes one object for each row, hidden ones included:
  /// `{"id", "level", "expanded", "unloaded"}`.
  ///
  /// Level 0 and flags that are not set are left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for row in rows.leaves.joined() { try container.encode(row) }
  }
}

extension OutlineRow: Codable where ItemID: Codable {
  private enum Key: String, CodingKey {
    case id
    case level
    case expanded
    case unloaded
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError` if the data is invalid, or no row can be at the level.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let level = try container.decodeIfPresent(Int32.self, forKey: .level) ?? 0
    guard level >= 0, level < Int32.max else {
      throw DecodingError.dataCorruptedError(
        forKey: .level, in: container, debugDescription: "No row is at level \(level).")
    }
    self.init(
      id: try container.decode(ItemID.self, forKey: .id), level: level,
      isExpanded: try container.decodeIfPresent(Bool.self, forKey: .expanded) ?? false,
      hasUnloadedChildren: try container.decodeIfPresent(Bool.self, forKey: .unloaded) ?? false)
  }

  /// Writes `{"id", "level", "expanded", "unloaded"}`, without level 0 and flags that are not set.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    if level > 0 { try container.encode(level, forKey: .level) }
    if isExpanded { try container.encode(true, forKey: .expanded) }
    if hasUnloadedChildren { try container.encode(true, forKey: .unloaded) }
  }
}
