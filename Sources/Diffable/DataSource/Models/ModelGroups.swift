/// Models grouped by section, in code that knows the type of the models.
///
/// If models of one section are adjacent, they stay in the array that was passed.
@usableFromInline
package struct ModelGroups<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  /// The models of a section, with their identifiers.
  @usableFromInline struct Group {
    @usableFromInline let models: ArraySlice<Model>
    @usableFromInline let identifiers: [Model.ID]

    @inlinable init(_ models: ArraySlice<Model>) {
      self.models = models
      identifiers = models.map { $0.id }
    }
  }

  @usableFromInline let sections: [SectionID]
  /// By section.
  @usableFromInline let groups: [Group]

  /// Groups models in sections in the order of their first appearance.
  @inlinable package init(
    _ models: some Sequence<Model> & SendableMetatype, section: (Model) -> SectionID
  ) {
    let models = Array(models)
    var runs: [(section: SectionID, range: Range<Int>)] = []
    for index in models.indices {
      let section = section(models[index])
      // Adjacent models mostly share their section, and comparing costs less than hashing.
      if let last = runs.indices.last, runs[last].section == section {
        runs[last].range = runs[last].range.lowerBound..<index + 1
      } else {
        runs.append((section, index..<index + 1))
      }
    }
    // Nothing is hashed for a list with one section.
    guard runs.count > 1 else {
      (sections, groups) = (runs.map { $0.section }, runs.map { Group(models[$0.range]) })
      return
    }
    var sections = IdentifierMap<SectionID, [Range<Int>]>()
    for (section, range) in runs { sections.change(section, default: []) { $0.append(range) } }
    self.sections = sections.elements.map { $0.key }
    groups = sections.elements.map { _, runs in
      Group(runs.count == 1 ? models[runs[0]] : ArraySlice(runs.flatMap { models[$0] }))
    }
  }

  /// The groups of some sections, in their order.
  ///
  /// A section that is given twice appears twice, with its models at the place that the policy keeps.
  private func groups(
    of order: [SectionID], _ duplicates: DuplicatePolicy
  ) throws(SnapshotError) -> [Group] {
    guard order != sections else { return groups }
    var places = IdentifierMap<SectionID, Int>()
    for (place, section) in sections.enumerated() { places[section] = place }
    var ordered: [Group] = []
    for section in duplicates == .keepLast ? order.reversed() : order {
      ordered.append(places[section].map { groups[$0] } ?? Group([]))
      places[section] = nil
    }
    guard places.isEmpty else {
      throw .unknownSection(sections.filter { places[$0] != nil }.map { AnyItemID($0) })
    }
    return duplicates == .keepLast ? ordered.reversed() : ordered
  }

  /// The input of an apply: the order with the models, and the models of sections.
  ///
  /// - Parameters:
  ///   - order: All sections, in their order; by default the order of their first appearance.
  ///   - contents: The models of sections.
  package func input(
    order: [SectionID]?, _ contents: [(section: SectionID, content: SectionContent)] = [],
    _ duplicates: DuplicatePolicy, _ kernels: SnapshotKernels
  ) throws(SnapshotError) -> QueuedWrite<SectionID, Model.ID>.Input {
    let groups = if let order { try groups(of: order, duplicates) } else { groups }
    var given = GivenContent<SectionID, Model.ID>()
    for (section, content) in duplicates == .keepFirst ? contents.reversed() : contents {
      given.sections[section] = content
    }
    let snapshot = Snapshot<SectionID, Model.ID>(kernels, sections: order ?? sections) { number in
      .array(
        groups[number].identifiers, kernels.items,
        models: kernels.models.map { RowModels(groups[number].models, $0) })
    }
    return .init(snapshot, given)
  }
}
