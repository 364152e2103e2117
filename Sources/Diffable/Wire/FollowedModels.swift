/// A list of models of another process, built from the deltas that have arrived from there.
///
/// It is a ``FollowedList`` with a model for each item.
///
/// Invariant: each item of the list has a model, including hidden items.
public struct FollowedModels<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  var list: FollowedList<SectionID, Model.ID>

  /// The order.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, Model.ID> { list.snapshot }

  /// The name of the current state, to resume after it; `nil` before the first delta.
  public var token: ResumeToken? { list.token }

  /// Creates an empty list that waits for its first delta.
  ///
  /// - Parameter limits: How large a delta and the list may be.
  @inlinable public init(limits: DeltaLimits = DeltaLimits()) {
    self.init(
      limits: limits,
      kernels: Snapshot<SectionID, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  @usableFromInline init(limits: DeltaLimits, kernels: SnapshotKernels) {
    list = FollowedList(limits: limits, empty: Snapshot(kernels))
  }

  /// The model of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model(for item: Model.ID) -> Model? { list.state.model(of: item, as: Model.self) }

  /// Moves the list to the target state of a delta.
  ///
  /// - Returns: The same change as a batch, for renderers in this process.
  /// - Throws: ``DeltaError`` as ``FollowedList/apply(_:)``. Also if an item would have no model,
  ///   if a model belongs to nothing in the list, or if an item or section has a new model and the
  ///   delta does not show it. Nothing changes then.
  /// - Complexity: The same as ``FollowedList/apply(_:)``.
  @discardableResult
  public mutating func apply(
    _ delta: ModelDelta<SectionID, Model>
  ) throws(DeltaError) -> ModelBatch<SectionID, Model> {
    try list.limits.check(elements: delta.elementCount)
    let plan = try list.plan(delta.update)
    let given = try given(by: delta, plan)
    return ModelBatch(try list.commit(plan, delta.update, given))
  }
}

extension FollowedModels where SectionID: ModelledSection {
  /// The model of a section; `nil` if it has none or is not in the list.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    list.state.sectionModel(of: section)
  }
}

extension FollowedModels {
  private typealias Given = GivenContent<SectionID, Model.ID>

  /// The models of a delta, once it is certain that they fit.
  private func given(
    by delta: ModelDelta<SectionID, Model>, _ plan: FollowedList<SectionID, Model.ID>.Plan
  ) throws(DeltaError) -> Given {
    let old = list.state
    let given: Given
    switch plan {
    case .reset(let order):
      given = try take(delta, isThere: order.containsItem, order.containsSection)
      let items = delta.update.sections.flatMap(\.rows.items)
      try checkModels(of: items.filter { given.model(of: $0, as: Model.self) == nil })
    case .change(let plan):
      let removed = IdentifierSet(plan.removed)
      let comes = IdentifierSet(plan.delta.sections.map(\.id))
      given = try take(
        delta,
        isThere: { plan.arrivals.contains($0) || old.containsItem($0) && !removed.contains($0) },
        { comes.contains($0) || old.indexOfSection($0).map { !plan.isDeleted($0) } ?? false })
      try checkModels(
        of: plan.arrivals.inOrder.filter {
          given.model(of: $0, as: Model.self) == nil && !old.containsItem($0)
        })
      try checkThatChangesShow(delta, plan, old)
    }
    return given
  }

  /// Takes the models of a delta, each for a different item or section in the list.
  private func take(
    _ delta: ModelDelta<SectionID, Model>, isThere: (Model.ID) -> Bool,
    _ isSectionThere: (SectionID) -> Bool
  ) throws(DeltaError) -> Given {
    var given = Given()
    var items = IdentifierSet<Model.ID>()
    for model in delta.models {
      guard items.insert(model.id) else {
        throw .misfit(reason: "“\(model.id)” has two models")
      }
      guard isThere(model.id) else {
        throw .misfit(reason: "there is a model of “\(model.id)”, which is in no section")
      }
      given.set(model, list.state.kernels)
    }
    for section in delta.sections {
      guard given.sections[section.id] == nil else {
        throw .misfit(reason: "the section “\(section.id)” has two models")
      }
      guard isSectionThere(section.id) else {
        throw .misfit(reason: "there is a model of “\(section.id)”, which is no section")
      }
      given.sections[section.id] = section.content
    }
    return given
  }

  private func checkModels(of missing: [Model.ID]) throws(DeltaError) {
    guard missing.isEmpty else { throw .missingModels(missing.map(AnyItemID.init)) }
  }

  /// Checks that the delta tells renderers of every changed model.
  private func checkThatChangesShow(
    _ delta: ModelDelta<SectionID, Model>, _ plan: DeltaPlan<SectionID, Model.ID>,
    _ old: Snapshot<SectionID, Model.ID>
  ) throws(DeltaError) {
    let difference = delta.update.difference
    for model in delta.models {
      guard let before = old.model(of: model.id, as: Model.self), before != model,
        let path = old.itemPath(for: model.id),
        !difference.sectionReloads.contains(path.section),
        !difference.itemReloads.contains(path), let new = plan.positions.newPath(forOld: path),
        !difference.itemReconfigures.contains(new)
      else { continue }
      throw .misfit(reason: "“\(model.id)” has another model than before, and is not shown anew")
    }
    for section in delta.sections {
      guard let index = old.indexOfSection(section.id),
        old.content(ofSection: section.id) != section.content.stored,
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
