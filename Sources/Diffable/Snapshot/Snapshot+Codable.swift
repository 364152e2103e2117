extension Snapshot: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case sections
    case id
    case items
    case outline
    case reload
    case reconfigure
    case reloadSections
    case reconfigureSections
    case renamed
    case placed
    case placedSections
  }

  /// Reads sections with their items, marks and renames.
  ///
  /// The format is `{"sections": [{"id", "items"}], "reload", "reconfigure", "reloadSections",
  /// "reconfigureSections", "renamed": [{"old", "new"}], "placed", "placedSections"}`.
  ///
  /// A section may have an `"outline"`; its `"items"` are not read then. The marks are optional.
  /// Duplicate identifiers are found when the snapshot is applied, or by ``validate()``.
  ///
  /// - Throws: `DecodingError` if the format is different, if an item is renamed twice or two items to the
  ///   same identifier, or if a mark is on an identifier that is not there. In the last case the
  ///   ``SnapshotError`` is its underlying error.
  /// - Complexity: O(s + n + m) for s sections, n items and m marks, given good hashes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var sections = try container.nestedUnkeyedContainer(forKey: .sections)
    var decoded: [(id: SectionID, rows: Rows)] = []
    while !sections.isAtEnd {
      let section = try sections.nestedContainer(keyedBy: Key.self)
      let id = try section.decode(SectionID.self, forKey: .id)
      if let outline = try section.decodeIfPresent(Outline<ItemID>.self, forKey: .outline) {
        decoded.append((id, .outline(outline)))
      } else {
        decoded.append((id, .list(try section.decode([ItemID].self, forKey: .items))))
      }
    }
    self.init(Self.makeKernels(), sections: decoded)
    func marked<ID: Decodable>(_ key: Key) throws -> [ID] {
      try container.decodeIfPresent([ID].self, forKey: key) ?? []
    }
    let reloadedItems: [ItemID] = try marked(.reload)
    let reconfiguredItems: [ItemID] = try marked(.reconfigure)
    let reloadedSections: [SectionID] = try marked(.reloadSections)
    let reconfiguredSections: [SectionID] = try marked(.reconfigureSections)
    let renamed: [ItemRename<ItemID>] = try marked(.renamed)
    guard IdentifierSet(renamed.map(\.old)).count == renamed.count,
      IdentifierSet(renamed.map(\.new)).count == renamed.count
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .renamed, in: container,
        debugDescription: "An item has two new identifiers, or two items have the same one.")
    }
    let placed = Placed(sections: try marked(.placedSections), items: try marked(.placed))
    do throws(SnapshotError) {
      // Marks are on the names after the renames, one of which may be a name before them.
      marks.rename(renamed)
      try reloadItems(reloadedItems)
      try reconfigureItems(reconfiguredItems)
      try reloadSections(reloadedSections)
      try reconfigureSections(reconfiguredSections)
      _ = try known(renamed.map(\.new) + placed.items.inOrder)
      _ = try known(sections: placed.sections.inOrder)
      marks.placed.formUnion(placed)
    } catch {
      throw DecodingError.refused(error, at: container.codingPath)
    }
  }

  /// Writes `{"sections": [{"id", "items"}]}` and, if there are any, outlines and marks.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var sections = container.nestedUnkeyedContainer(forKey: .sections)
    for section in records {
      var nested = sections.nestedContainer(keyedBy: Key.self)
      try nested.encode(section.id, forKey: .id)
      try nested.encode(section.items.array, forKey: .items)
      try nested.encodeIfPresent(section.outline?.value, forKey: .outline)
    }
    func encode(_ marked: [some Encodable], _ key: Key) throws {
      if !marked.isEmpty { try container.encode(marked, forKey: key) }
    }
    try encode(reloadedItemIdentifiers, .reload)
    try encode(reconfiguredItemIdentifiers, .reconfigure)
    try encode(reloadedSectionIdentifiers, .reloadSections)
    try encode(reconfiguredSectionIdentifiers, .reconfigureSections)
    try encode(renamedItems, .renamed)
    try encode(placedItemIdentifiers, .placed)
    try encode(placedSectionIdentifiers, .placedSections)
  }
}
