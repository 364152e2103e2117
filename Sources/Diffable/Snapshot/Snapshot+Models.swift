/// The models that a source keeps for the items: where they are stored.
extension Snapshot {
  /// The model of an item, visible or hidden, or `nil` if the item does not exist or has none.
  ///
  /// - Complexity: The same as ``itemPath(for:)``.
  package func model<Model>(of item: ItemID, as type: Model.Type) -> Model? {
    withModel(of: item) { $0?.model(as: type) }
  }

  /// The model of an item in the state before an edit, as ``withModel(of:before:_:)`` finds it.
  func model<Model>(of item: ItemID, as type: Model.Type, before edited: Snapshot) -> Model? {
    withModel(of: item, before: edited) { $0?.model(as: type) }
  }

  /// Calls a function with the model of an item in the state before an edit, or before several, found
  /// by the table of the edited state.
  ///
  /// An item in a leaf that the edits have kept is where that table says, and mostly also one in a leaf
  /// that they have changed. All others are in the leaves that they have replaced. Once the search of
  /// these has taken about as long, a table is made.
  ///
  /// - Complexity: O(log n) for n items; O(d · log n) for an item that is unknown or that the edits have
  ///   moved or deleted, given d leaves that the edits have replaced. All lookups of such items in a
  ///   state take O(n) at most, and after that O(log n) each.
  func withModel<Result>(
    of item: ItemID, before edited: Snapshot, _ body: (ModelSpan?) -> Result
  ) -> Result {
    guard let table = edited.base.itemTable?.entries, let resolution = base.resolution,
      resolution.cached == nil, resolution.hasSpentLess(than: Swift.max(16, base.itemCount / 4))
    else { return withModel(of: item, body) }
    let hash = item.storedHash
    let places = places(ofItem: item, hash: hash) { table.forEachEntry(hash: hash, $0) }
    guard places.visible.isEmpty, places.hidden.isEmpty else {
      return withModel(of: item, in: places, body)
    }
    let leaves = leaves(notIn: edited)
    resolution.spend(1 + leaves.count)
    return withUnsafePointer(to: item) { item in
      for leaf in leaves {
        guard let offset = leaf.offset(of: item, hash: hash) else { continue }
        return withExtendedLifetime(leaf) {
          body(leaf.models.map { ModelSpan(kernel: $0.kernel, first: $0.address(offset)) })
        }
      }
      return body(nil)
    }
  }

  /// The leaves of items and rows that a state made from this one does not have.
  ///
  /// - Complexity: O(d · log n) for d such leaves of n items.
  func leaves(notIn other: Snapshot) -> [Leaf] {
    var leaves: [Leaf] = []
    LeafWindows.forEach(old: order.base, new: other.order.base) { stretch in
      guard case .changed(let window) = stretch else { return }
      for leaf in window.old.lazy.compactMap(\.leaf) {
        for record in TypedLeaf<SectionRecord<SectionID, ItemID>>(base: leaf) {
          let partner = other.base.index(ofSection: record.key).map { other.order[$0] }
          guard partner?.body !== record.body else { continue }
          let old = record.rowTree
          let hasPartner = partner.map { ($0.outline == nil) == (record.outline == nil) } ?? false
          let new = hasPartner ? partner?.rowTree : nil
          let nothing = OrderTree(shape: old.shape, kernel: old.kernel)
          leaves += LeafDelta(from: old, to: new ?? nothing).removed
        }
      }
    }
    return leaves
  }

  /// What is stored for a section, or `nil` if the section does not exist or has no model.
  package func content(ofSection section: SectionID) -> SectionContent? {
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
    guard base.hasOutlines else {
      guard let path = itemPath(for: item) else { return body(nil) }
      return withModel(at: path, body)
    }
    return withModel(of: item, in: places(ofItem: item), body)
  }

  private func withModel<Result>(
    of item: ItemID, in places: Places, _ body: (ModelSpan?) -> Result
  ) -> Result {
    if let path = places.visible.first { return withModel(at: path, body) }
    guard let section = places.hidden.first,
      let outline = base.body(ofSectionAt: section).outline(of: ItemID.self)?.value,
      let position = outline.position(of: item)
    else { return body(nil) }
    return outline.rows.base.withModel(at: position, body)
  }

  @inline(__always)
  func withModel<Result>(at path: ItemPath, _ body: (ModelSpan?) -> Result) -> Result {
    let model = base.model(at: path)
    return withExtendedLifetime(model) { body(model?.span) }
  }
}

/// A section identifier whose sections have models, besides the models of their items.
///
/// A header or a footer shows the model of its section.
/// ``ModelSource/setSectionModel(_:for:presentation:)`` changes it without affecting any row. The
/// identifier names the type of the model, so sources without section models need not mention one:
///
/// ```swift
/// enum Folder: ModelledSection {
///   typealias SectionModel = Header
///   case inbox, archive
/// }
/// ```
public protocol ModelledSection: Hashable, Sendable {
  /// What a section shows besides its items.
  associatedtype SectionModel: Equatable & Sendable
}
