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
/// An edit sets one with ``ModelDraft/setOutline(_:forSection:keepingExpansion:)``, or below an item with
/// ``ModelDraft/replaceItems(childrenOf:using:)``.
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

/// Edits of trees.
///
/// All others are in `snapshot`.
extension ModelDraft {
  /// Makes a section show an outline of models, as ``Snapshot/setOutline(_:forSection:keepingExpansion:)`` does.
  ///
  /// ```swift
  /// try await source.update { draft in
  ///   try draft.setOutline(ModelOutline(folders) { $0.hasChildren }, forSection: "Disk")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - outline: The outline, which replaces everything in the section. An item without a model keeps the one that
  ///     it has.
  ///   - section: The section.
  ///   - keepsExpansion: Whether items that are already in the section's outline keep their flags.
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if the section does not exist.
  /// - Complexity: O(n · log n) for n items in the old and the new outline.
  public mutating func setOutline(
    _ outline: ModelOutline<Model>, forSection section: SectionID,
    keepingExpansion keepsExpansion: Bool = false
  ) throws(SnapshotError) {
    try snapshot.setOutline(
      outline.outline, forSection: section, keepingExpansion: keepsExpansion)
    give(outline)
  }

  /// Appends models to the children of an item of an outline, as ``Snapshot/appendItems(_:toItem:)`` does.
  ///
  /// - Throws: What ``Snapshot/appendItems(_:toItem:)`` throws.
  /// - Complexity: O(m · log n) for m new ones among n items.
  public mutating func appendItems(
    _ models: some Sequence<Model> & SendableMetatype, toItem parent: Model.ID
  ) throws(SnapshotError) {
    let models = Array(models)
    try snapshot.appendItems(models.map { $0.id }, toItem: parent)
    give(models)
  }

  /// Replaces all descendants of an item of an outline, as ``Snapshot/replaceItems(childrenOf:using:)`` does.
  ///
  /// - Parameters:
  ///   - parent: The item.
  ///   - children: What comes below it. An item without a model keeps the one that it has.
  /// - Throws: What ``Snapshot/replaceItems(childrenOf:using:)`` throws.
  /// - Complexity: O((m + k) · log n) for k of n items that are deleted and m that are inserted.
  public mutating func replaceItems(
    childrenOf parent: Model.ID, using children: ModelOutline<Model>
  ) throws(SnapshotError) {
    try snapshot.replaceItems(childrenOf: parent, using: children.outline)
    give(children)
  }

  /// Moves an item with its descendants below another one, as ``Snapshot/moveItem(_:intoItem:)`` does.
  public mutating func moveItem(
    _ item: Model.ID, intoItem parent: Model.ID
  ) throws(SnapshotError) {
    try snapshot.moveItem(item, intoItem: parent)
  }

  /// Gives the models of items that are in an outline.
  private mutating func give(_ outline: ModelOutline<Model>) {
    give(outline.models.filter { outline.outline.contains($0.id) })
  }
}
