/// An outline of items with their models.
///
/// A children provider of a ``ModelSource`` returns one:
///
/// ```swift
/// ModelSource<Volume, File>(childrenProvider: { folder in
///   try await ModelOutline(files(in: folder)) { $0.isFolder }
/// })
/// ```
///
/// An edit sets one with ``ModelDraft/setOutline(_:forSection:keepingExpansion:)``.
public struct ModelOutline<Model: Identifiable & Equatable & Sendable>: Sendable
where Model.ID: Sendable {
  /// The order.
  public var outline: Outline<Model.ID>
  /// The models of the items that are new or have changed.
  public var models: [Model]

  /// Creates an outline with models.
  ///
  /// - Parameters:
  ///   - outline: The order.
  ///   - models: The models of its items. Models of other items are ignored.
  public init(_ outline: Outline<Model.ID>, models: some Sequence<Model> & SendableMetatype) {
    (self.outline, self.models) = (outline, Array(models))
  }

  /// Creates a flat outline of models.
  ///
  /// - Parameters:
  ///   - models: The models.
  ///   - hasUnloadedChildren: Whether the item of a model has children that are loaded when it is
  ///     expanded.
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` if two models have the same identifier.
  public init(
    _ models: some Sequence<Model> & SendableMetatype,
    hasUnloadedChildren: (Model) -> Bool = { _ in false }
  ) throws(SnapshotError) {
    let models = Array(models)
    var outline = Outline<Model.ID>()
    try outline.append(models.map { $0.id })
    outline.setChildrenUnloaded(of: models.filter(hasUnloadedChildren).map { $0.id })
    (self.outline, self.models) = (outline, models)
  }
}
