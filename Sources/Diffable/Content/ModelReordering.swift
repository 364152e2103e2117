/// Items of a ``ModelSource`` that the user drags, and where they would go.
///
/// It is a ``Reordering`` of the order, whose batches come with the models. Previews show the models
/// that the drag started from; what others change meanwhile is shown by ``batch(completing:)``.
public struct ModelReordering<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
>: Sendable where Model.ID: Sendable {
  /// The drag, as far as the order is concerned.
  public private(set) var order: Reordering<SectionID, Model.ID>

  init(_ order: Reordering<SectionID, Model.ID>) {
    self.order = order
  }

  /// Proposes a place for the items.
  ///
  /// As ``Reordering/proposed(to:)``.
  ///
  /// - Returns: What leads from the preview that is shown to this one, for the renderer alone.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` or ``SnapshotError/unknownSection(_:)`` if the
  ///   destination was not there when the drag began. The preview is unchanged then.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func proposed(
    to destination: ReorderDestination<SectionID, Model.ID>
  ) throws(SnapshotError) -> ModelBatch<SectionID, Model> {
    ModelBatch(update: try order.proposed(to: destination))
  }

  /// Takes the preview back.
  ///
  /// - Returns: What leads from the preview to the state that the drag started from.
  /// - Complexity: O(k · log n) for k dragged of n items.
  public mutating func cancel() -> ModelBatch<SectionID, Model> {
    ModelBatch(update: order.cancel())
  }

  /// Makes the proposed order that of the source, on top of what others have changed meanwhile.
  ///
  /// As ``Reordering/commit(named:)``. No model is touched.
  ///
  /// - Parameter name: The name of the change, for undo.
  /// - Returns: The change that was made; `nil` if there is no proposal, or the app vetoes it now.
  /// - Throws: ``DataSourceError``: `finished` or `cancelled`. Nothing has changed then.
  /// - Complexity: That of merging.
  @discardableResult
  public func commit(
    named name: String? = nil
  ) async throws(DataSourceError) -> Transaction<SectionID, Model.ID>? {
    try await order.commit(named: name)
  }

  /// What is left to show for a renderer that shows the preview, once it was committed: nothing, unless
  /// others have changed something meanwhile.
  ///
  /// As ``Reordering/batch(completing:)``. Rows whose models others have changed are reconfigured.
  ///
  /// - Parameter transaction: What ``commit(named:)`` returned.
  /// - Returns: What leads from the preview to the final state of the transaction, or to the live state
  ///   if the history no longer has that.
  /// - Complexity: That of finding the difference, which happens off the main executor.
  public func batch(
    completing transaction: Transaction<SectionID, Model.ID>
  ) async -> ModelBatch<SectionID, Model> {
    ModelBatch(update: await order.batch(completing: transaction))
  }
}

extension ModelSource {
  /// Begins to reorder items by hand.
  ///
  /// - Parameters:
  ///   - items: The items that are dragged, in any order.
  ///   - revision: The revision that the renderer of the drag shows; the live one if there is none.
  /// - Returns: The drag, or `nil` if the app does not let these items be dragged.
  /// - Throws: ``DataSourceError``: `unknownRevision` if the history does not have the revision,
  ///   `invalidSnapshot` with the items that are not in it.
  /// - Complexity: O(n) to make the lookup table of the revision, which happens off the main executor.
  ///   The previews then cost little wherever they are asked for.
  public nonisolated func beginReorder(
    _ items: some Collection<Model.ID> & Sendable, at revision: Revision? = nil
  ) async throws(DataSourceError) -> ModelReordering<SectionID, Model>? {
    let order = try Reordering(items, at: revision, reader, handlers: reordering) {
      (preview, original, name) async throws(DataSourceError) in
      try await self.merge(preview, basedOn: original, named: name)
    }
    return order.map { ModelReordering($0) }
  }

  private func merge(
    _ preview: Snapshot<SectionID, Model.ID>, basedOn original: Snapshot<SectionID, Model.ID>,
    named name: String?
  ) throws(DataSourceError) -> Transaction<SectionID, Model.ID> {
    try core.merge(preview, basedOn: original, named: name)
  }
}
