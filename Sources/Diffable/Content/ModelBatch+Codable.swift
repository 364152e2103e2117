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
  /// - Throws: `DecodingError` if there is something else: an update that ``UpdateBatch`` refuses,
  ///   an item without a model, a model or a section model of what is not there or that comes
  ///   twice, or a changed model of something that the update does not show anew.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes, given good hashes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let update = try container.decode(UpdateBatch<SectionID, Model.ID>.self, forKey: .update)
    var content = ModelContent<SectionID, Model>()
    let order = update.snapshot.resolved
    let models = try container.decode([Model].self, forKey: .models)
    try Self.take(models, .models, of: container, for: order, into: &content)
    try Self.readSections(.sections, of: container, for: order, into: &content)
    var former: (models: [Model], sections: [SectionID]) = ([], [])
    var previousContent = ModelContent<SectionID, Model>()
    if let previous = update.previousSnapshot?.resolved {
      // Most of it is the same, and shared.
      previousContent = content
      former.models =
        try container.decodeIfPresent([Model].self, forKey: .previousModels) ?? []
      try Self.take(
        former.models, .previousModels, of: container, for: previous, into: &previousContent)
      former.sections = try Self.readSections(
        .previousSections, of: container, for: previous, into: &previousContent)
      try Self.fit(&previousContent, to: previous, in: container)
    } else {
      for key in [Key.previousModels, .previousSections] where container.contains(key) {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "A batch without a base has none.")
      }
    }
    try Self.fit(&content, to: order, in: container)
    self.init(update: update, content: content, previousContent: previousContent)
    try checkThatChangesShow(former, in: container)
  }

  /// Writes the update, all models after it, and of those before it what is different.
  ///
  /// - Throws: `EncodingError` where a section has a model that is not `Codable`, and what the
  ///   encoder throws.
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

  /// Takes models over, each of them for another item of a snapshot.
  private static func take(
    _ models: [Model], _ key: Key, of container: KeyedDecodingContainer<Key>,
    for order: Snapshot<SectionID, Model.ID>, into content: inout ModelContent<SectionID, Model>
  ) throws {
    var items: Set<Model.ID> = []
    for model in models {
      guard items.insert(model.id).inserted else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "“\(model.id)” has two models.")
      }
      guard order.containsItem(model.id) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "There is a model of “\(model.id)”, which is in no section.")
      }
      content.set(model)
    }
  }

  /// Makes a content that of exactly what is in a snapshot.
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
    content.dropStrays(of: snapshot)
  }

  /// Checks that the update shows everything anew whose model is another one than before.
  private func checkThatChangesShow(
    _ former: (models: [Model], sections: [SectionID]), in container: KeyedDecodingContainer<Key>
  ) throws {
    guard let previous = update.previousSnapshot?.resolved else { return }
    let (order, shown) = (update.snapshot.resolved, models)
    for model in former.models {
      let item = model.id
      guard let new = content.models[item], new != model, shown[item] == nil,
        previous.itemPath(for: item) != nil, order.itemPath(for: item) != nil
      else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: .previousModels, in: container,
        debugDescription: "“\(item)” has another model than before, and is not shown anew.")
    }
    let shownSections = sectionsShownAnew
    for section in former.sections where !shownSections.contains(section) {
      guard let new = content.sections[section], new != previousContent.sections[section] else {
        continue
      }
      throw DecodingError.dataCorruptedError(
        forKey: .previousSections, in: container,
        debugDescription: "“\(section)” has another model than before, and is not shown anew.")
    }
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

  /// Reads the models of sections, each of them of another one of a snapshot, and answers which.
  @discardableResult
  private static func readSections(
    _ key: Key, of container: KeyedDecodingContainer<Key>,
    for order: Snapshot<SectionID, Model.ID>, into content: inout ModelContent<SectionID, Model>
  ) throws -> [SectionID] {
    guard container.contains(key) else { return [] }
    var sections: [SectionID] = []
    var seen: Set<SectionID> = []
    var list = try container.nestedUnkeyedContainer(forKey: key)
    while !list.isAtEnd {
      let nested = try list.nestedContainer(keyedBy: Key.self)
      let section = try nested.decode(SectionID.self, forKey: .id)
      guard seen.insert(section).inserted else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: nested, debugDescription: "The section “\(section)” comes twice.")
      }
      guard order.containsSection(section) else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: nested, debugDescription: "There is no section “\(section)”.")
      }
      sections.append(section)
      content.set(
        try nested.contains(.model) ? sectionModel(in: nested) : SectionContent(),
        forSection: section)
    }
    return sections
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
