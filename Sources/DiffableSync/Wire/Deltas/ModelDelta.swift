public import Diffable

/// An ``UpdateDelta`` with the models that a follower does not have.
///
/// These are the models of inserted items, and of items that show something else; in a reset, all
/// models. They include models of items that a collapsed row of an outline hides.
///
/// ```swift
/// for await batch in source.updates() {
///   send(try JSONEncoder().encode(ModelDelta(batch)))
/// }
/// ```
///
/// A ``MirrorSource`` takes deltas at the other end. <doc:DeltaFormat> describes the JSON text.
public struct ModelDelta<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: ListDelta where Model.ID: Sendable {
  /// What changed in the order, and which rows and headers show something else.
  public let update: UpdateDelta<SectionID, Model.ID>
  /// Models that are new or have changed, in no particular order.
  public let models: [Model]
  /// Models of sections that are new or have changed.
  let sections: [SectionModel]
  /// The versions that the writer of a proposal has seen of models which others had changed in its base.
  let seen: Content

  /// Models of items and of sections, in no particular order.
  struct Content: Sendable, Equatable {
    var models: [Model] = []
    var sections: [SectionModel] = []
  }

  struct SectionModel: Sendable, Equatable {
    let id: SectionID
    let content: SectionContent
  }

  /// Makes the delta of a batch.
  ///
  /// - Complexity: O(c · log n) for c changes among n items, including the items of new sections;
  ///   O(n) for a reset.
  public init(_ batch: ModelBatch<SectionID, Model>) {
    update = UpdateDelta(batch.update)
    let new = batch.update.snapshot
    // A reset leads from the empty list to the state.
    let base = update.isReset ? nil : batch.update.previousSnapshot
    let content = Content(new.givenContent(since: base ?? Snapshot(new.kernels)))
    (models, sections, seen) = (content.models, content.sections, Content())
  }

  init(
    update: UpdateDelta<SectionID, Model.ID>, models: [Model], sections: [SectionModel],
    seen: Content = Content()
  ) {
    (self.update, self.models, self.sections) = (update, models, sections)
    self.seen = seen
  }
}

extension ModelDelta.Content {
  init(_ given: GivenContent<SectionID, Model.ID>) {
    // A batch can be made of one of a source of other models.
    if let items = given.items, items.modelKernel.type == Model.self {
      items.forEach { _, _, model in
        models.append(model.assumingMemoryBound(to: Model.self).pointee)
      }
    }
    sections = given.sections.elements.map { .init(id: $0.key, content: $0.value) }
  }
}

extension ModelDelta {
  /// The models of items and of sections.
  public var _content: _DeltaContent<SectionID, Model.ID> {
    let content = Content(models: models, sections: sections)
    return DeltaContent(
      count: content.count, given: { kernels throws(DeltaError) in try content.given(kernels) },
      seenCount: seen.count,
      seen: { [seen] kernels throws(DeltaError) in try seen.given(kernels) })
  }
}

extension ModelDelta.Content {
  var count: Int { models.count + sections.count }

  /// The models in the form that a writer gives them.
  func given(
    _ kernels: SnapshotKernels
  ) throws(DeltaError) -> GivenContent<SectionID, Model.ID> {
    var given = GivenContent<SectionID, Model.ID>()
    var items = IdentifierSet<Model.ID>()
    for model in models {
      guard items.insert(model.id) else {
        throw .misfit(reason: "“\(model.id)” has two models")
      }
      given.set(model, kernels)
    }
    for section in sections {
      guard given.sections[section.id] == nil else {
        throw .misfit(reason: "the section “\(section.id)” has two models")
      }
      given.sections[section.id] = section.content
    }
    return given
  }
}

extension ModelDelta: Codable where SectionID: Codable, Model: Codable, Model.ID: Codable {
  private enum Key: String, CodingKey {
    case models
    case sectionModels
    case seenModels
    case seenSectionModels
  }

  /// Reads what ``encode(to:)`` writes; unknown fields are ignored.
  ///
  /// - Throws: `DecodingError` if the data is invalid.
  /// - Complexity: O(c log c) for c changes, including the items of new sections.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      update: try UpdateDelta(from: decoder),
      models: try container.decodeIfPresent([Model].self, forKey: .models) ?? [],
      sections: try container.decodeIfPresent([SectionModel].self, forKey: .sectionModels) ?? [],
      seen: Content(
        models: try container.decodeIfPresent([Model].self, forKey: .seenModels) ?? [],
        sections: try container.decodeIfPresent([SectionModel].self, forKey: .seenSectionModels)
          ?? []))
  }

  /// Writes the fields of the update, and those with models if there are any.
  ///
  /// - Throws: `EncodingError` if a section has a model that is not `Codable`, and what the encoder
  ///   throws.
  public func encode(to encoder: any Encoder) throws {
    try update.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    if !models.isEmpty { try container.encode(models, forKey: .models) }
    if !sections.isEmpty { try container.encode(sections, forKey: .sectionModels) }
    if !seen.models.isEmpty { try container.encode(seen.models, forKey: .seenModels) }
    if !seen.sections.isEmpty { try container.encode(seen.sections, forKey: .seenSectionModels) }
  }
}

extension ModelDelta.SectionModel: Codable
where SectionID: Codable, Model: Codable, Model.ID: Codable {
  private enum Key: String, CodingKey {
    case id
    case model
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.decode(SectionID.self, forKey: .id)
    content = try container.decodeContent(ofSection: SectionID.self, forKey: .model)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(content, ofSection: id, forKey: .model)
  }
}
