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
  /// - Throws: `DecodingError` if the data is invalid: an update that ``UpdateBatch`` rejects, an
  ///   item without a model, a model or section model that appears twice or belongs to nothing in
  ///   the snapshot, or a changed model of something that the update does not show again.
  /// - Complexity: O(s + n + c log c) for s sections, n items and c changes, given good hashes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var update = try container.decode(UpdateBatch<SectionID, Model.ID>.self, forKey: .update)
    let kernels = Order.makeKernels(models: ElementKernel(models: Model.self))
    var given = Given()
    let models = try Self.readModels(.models, of: container, for: update.snapshot.resolved)
    for model in models { given.set(model, kernels) }
    given.sections = try Self.readSections(.sections, of: container, for: update.snapshot)
    update.snapshot = try Self.fill(update.snapshot, with: given, kernels, in: container)
    guard let previous = update.previousSnapshot else {
      for key in [Key.previousModels, .previousSections] where container.contains(key) {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "A batch without a base cannot have this field.")
      }
      self.init(update)
      return
    }
    // Most of them are the same.
    let former =
      container.contains(.previousModels)
      ? try Self.readModels(.previousModels, of: container, for: previous.resolved) : []
    for model in former { given.set(model, kernels) }
    let formerSections = try Self.readSections(.previousSections, of: container, for: previous)
    for (section, content) in formerSections.elements { given.sections[section] = content }
    update.previousSnapshot = try Self.fill(previous, with: given, kernels, in: container)
    self.init(update)
    try checkThatChangesShow(former, formerSections.elements.map(\.key), in: container)
  }

  private typealias Order = Snapshot<SectionID, Model.ID>
  private typealias Given = GivenContent<SectionID, Model.ID>

  /// Writes the update, all models after it, and those models before it that differ.
  ///
  /// - Throws: `EncodingError` if a section has a model that is not `Codable`, and what the encoder
  ///   throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(update, forKey: .update)
    let new = update.snapshot
    try container.encode(new.models(Model.self), forKey: .models)
    let sections = new.records.filter { $0.model != nil }
    try write(sections.map { ($0.id, $0.model) }, .sections, to: &container)
    guard let previous = update.previousSnapshot else { return }
    let asked = new.resolved
    let models = previous.models(Model.self).filter {
      asked.model(of: $0.id, as: Model.self) != $0
    }
    if !models.isEmpty { try container.encode(models, forKey: .previousModels) }
    let previousSections = previous.records.filter {
      !new.containsSection($0.id)
        || new.content(ofSection: $0.id) != $0.model
    }
    try write(previousSections.map { ($0.id, $0.model) }, .previousSections, to: &container)
  }

  /// Reads models, each of a different item of a snapshot.
  private static func readModels(
    _ key: Key, of container: KeyedDecodingContainer<Key>, for order: Order
  ) throws -> [Model] {
    let models = try container.decode([Model].self, forKey: key)
    var items: Set<Model.ID> = []
    for model in models {
      guard items.insert(model.id).inserted else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "“\(model.id)” has two models.")
      }
      guard order.containsItem(model.id) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "There is a model for “\(model.id)”, which is in no section.")
      }
    }
    return models
  }

  /// Adds the models of the items of a snapshot.
  private static func fill(
    _ snapshot: Order, with given: Given, _ kernels: SnapshotKernels,
    in container: KeyedDecodingContainer<Key>
  ) throws -> Order {
    let (filled, missing) = snapshot.filled(with: given, kernels)
    if let item = missing.first {
      throw DecodingError.dataCorruptedError(
        forKey: .models, in: container,
        debugDescription: "The item “\(item)” has no model.")
    }
    return filled
  }

  /// Checks that the update reloads or reconfigures everything whose model has changed.
  private func checkThatChangesShow(
    _ former: [Model], _ formerSections: [SectionID], in container: KeyedDecodingContainer<Key>
  ) throws {
    guard let previous = update.previousSnapshot else { return }
    let (order, shown) = (update.snapshot, models)
    for model in former {
      let item = model.id
      guard let new = order.model(of: item, as: Model.self), new != model, shown[item] == nil,
        previous.itemPath(for: item) != nil, order.itemPath(for: item) != nil
      else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: .previousModels, in: container,
        debugDescription: "The model of “\(item)” has changed, but the item is not reconfigured.")
    }
    let shownSections = sectionsShownAnew
    for section in formerSections
    where !shownSections.contains(section) && order.containsSection(section) {
      let (old, new) = (previous.content(ofSection: section), order.content(ofSection: section))
      guard old != new else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: .previousSections, in: container,
        debugDescription:
          "The model of “\(section)” has changed, but the section is not reconfigured.")
    }
  }

  // MARK: Sections

  private func write(
    _ sections: [(id: SectionID, content: SectionContent?)], _ key: Key,
    to container: inout KeyedEncodingContainer<Key>
  ) throws {
    guard !sections.isEmpty else { return }
    var list = container.nestedUnkeyedContainer(forKey: key)
    for section in sections {
      var nested = list.nestedContainer(keyedBy: Key.self)
      try nested.encode(section.id, forKey: .id)
      try nested.encode(section.content, ofSection: section.id, forKey: .model)
    }
  }

  /// Reads the models of sections, each of a different section of a snapshot.
  private static func readSections(
    _ key: Key, of container: KeyedDecodingContainer<Key>, for order: Order
  ) throws -> IdentifierMap<SectionID, SectionContent> {
    var contents = IdentifierMap<SectionID, SectionContent>()
    guard container.contains(key) else { return contents }
    var list = try container.nestedUnkeyedContainer(forKey: key)
    while !list.isAtEnd {
      let nested = try list.nestedContainer(keyedBy: Key.self)
      let section = try nested.decode(SectionID.self, forKey: .id)
      guard contents[section] == nil else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: nested, debugDescription: "The section “\(section)” appears twice.")
      }
      guard order.containsSection(section) else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: nested, debugDescription: "There is no section “\(section)”.")
      }
      contents[section] = try nested.decodeContent(ofSection: SectionID.self, forKey: .model)
    }
    return contents
  }
}
