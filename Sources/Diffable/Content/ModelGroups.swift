/// Models in the sections that they are to stand in.
@usableFromInline
struct ModelGroups<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  @usableFromInline var sections: [SectionID] = []
  @usableFromInline var models: [[Model]] = []

  /// Groups models in sections in the order of their first appearance.
  @inlinable init(_ models: some Sequence<Model>, section: (Model) -> SectionID) {
    var places = IdentifierMap<SectionID, Int>()
    // Neighbours mostly share their section, and comparing costs less than hashing.
    var last: (section: SectionID, place: Int)?
    for model in models {
      let section = section(model)
      if let last, last.section == section {
        self.models[last.place].append(model)
        continue
      }
      let place = places[section] ?? sections.count
      if place == sections.count {
        places[section] = place
        sections.append(section)
        self.models.append([])
      }
      self.models[place].append(model)
      last = (section, place)
    }
  }

  /// Groups models in given sections.
  ///
  /// A section that is given twice is there twice, with its models at the first place.
  @inlinable init(
    _ models: some Sequence<Model>, section: (Model) -> SectionID, order: [SectionID]
  ) throws(SnapshotError) {
    let found = ModelGroups(models, section: section)
    var groups = IdentifierMap<SectionID, [Model]>()
    for (section, models) in zip(found.sections, found.models) { groups[section] = models }
    for section in order {
      sections.append(section)
      self.models.append(groups[section] ?? [])
      groups[section] = nil
    }
    guard groups.isEmpty else {
      throw .unknownSection(found.sections.filter { groups[$0] != nil }.map { AnyItemID($0) })
    }
  }

  /// Puts the models into a content, and answers the order.
  ///
  /// Of models with the same identifier that one counts whose place the policy keeps.
  @inlinable func fill(
    _ content: inout ModelContent<SectionID, Model>, _ duplicates: DuplicatePolicy
  ) -> Snapshot<SectionID, Model.ID> {
    if duplicates == .keepFirst {
      for group in models.reversed() {
        for model in group.reversed() { content.set(model) }
      }
    } else {
      for group in models {
        for model in group { content.set(model) }
      }
    }
    return Snapshot(contents: zip(sections, models).lazy.map { ($0, $1.map(\.id)) })
  }
}
