extension ModelBatch: Codable where SectionID: Codable, Model: Codable, Model.ID: Codable {
  private enum Key: String, CodingKey {
    case update
    case models
    case previousModels
    case sections
    case previousSections
    case id
    case model
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// The update is checked as that of an ``UpdateBatch``. Data that lacks the model of an item is
  /// refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let update = try container.decode(UpdateBatch<SectionID, Model.ID>.self, forKey: .update)
    var content = ModelContent<SectionID, Model>()
    content.set(try container.decode([Model].self, forKey: .models), .keepLast)
    try Self.readSections(.sections, of: container, into: &content)
    var previousContent = ModelContent<SectionID, Model>()
    if let previous = update.previousSnapshot {
      // Most of it is the same, and shared.
      previousContent = content
      let models = try container.decodeIfPresent([Model].self, forKey: .previousModels)
      previousContent.set(models ?? [], .keepLast)
      try Self.readSections(.previousSections, of: container, into: &previousContent)
      try Self.fit(&previousContent, to: previous, in: container)
    }
    try Self.fit(&content, to: update.snapshot, in: container)
    self.init(update: update, content: content, previousContent: previousContent)
  }

  /// Writes the update, all models after it, and of those before it what is different.
  ///
  /// - Throws: `EncodingError` where a section has a model that is not `Codable`, and what the encoder
  ///   throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(update, forKey: .update)
    try container.encode(models(of: update.snapshot, in: content), forKey: .models)
    let sections = update.snapshot.sectionIdentifiers.filter {
      content.sections[$0]?.model != nil
    }
    try write(sections, of: content, .sections, to: &container)
    guard let previous = update.previousSnapshot else { return }
    let models = models(of: previous, in: previousContent).filter {
      content.models[$0.id] != $0
    }
    if !models.isEmpty { try container.encode(models, forKey: .previousModels) }
    let previousSections = previous.sectionIdentifiers.filter {
      content.sections[$0] != previousContent.sections[$0]
    }
    try write(previousSections, of: previousContent, .previousSections, to: &container)
  }

  private func models(
    of snapshot: Snapshot<SectionID, Model.ID>, in content: ModelContent<SectionID, Model>
  ) -> [Model] {
    (0..<snapshot.numberOfSections).flatMap { index in
      snapshot.allItems(inSectionAt: index).compactMap { content.models[$0] }
    }
  }

  /// Makes a content that of exactly what stands in a snapshot.
  private static func fit(
    _ content: inout ModelContent<SectionID, Model>, to snapshot: Snapshot<SectionID, Model.ID>,
    in container: KeyedDecodingContainer<Key>
  ) throws {
    for index in 0..<snapshot.numberOfSections {
      if let section = snapshot.sectionIdentifier(at: index), content.sections[section] == nil {
        content.sections.set(SectionContent(), for: section)
      }
      for item in snapshot.allItems(inSectionAt: index) where content.models[item] == nil {
        throw DecodingError.dataCorruptedError(
          forKey: .models, in: container,
          debugDescription: "The item “\(item)” is there without a model.")
      }
    }
    content.dropStrays(of: snapshot.resolved)
  }

  // MARK: Sections

  private func write(
    _ sections: [SectionID], of content: ModelContent<SectionID, Model>, _ key: Key,
    to container: inout KeyedEncodingContainer<Key>
  ) throws {
    guard !sections.isEmpty else { return }
    var list = container.nestedUnkeyedContainer(forKey: key)
    for section in sections {
      var nested = list.nestedContainer(keyedBy: Key.self)
      try nested.encode(section, forKey: .id)
      guard let model = content.sections[section]?.model else { continue }
      guard let model = model as? any Encodable else {
        throw EncodingError.invalidValue(
          model,
          .init(
            codingPath: nested.codingPath,
            debugDescription: "The model of the section “\(section)” is not Codable."))
      }
      try nested.encode(model, forKey: .model)
    }
  }

  private static func readSections(
    _ key: Key, of container: KeyedDecodingContainer<Key>,
    into content: inout ModelContent<SectionID, Model>
  ) throws {
    guard container.contains(key) else { return }
    var list = try container.nestedUnkeyedContainer(forKey: key)
    while !list.isAtEnd {
      let nested = try list.nestedContainer(keyedBy: Key.self)
      let section = try nested.decode(SectionID.self, forKey: .id)
      content.set(
        try nested.contains(.model) ? sectionModel(in: nested) : SectionContent(),
        forSection: section)
    }
  }

  /// Reads a model of the type that the identifiers of sections name.
  private static func sectionModel(
    in container: KeyedDecodingContainer<Key>
  ) throws -> SectionContent {
    func read<Section: ModelledSection>(_ type: Section.Type) throws -> SectionContent? {
      func read<Value: Decodable>(_ type: Value.Type) throws -> SectionContent {
        SectionContent(try container.decode(type, forKey: .model) as? Section.SectionModel)
      }
      return try (Section.SectionModel.self as? any Decodable.Type).map { try read($0) }
    }
    let content = try (SectionID.self as? any ModelledSection.Type).flatMap { try read($0) }
    guard let content else {
      throw DecodingError.dataCorruptedError(
        forKey: .model, in: container,
        debugDescription: "Sections of this list have no models that are Codable.")
    }
    return content
  }
}
