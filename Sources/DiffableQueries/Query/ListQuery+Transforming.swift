public import Diffable

extension ListQuery {
  /// Shows another model for each row.
  ///
  /// A row keeps its identifier and its place. It is transformed once, and again when its element
  /// changes. If the new model equals the old one, the row is not updated.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that transform rows in the same way; `nil` if it equals no other.
  ///   - transform: The model to show for an element. Its `id` should be the row's.
  /// - Complexity: One transformation for each of n rows when the query is set, and for each row
  ///   that changes afterwards.
  @inlinable public func map<Model: Identifiable & Equatable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    _ transform: @escaping @Sendable (Output.Element) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    let models = ElementKernel(models: Model.self)
    return mapped(
      RowMap(models, transform), id: id,
      Snapshot<Output.SectionID, Model.ID>.makeKernels(models: models))
  }

  @usableFromInline func mapped<Mapped: ListBatch>(
    _ map: RowMap, id: (any Hashable & Sendable)?, _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Mapped>
  where Mapped.ItemID == Output.ItemID, Mapped.SectionID == Output.SectionID {
    var rules = sameSections
    rules.test = pending.test
    rules.order = pending.order
    rules.omitsEmptySections = traits.omitsEmptySections
    rules.map = (map, kernels)
    rules.identity = StepIdentity(
      pending.identity(and: .map(ObjectIdentifier(Mapped.Element.self)), id))
    let make = appending(rules)
    var query = ListQuery<Input, Mapped>(makeChain: make)
    (query.kernels, query.moveChange) = (kernels, moveChange)
    query.traits = traits
    (query.traits.order, query.traits.canSummarise) = (nil, false)
    query.traits.isRanked = traits.order != nil || traits.isRanked
    guard traits.order != nil else { return query }
    // The order compares the elements before the transformation. To sort by it afterwards, there
    // has to be a list of these.
    var apart = rules
    (apart.test, apart.order) = (nil, nil)
    let ranking = RankRule(
      order: traits.order, element: Output.Element.self, isRanked: traits.isRanked)
    let makeApart = closed.appending(apart, ranking: ranking)
    var ranked = ListQuery<Input, Mapped> { $1 ? makeApart($0, $1) : make($0, $1) }
    (ranked.kernels, ranked.traits, ranked.moveChange) = (kernels, query.traits, moveChange)
    return ranked
  }
}
