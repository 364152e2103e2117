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
    grouped(id: true, by: { _ in SingleSection() }, order: { _, _ in false })
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
    grouped(id: true, by: { _ in SingleSection() }, order: { _, _ in false })
  }
}

extension ListQuery {
  @usableFromInline func keyed<Grouped: ListBatch>(
    _ keys: RowKeys<Grouped.SectionID>, id: (any Hashable & Sendable)?,
    _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Grouped> where Grouped.ItemID == Output.ItemID {
    var rules = StepRules<SectionID, Grouped.SectionID, ItemID>(
      element: Output.Element.self, sections: .keyed(keys, kernels))
    rules.test = pending.test
    rules.order = traits.order
    rules.isRanked = traits.isRanked
    rules.omitsEmptySections = true
    rules.identity = StepIdentity(pending.identity(and: .group, id))
    var query = ListQuery<Input, Grouped>(makeChain: appending(rules))
    query.kernels = kernels
    query.traits = traits
    query.traits.omitsEmptySections = true
    // The rows of a group are in the order of their former groups.
    query.traits.isRegrouped = traits.isRegrouped || traits.isGrouped
    query.traits.isGrouped = true
    query.traits.canSummarise = true
    return query
  }
}
