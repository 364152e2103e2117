public import Diffable

extension ListQuery {
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
  /// Write it after the grouping. The models must be those of the followed source: if the query has
  /// mapped them to others, drags to other groups are refused.
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
