public import Diffable

extension ListQuery {
  /// Groups identifiers into sections by a key, as for models.
  @inlinable public func grouped<Section, Group, Item>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Item) -> Group,
    order areInIncreasingOrder: @escaping @Sendable (Group, Group) -> Bool
  ) -> ListQuery<Input, UpdateBatch<Group, Item>>
  where Output == UpdateBatch<Section, Item>, Group: Hashable & Sendable {
    keyed(
      RowKeys(Item.self, section, areInIncreasingOrder), id: id,
      Snapshot<Group, Item>.makeKernels())
  }

  /// Groups rows into sections by a key, in the order of the keys.
  ///
  /// A section exists as long as it has rows. Rows keep their order. If the list was sorted before,
  /// they are sorted across all sections that they come from. If it was mapped after that, this
  /// takes another list of all rows, see <doc:QueriesAreChains>.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that group rows in the same way; `nil` if it equals no other.
  ///   - section: The section of a model.
  ///   - areInIncreasingOrder: Whether the first section belongs before the second. The order must
  ///     be strict for any two different sections.
  /// - Complexity: O(n) keys for n rows when the query is set, one for each row that changes
  ///   afterwards.
  @inlinable public func grouped<Section, Group, Model>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Model) -> Group,
    order areInIncreasingOrder: @escaping @Sendable (Group, Group) -> Bool
  ) -> ListQuery<Input, ModelBatch<Group, Model>>
  where Output == ModelBatch<Section, Model>, Group: Hashable & Sendable {
    keyed(
      RowKeys(Model.self, section, areInIncreasingOrder), id: id,
      Snapshot<Group, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }
}

extension ListQuery {
  /// Puts all rows in one section, as for models.
  public func ungrouped<Section, Item>() -> ListQuery<Input, UpdateBatch<SingleSection, Item>>
  where Output == UpdateBatch<Section, Item> {
    ungrouped(Snapshot<SingleSection, Item>.makeKernels())
  }

