import Diffable

extension UpdateDelta {
  /// The format that this version writes and reads.
  public static var format: Int { 1 }
}

extension UpdateDelta: Codable where SectionID: Codable, ItemID: Codable {
  enum Key: String, CodingKey {
    case format
    case id
    case name
    case undo
    case reverses
    case base
    case target
    case presentation
    case difference
    case sections
    case items
    case outlines
    case counts
    case renamedItems
    case placedItems
    case placedSections
    case droppedItems
    case droppedSections
    case proposals
  }

  /// Reads what ``encode(to:)`` writes; unknown fields are ignored.
  ///
  /// - Throws: `DecodingError` if the data is invalid. The underlying error is
  ///   ``DeltaError/unknownFormat(_:)`` if the format is not known.
  /// - Complexity: O(c log c) for c changes, including the items of new sections.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let format = try container.decode(Int.self, forKey: .format)
    guard format == Self.format else {
      let error = DeltaError.unknownFormat(format)
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath + [Key.format], debugDescription: error.description,
          underlyingError: error))
    }
    let base = try container.decodeIfPresent(ResumeToken.self, forKey: .base)
    let proposal = try container.decodeIfPresent(WriteID.self, forKey: .id).map {
      _ProposalFrame(
        id: $0, name: try container.decodeIfPresent(String.self, forKey: .name),
        base: base ?? ResumeToken(""),
        isUndo: try container.decodeIfPresent(Bool.self, forKey: .undo) ?? false,
        reverses: try container.decodeIfPresent(WriteID.self, forKey: .reverses))
    }
    let frame = DeltaFrame(
      proposal: proposal, base: base,
      target: try proposal == nil
        ? container.decode(ResumeToken.self, forKey: .target) : ResumeToken(""),
      presentation: try container.decodeIfPresent(Presentation.self, forKey: .presentation)
        ?? .animated,
      difference: try container.decodeIfPresent(SnapshotDifference.self, forKey: .difference)
        ?? SnapshotDifference(),
      counts: try proposal == nil
        ? container.decode(DeltaFrame.Counts.self, forKey: .counts) : nil,
      accepted: try container.decodeIfPresent([WriteID].self, forKey: .proposals) ?? [])
    self.init(
      frame: frame,
      sections: try container.decodeIfPresent([Section].self, forKey: .sections) ?? [],
      items: try container.decodeIfPresent([ItemID].self, forKey: .items) ?? [],
      outlines: try container.decodeIfPresent([OutlineDelta<ItemID>].self, forKey: .outlines) ?? [],
      renamedItems: try container.decodeIfPresent(
        [ItemRename<ItemID>].self, forKey: .renamedItems) ?? [],
      placed: PlacedRows(
        sections: try container.decodeIfPresent([SectionID].self, forKey: .placedSections) ?? [],
        items: try container.decodeIfPresent([ItemID].self, forKey: .placedItems) ?? []),
      droppedItems: try container.decodeIfPresent([ItemID].self, forKey: .droppedItems) ?? [],
      droppedSections: try container.decodeIfPresent([SectionID].self, forKey: .droppedSections)
        ?? [])
  }

  /// Writes the fields that <doc:DeltaFormat> describes, without empty fields.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(Self.format, forKey: .format)
    if let proposal = frame.proposal {
      try container.encode(proposal.id.description, forKey: .id)
      try container.encodeIfPresent(proposal.name, forKey: .name)
      if proposal.isUndo { try container.encode(true, forKey: .undo) }
      try container.encodeIfPresent(proposal.reverses?.description, forKey: .reverses)
    }
    // An encoder takes texts and numbers at once. Any other type is more work for it, also if it
    // becomes a text or a number.
    if let base { try container.encode(base.description, forKey: .base) }
    if frame.proposal == nil { try container.encode(target.description, forKey: .target) }
    try container.encode(presentation.rawValue, forKey: .presentation)
    if !difference.isEmpty {
      var fields = container.nestedContainer(
        keyedBy: SnapshotDifference.Key.self, forKey: .difference)
      try difference.encode(to: &fields)
    }
    func encode(_ values: [some Encodable], _ key: Key) throws {
      if !values.isEmpty { try container.encode(values, forKey: key) }
    }
    try encode(sections, .sections)
    try encode(items, .items)
    try encode(outlines, .outlines)
    if let counts = frame.counts {
      var numbers = container.nestedContainer(
        keyedBy: DeltaFrame.Counts.CodingKeys.self, forKey: .counts)
      try numbers.encode(counts.sections, forKey: .sections)
      try numbers.encode(counts.items, forKey: .items)
    }
    try encode(renamedItems, .renamedItems)
    try encode(placed.items.inOrder, .placedItems)
    try encode(placed.sections.inOrder, .placedSections)
    try encode(droppedItems, .droppedItems)
    try encode(droppedSections, .droppedSections)
    try encode(frame.accepted.map(\.description), .proposals)
  }
}

extension UpdateDelta.Section: Codable where SectionID: Codable, ItemID: Codable {
  private enum Key: String, CodingKey {
    case id
    case items
    case outline
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(SectionID.self, forKey: .id)
    rows =
      try container.decodeIfPresent(Outline<ItemID>.self, forKey: .outline).map { .outline($0) }
      ?? .list(try container.decodeIfPresent([ItemID].self, forKey: .items) ?? [])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    switch rows {
    case .list(let items): if !items.isEmpty { try container.encode(items, forKey: .items) }
    case .outline(let outline): try container.encode(outline, forKey: .outline)
    }
  }
}

extension KeyedEncodingContainer {
  /// Writes the model of a section; writes nothing if it has none.
  ///
  /// - Throws: `EncodingError` if the model is not `Codable`, and what the encoder throws.
  mutating func encode(
    _ content: SectionContent?, ofSection section: some Hashable, forKey key: Key
  ) throws {
    guard let model = content?.model else { return }
    guard let model = model as? any Encodable else {
      throw EncodingError.invalidValue(
        model,
        .init(
          codingPath: codingPath,
          debugDescription: "The model of the section “\(section)” is not Codable."))
    }
    try encode(model, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Reads a section model of the type that the section identifiers name, if there is one.
  ///
  /// - Throws: `DecodingError` if that type is not `Codable`, and what the decoder throws.
  func decodeContent<SectionID>(
    ofSection type: SectionID.Type, forKey key: Key
  ) throws -> SectionContent {
    guard contains(key) else { return SectionContent() }
    func read<Section: ModelledSection>(_ type: Section.Type) throws -> SectionContent? {
      func read<Value: Decodable>(_ type: Value.Type) throws -> SectionContent {
        SectionContent(try decode(type, forKey: key) as? Section.SectionModel)
      }
      return try (Section.SectionModel.self as? any Decodable.Type).map { try read($0) }
    }
    let content = try (type as? any ModelledSection.Type).flatMap { try read($0) }
    guard let content else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "Sections of this list have no models that are Codable.")
    }
    return content
  }
}
