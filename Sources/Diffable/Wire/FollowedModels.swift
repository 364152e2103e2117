/// A list of models of another process, as the deltas that have arrived from there leave it.
///
/// It is a ``FollowedList`` with a model for each item.
///
/// Invariant: `content` has a model for each item of the list, hidden ones included, and for no
/// other; and an entry for each section.
public struct FollowedModels<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  var list: FollowedList<SectionID, Model.ID>
  var content: ModelContent<SectionID, Model>

  /// The order.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, Model.ID> { list.snapshot }

  /// The name of the state that is held, to resume after it; `nil` before the first delta.
  public var token: ResumeToken? { list.token }

  /// Creates an empty list that waits for its first delta.
  ///
  /// - Parameter limits: How large a delta and the list may be.
  @inlinable public init(limits: DeltaLimits = DeltaLimits()) {
    self.init(list: FollowedList(limits: limits), content: ContentKernel(Model.self))
  }

  @usableFromInline init(
    list: FollowedList<SectionID, Model.ID>, content: ContentKernel<Model.ID, Model>
  ) {
    self.list = list
    self.content = ModelContent(content)
  }

  /// The model of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model(for item: Model.ID) -> Model? { content.models[item] }

  /// Goes on to the state that a delta leads to.
  ///
  /// - Returns: The same change as a batch, for renderers in this process.
  /// - Throws: ``DeltaError`` as ``FollowedList/apply(_:)``, and if an item would be without a model,
  ///   a model is for something that is not there, or the delta does not show anew what has another
  ///   model. Nothing has changed then.
  /// - Complexity: that of ``FollowedList/apply(_:)``.
  @discardableResult
  public mutating func apply(
    _ delta: ModelDelta<SectionID, Model>
  ) throws(DeltaError) -> ModelBatch<SectionID, Model> {
    try list.limits.check(elements: delta.elementCount)
    let plan = try list.plan(delta.update)
    let new = try content(after: plan, delta)
    let update = try list.commit(plan, delta.update)
    let previous = delta.isReset ? ModelContent() : content
    content = new
    return ModelBatch(update: update, content: new, previousContent: previous)
  }
}

extension FollowedModels where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    content.sections[section]?.model as? SectionID.SectionModel
  }
}

extension FollowedModels {
  private typealias Plan = DeltaPlan<SectionID, Model.ID>

  /// The models after a delta.
  private func content(
    after plan: FollowedList<SectionID, Model.ID>.Plan, _ delta: ModelDelta<SectionID, Model>
  ) throws(DeltaError) -> ModelContent<SectionID, Model> {
    var new: ModelContent<SectionID, Model>
    switch plan {
    case .reset(let order):
      new = ModelContent()
      new.models.kernel = content.models.kernel
      for section in order.sectionIdentifiers { new.sections.set(SectionContent(), for: section) }
      try take(delta, into: &new, isThere: order.containsItem, order.containsSection)
      let items = delta.update.sections.flatMap(\.content.items)
      try checkModels(of: items, in: new)
    case .change(let plan):
      new = content
      for item in plan.removed { new.models.remove(item) }
      let comes = IdentifierSet(plan.delta.sections.map(\.id))
      for index in plan.delta.difference.sectionDeletes.ranges.joined() {
        if let section = plan.old.sectionIdentifier(at: index) { new.sections.remove(section) }
      }
      for section in comes.inOrder { new.sections.set(SectionContent(), for: section) }
      let base = new
      try take(
        delta, into: &new, isThere: { plan.arrivals.contains($0) || base.models[$0] != nil },
        { base.sections[$0] != nil })
      try checkModels(of: plan.arrivals.inOrder, in: new)
      try checkThatChangesShow(delta, plan, base)
    }
    return new
  }

  /// Takes models over, each of them for another item or section that is there.
  private func take(
    _ delta: ModelDelta<SectionID, Model>, into content: inout ModelContent<SectionID, Model>,
    isThere: (Model.ID) -> Bool, _ isSectionThere: (SectionID) -> Bool
  ) throws(DeltaError) {
    var items = IdentifierSet<Model.ID>()
    for model in delta.models {
      guard items.insert(model.id) else {
        throw .misfit(reason: "“\(model.id)” has two models")
      }
      guard isThere(model.id) else {
        throw .misfit(reason: "there is a model of “\(model.id)”, which is in no section")
      }
      content.set(model)
    }
    var sections = IdentifierSet<SectionID>()
    for section in delta.sections {
      guard sections.insert(section.id) else {
        throw .misfit(reason: "the section “\(section.id)” has two models")
      }
      guard isSectionThere(section.id) else {
        throw .misfit(reason: "there is a model of “\(section.id)”, which is no section")
      }
      content.set(section.content, forSection: section.id)
    }
  }

  private func checkModels(
    of items: [Model.ID], in content: ModelContent<SectionID, Model>
  ) throws(DeltaError) {
    let missing = items.filter { content.models[$0] == nil }
    guard missing.isEmpty else { throw .missingModels(missing.map(AnyItemID.init)) }
  }

  /// Checks that renderers are told of every model that is another one than before.
  private func checkThatChangesShow(
    _ delta: ModelDelta<SectionID, Model>, _ plan: Plan, _ base: ModelContent<SectionID, Model>
  ) throws(DeltaError) {
    let difference = delta.update.difference
    for model in delta.models {
      guard let old = base.models[model.id], old != model,
        let path = list.state.itemPath(for: model.id),
        !difference.sectionReloads.contains(path.section),
        !difference.itemReloads.contains(path), let new = plan.positions.newPath(forOld: path),
        !difference.itemReconfigures.contains(new)
      else { continue }
      throw .misfit(reason: "“\(model.id)” has another model than before, and is not shown anew")
    }
    for section in delta.sections {
      guard let old = content.sections[section.id], old != section.content,
        let index = list.state.indexOfSection(section.id),
        let new = plan.positions.newSection(forOld: index)
      else { continue }
      guard
        difference.sectionReloads.contains(index) || difference.sectionReconfigures.contains(new)
      else {
        throw .misfit(
          reason: "“\(section.id)” has another model than before, and is not shown anew")
      }
    }
  }
}