  /// Puts all rows in one section, in the order of the list or of the query.
  ///
  /// If the list was sorted before, the rows are sorted across all sections that they come from. A
  /// list without rows has no section.
  ///
  /// - Complexity: O(n) for n rows when the query is set, O(log² n) for each row that changes
  ///   afterwards.
  public func ungrouped<Section, Model>() -> ListQuery<Input, ModelBatch<SingleSection, Model>>
  where Output == ModelBatch<Section, Model> {
    ungrouped(
      Snapshot<SingleSection, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  private func ungrouped<Grouped: ListBatch>(
    _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Grouped>
  where Grouped.ItemID == Output.ItemID, Grouped.SectionID == SingleSection {
    keyed(
      RowKeys(Output.Element.self, { _ in SingleSection() }, { _, _ in false }),
      .named(.ungroup, true), kernels)
  }
}

extension ListQuery {
  @usableFromInline func keyed<Grouped: ListBatch>(
    _ keys: RowKeys<Grouped.SectionID>, id: (any Hashable & Sendable)?,
    _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Grouped> where Grouped.ItemID == Output.ItemID {
    keyed(keys, .named(.group, id), kernels)
  }

  func keyed<Grouped: ListBatch>(
    _ keys: RowKeys<Grouped.SectionID>, always fixed: [Grouped.SectionID]? = nil,
    _ identity: StepIdentity, _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Grouped> where Grouped.ItemID == Output.ItemID {
    var rules = StepRules<SectionID, Grouped.SectionID, ItemID>(
      element: Output.Element.self, sections: .keyed(keys, kernels))
    rules.test = pending.test
    rules.order = traits.order
    rules.isRanked = traits.isRanked
    rules.fixedSections = fixed
    rules.omitsEmptySections = fixed == nil
    let operations = (pending.identity ?? StepIdentity()) + identity
    var query = ListQuery<Input, Grouped>(makeChain: appending(rules, operations))
    query.traits = traits
    query.traits.omitsEmptySections = rules.omitsEmptySections
    // The rows of a group are in the order of their former groups.
    query.traits.isRegrouped = traits.isRegrouped || traits.isGrouped
    query.traits.isGrouped = true
    query.traits.canSummarise = true
    return query
  }

  /// Lets users drag rows to other sections, by a change of their models.
  ///
  /// ```swift
  /// cards.derived { query in
  ///   query.grouped(by: \.column).onMove { card, column in card.column = column }
  /// }
  /// ```
  ///
  /// The change is made in the source that is followed, together with the new place. Without it,
  /// rows can only be dragged inside their groups: see ``DerivedSource/beginReorder(_:at:)``.
  ///
  /// Write it after the grouping. The models must be those of the source that is written: if the query, or
  /// that of a derived source which it follows, has mapped them to others, drags to other groups are refused.
  ///
  /// - Parameter change: Changes the model of a row that was dropped in a section. A change of the
  ///   identifier is ignored.
  public func onMove<Section, Model>(
    _ change: @escaping @Sendable (inout Model, Section) -> Void
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    var query = self
    query.moveChange = { MovedModel(section: $0, change: change) }
    return query
  }
}

/// The change of the model of a row that is dropped in a section.
private struct MovedModel<Section: Hashable & Sendable, Model: Identifiable & Equatable & Sendable>:
  DropChange
where Model.ID: Sendable {
  let section: Section
  let change: @Sendable (inout Model, Section) -> Void

  var model: any Any.Type { Model.self }

  func change<SectionID: Hashable & Sendable>(
    _ item: Model.ID, _ live: Snapshot<SectionID, Model.ID>,
    _ given: inout GivenContent<SectionID, Model.ID>
  ) {
    guard live.kernels.models?.type == Model.self,
      var model = given.model(of: item, as: Model.self) ?? live.model(of: item, as: Model.self)
    else { return }
    change(&model, section)
    // A model with another identifier would belong to another item.
    if model.id == item { given.set(model, live.kernels) }
  }
}

extension ListQuery {
  /// Gives each section a model by the number of its rows, such as a title with a count.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give the same models; `nil` if it equals no other.
  ///   - model: The model of a section with a number of rows.
  /// - Complexity: One call for each section whose rows are inserted, deleted or changed.
  public func sectionModels<Section: ModelledSection, Model>(
    id: (any Hashable & Sendable)? = nil,
    _ model: @escaping @Sendable (_ section: Section, _ count: Int) -> Section.SectionModel
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    summarised(id: id) { SectionCounts(model) }
  }

  /// Gives each section a model by the number of its rows and an aggregate of them, such as a sum.
  ///
  /// ```swift
  /// query.grouped(by: \.day).sectionModels(.sum(of: \.price)) { day, count, price in
  ///   "\(day): \(count) orders, \(price)"
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give the same models; `nil` if it equals no other.
  ///   - aggregate: What the rows of a section come to, see ``Aggregate``.
  ///   - model: The model of a section with a number of rows and what they come to.
  /// - Complexity: One call of `model` for each section whose rows are inserted, deleted or changed. That
  ///   of the aggregate for each row that is inserted or changed, among the rows of its section.
  public func sectionModels<Section: ModelledSection, Model, Value>(
    id: (any Hashable & Sendable)? = nil, _ aggregate: Aggregate<Model, Value>,
    _ model:
      @escaping @Sendable (_ section: Section, _ count: Int, _ value: Value) ->
      Section.SectionModel
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    summarised(id: id) { SectionAggregates<Section, Value>(aggregate.makeColumn, model) }
  }

  // A call that looks right and is not. The compiler would complain of types that no user has written.

  /// Not available: a source of identifiers has no models.
  @available(
    *, unavailable, message: "a list of identifiers has no models: derive from a 'ModelSource'"
  )
  public func sectionModels<Section, Item, Header>(
    id: (any Hashable & Sendable)? = nil, _ model: (_ section: Section, _ count: Int) -> Header
  ) -> ListQuery where Output == UpdateBatch<Section, Item> { self }

  private func summarised(
    id: (any Hashable & Sendable)?, _ make: @escaping @Sendable () -> SectionSummaries<SectionID>
  ) -> ListQuery {
    var query = closed
    if !query.traits.canSummarise {
      query.pending.identity = StepIdentity()
      query = query.closed
    }
    let summaries = Summaries(make: make, identity: .named(.sectionModels, id))
    query.makeChain = { [makeChain = query.makeChain] _, areRanked in
      makeChain(summaries, areRanked)
    }
    query.traits.canSummarise = false
    return query
  }
}
