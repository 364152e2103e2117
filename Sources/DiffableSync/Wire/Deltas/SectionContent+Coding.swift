import Diffable

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
