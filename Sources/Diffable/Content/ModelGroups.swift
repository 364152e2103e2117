/// Models in the sections that they are to stand in.
@usableFromInline
struct ModelGroups<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  @usableFromInline var sections: [SectionID] = []
  @usableFromInline var models: [[Model]] = []
  /// The identifiers of the models.
  @usableFromInline var identifiers: [[Model.ID]] = []

  /// No groups.
  @inlinable init() {}

  /// Groups models in sections in the order of their first appearance.
  @inlinable init(_ models: some Sequence<Model>, section: (Model) -> SectionID) {
    var places = IdentifierMap<SectionID, Int>()
    // Neighbours mostly share their section, and comparing costs less than hashing.
    var last: (section: SectionID, place: Int)?
    for model in models {
      let section = section(model)
      if let last, last.section == section {
        self.models[last.place].append(model)
        identifiers[last.place].append(model.id)
        continue
      }
      let place = places[section] ?? sections.count
      if place == sections.count {
        places[section] = place
        sections.append(section)
        self.models.append([])
        identifiers.append([])
      }
      self.models[place].append(model)
      identifiers[place].append(model.id)
      last = (section, place)
    }
  }

  /// The same groups in given sections.
  ///
  /// A section that is given twice is there twice, with its models at the first place.
  func ordered(by order: [SectionID]) throws(SnapshotError) -> ModelGroups {
    var places = IdentifierMap<SectionID, Int>()
    for (place, section) in sections.enumerated() { places[section] = place }
    var result = ModelGroups()
    for section in order {
      let place = places[section]
      result.sections.append(section)
      result.models.append(place.map { models[$0] } ?? [])
      result.identifiers.append(place.map { identifiers[$0] } ?? [])
      places[section] = nil
    }
    guard places.isEmpty else {
      throw .unknownSection(sections.filter { places[$0] != nil }.map { AnyItemID($0) })
    }
    return result
  }

  /// Puts the models into a content, and answers the order.
  ///
  /// Of models with the same identifier that one counts whose place the policy keeps.
  func fill(
    _ content: inout ModelContent<SectionID, Model>, _ duplicates: DuplicatePolicy,
    _ kernels: SnapshotKernels
  ) -> Snapshot<SectionID, Model.ID> {
    let keepsFirst = duplicates == .keepFirst
    for group in keepsFirst ? models.reversed() : models {
      content.models.set(group, keepingFirst: keepsFirst)
    }
    return Snapshot(kernels, contents: zip(sections, identifiers).lazy.map { ($0, $1) })
  }
}
