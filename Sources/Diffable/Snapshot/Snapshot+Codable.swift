extension Snapshot: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case sections
    case id
    case items
    case reload
    case reconfigure
    case reloadSections
    case reconfigureSections
  }

  /// Reads `{"sections": [{"id", "items"}], "reload", "reconfigure", "reloadSections",
  /// "reconfigureSections"}`.
  ///
  /// The marks may be left out. Identifiers that appear twice are found when the snapshot is
  /// applied; marks on unknown identifiers are an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var sections = try container.nestedUnkeyedContainer(forKey: .sections)
    var contents: [(id: SectionID, items: [ItemID])] = []
    while !sections.isAtEnd {
      let section = try sections.nestedContainer(keyedBy: Key.self)
      contents.append(
        (
          id: try section.decode(SectionID.self, forKey: .id),
          items: try section.decode([ItemID].self, forKey: .items)
        ))
    }
    self.init(contents: contents)
    try reloadItems(container.decodeIfPresent([ItemID].self, forKey: .reload) ?? [])
    try reconfigureItems(container.decodeIfPresent([ItemID].self, forKey: .reconfigure) ?? [])
    try reloadSections(
      container.decodeIfPresent([SectionID].self, forKey: .reloadSections) ?? [])
    try reconfigureSections(
      container.decodeIfPresent([SectionID].self, forKey: .reconfigureSections) ?? [])
  }

  /// Writes `{"sections": [{"id", "items"}]}` and, where there are any, the marks.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var sections = container.nestedUnkeyedContainer(forKey: .sections)
    for section in records {
      var nested = sections.nestedContainer(keyedBy: Key.self)
      try nested.encode(section.id, forKey: .id)
      try nested.encode(section.items.array, forKey: .items)
    }
    if !marks.reloadedItems.isEmpty {
      try container.encode(reloadedItemIdentifiers, forKey: .reload)
    }
    if !marks.reconfiguredItems.isEmpty {
      try container.encode(reconfiguredItemIdentifiers, forKey: .reconfigure)
    }
    if !marks.reloadedSections.isEmpty {
      try container.encode(reloadedSectionIdentifiers, forKey: .reloadSections)
    }
    if !marks.reconfiguredSections.isEmpty {
      try container.encode(reconfiguredSectionIdentifiers, forKey: .reconfigureSections)
    }
  }
}
