/// The models that a source keeps for the items: where they are stored.
extension Snapshot {
  /// The model of an item, visible or hidden, or `nil` if the item does not exist or has none.
  ///
  /// - Complexity: The same as ``itemPath(for:)``.
  package func model<Model>(of item: ItemID, as type: Model.Type) -> Model? {
    withModel(of: item) { $0?.model(as: type) }
  }

  /// The model of an item in a state without a table, by the table of a derived state.
  ///
  /// - Complexity: O(log n) for n items if both have the item in the same leaf, otherwise that of
  ///   ``itemPath(for:)``.
  func model<Model>(
    of item: ItemID, as type: Model.Type, asking table: IdentityTable?
  ) -> Model? {
    let hash = item.storedHash
    let found = table.map { table in
      places(ofItem: item, hash: hash) { table.forEachEntry(hash: hash, $0) }
    }
    guard let places = found, !places.visible.isEmpty || !places.hidden.isEmpty else {
      return model(of: item, as: type)
    }
    return withModel(of: item, in: places) { $0?.model(as: type) }
  }

  /// The model of the visible item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  func model<Model>(at path: ItemPath, as type: Model.Type) -> Model? {
    withModel(at: path) { $0?.model(as: type) }
  }

  /// What is stored for a section, or `nil` if the section does not exist or has no model.
  func content(ofSection section: SectionID) -> SectionContent? {
    indexOfSection(section).flatMap { order[$0].model }
  }

  /// The model of a section, or `nil` if the section does not exist or has none.
  package func sectionModel(of section: SectionID) -> SectionID.SectionModel?
  where SectionID: ModelledSection {
    anyModel(ofSection: section) as? SectionID.SectionModel
  }

  /// The same, whatever its type.
  package func anyModel(ofSection section: SectionID) -> (any Equatable & Sendable)? {
    content(ofSection: section)?.model
  }

  func withModel<Result>(of item: ItemID, _ body: (ModelSpan?) -> Result) -> Result {
    withModel(of: item, in: places(ofItem: item), body)
  }

  private func withModel<Result>(
    of item: ItemID, in places: Places, _ body: (ModelSpan?) -> Result
  ) -> Result {
    if let path = places.visible.first { return withModel(at: path, body) }
    guard let section = places.hidden.first, let outline = order[section].outline?.value,
      let position = outline.position(of: item)
    else { return body(nil) }
    return outline.rows.base.withModel(at: position, body)
  }

  func withModel<Result>(at path: ItemPath, _ body: (ModelSpan?) -> Result) -> Result {
    guard (0..<numberOfSections).contains(path.section) else { return body(nil) }
    let record = order[path.section]
    guard let outline = record.outline?.value else {
      guard case .tree(let tree) = record.items, (0..<tree.count).contains(path.item) else {
        return body(nil)
      }
      return tree.base.withModel(at: path.item, body)
    }
    guard let position = outline.position(ofVisibleRow: path.item) else { return body(nil) }
    return outline.rows.base.withModel(at: position, body)
  }

  /// The models of all items, hidden ones included, first to last.
  ///
  /// - Complexity: O(n) for n items.
  func models<Model>(_ type: Model.Type) -> [Model] {
    var models: [Model] = []
    for record in records {
      let tree = record.outline?.value.rows.base ?? record.items.tree.base
      tree.root?.forEachLeaf { leaf in
        withExtendedLifetime(leaf) {
          guard let span = leaf.models, span.kernel.type == type else { return }
          let first = span.first.assumingMemoryBound(to: type)
          models.append(contentsOf: UnsafeBufferPointer(start: first, count: leaf.count))
        }
      }
    }
    return models
  }

  /// Checks that every item has a model, hidden ones included, if the `InternalChecks` trait is on.
  func _checkModels() {
    #if InternalChecks
    guard kernels.models != nil else { return }
    for record in records {
      let tree = record.outline?.value.rows.base ?? record.items.tree.base
      precondition(tree.leaves.allSatisfy { $0.models != nil }, "an item without a model")
    }
    #endif
  }
}
