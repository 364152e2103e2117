/// A section as the order of sections stores it: two words besides its identifier.
///
/// Two records are equal if they are the same section.
package struct SectionRecord<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  package let id: SectionID
  let body: SectionBody

  /// The name of this section in the item table, even when the section moves.
  var key: SectionKey { body.key }

  /// The items of a list, or the visible items of an outline.
  package var items: SectionItems<ItemID> { body.items() }

  /// The number of items.
  package var itemCount: Int { body.itemCount }

  /// The outline that these visible items belong to, if the section holds one.
  package var outline: HeldOutline<ItemID>? { body.outline() }

  /// The model of the section, in a source of models.
  package var model: SectionContent? { body.model }

  /// All items, hidden ones included.
  var allItems: [ItemID] { outline?.value.items ?? items.array }
  /// The tree of all items, hidden ones included: the one that has the models.
  var rowTree: OrderTree { body.rowTree }

  package static func == (left: SectionRecord, right: SectionRecord) -> Bool {
    left.id == right.id
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }

  /// Where such records store their bodies.
  static var placeOfBody: SectionBody.Place {
    guard let offset = MemoryLayout.offset(of: \SectionRecord.body) else {
      preconditionFailure("a record stores its body")
    }
    return SectionBody.Place(offset: offset, stride: MemoryLayout<SectionRecord>.stride)
  }
}

extension ElementKernel {
  /// The kernel of the records of some sections.
  static func records<SectionID, ItemID>(
    _ type: SectionRecord<SectionID, ItemID>.Type, _ sections: ElementKernel
  ) -> ElementKernel {
    let place = type.placeOfBody
    return ElementKernel(type, identifiedBy: sections) { first, count in
      var totals = Totals()
      for index in 0..<count {
        place.withBody(ofRecordAt: first, index) { totals.append($0) }
      }
      return totals
    }
  }
}

/// The contents of a section, in code that knows the type of its items.
///
/// It is used only for sections with items of that type; see `TypedRevisionNotes.of(_:)`.
extension SectionBody {
  convenience init<ItemID>(
    key: SectionKey, items: SectionItems<ItemID>, outline: HeldOutline<ItemID>? = nil,
    model: SectionContent? = nil
  ) {
    switch items {
    case .array(let array): self.init(key: key, array: array, outline: outline, model: model)
    case .tree(let tree): self.init(key: key, tree: tree.base, outline: outline, model: model)
    }
  }

  func items<ItemID>(of type: ItemID.Type = ItemID.self) -> SectionItems<ItemID> {
    if let tree { return .tree(ItemTree(tree)) }
    guard let array else { preconditionFailure("a section without items") }
    return .array(unsafeDowncast(array, to: ItemArray<ItemID>.self))
  }

  /// The item at an existing index.
  func item<ItemID: Hashable & Sendable>(at index: Int, of type: ItemID.Type) -> ItemID {
    guard let tree else { return items(of: type).array[index] }
    let element = tree.element(at: index)
    return withExtendedLifetime(element.leaf) {
      element.address.assumingMemoryBound(to: type).pointee
    }
  }

  func outline<ItemID>(of type: ItemID.Type = ItemID.self) -> HeldOutline<ItemID>? {
    outline.map { HeldOutline.of($0) }
  }
}

extension IdentityChanges {
  /// Adds what an edit did to a section that keeps its key.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ; O(n) if a flat list becomes an outline,
  ///   or an outline a flat list.
  mutating func append(from old: SectionBody, to new: SectionBody) {
    let visible = LeafDelta(from: old.itemTree, to: new.itemTree)
    append(visible, section: new.key)
    guard old.isOutline, new.isOutline else {
      old.outline?.forEachHiddenHash { hash in
        removed.append(.init(hash: hash, section: old.key, label: .hidden))
      }
      new.outline?.forEachHiddenHash { hash in
        inserted.append(.init(hash: hash, section: new.key, label: .hidden))
      }
      return
    }
    var hidden = HiddenEntries()
    let rows = LeafDelta(from: old.rowTree, to: new.rowTree)
    for leaf in rows.added { hidden.add(leaf, 1) }
    for leaf in rows.removed { hidden.add(leaf, -1) }
    for leaf in visible.added { hidden.add(leaf, -1) }
    for leaf in visible.removed { hidden.add(leaf, 1) }
    append(hidden, section: new.key)
  }
}

extension SectionRecord {
  /// Whether both are flat lists, or both hold equal outlines.
  func hasSameOutline(as other: SectionRecord) -> Bool {
    if outline === other.outline { return true }
    guard let outline, let other = other.outline else { return false }
    return outline.value == other.value
  }
}

/// The items of a section.
package enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// The items as they were passed in: nothing is copied or hashed.
  case array(ItemArray<ItemID>)
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  /// The items as they were passed in; see ``ItemArray``.
  package static func array(
    _ items: [ItemID], _ kernel: ElementKernel, models: RowModels? = nil
  ) -> SectionItems {
    .array(ItemArray(items, kernel, models: models))
  }

  /// No items, as a tree.
  static func none(_ kernel: ElementKernel) -> SectionItems {
    .tree(ItemTree(shape: .items, kernel: kernel))
  }

  var count: Int {
    switch self {
    case .array(let array): array.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; computes the hashes of an array.
  package var tree: ItemTree<ItemID> {
    switch self {
    case .array(let array): ItemTree(array.makeTree())
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  var array: [ItemID] {
    switch self {
    case .array(let array): array.items
    case .tree(let tree): tree.elements
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  subscript(index: Int) -> ItemID {
    switch self {
    case .array(let array): array.items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that no comparison is needed.
  func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    return tree.isIdentical(to: other)
  }
}

/// The items of a section as they were passed in: nothing is copied or hashed.
///
/// With the kernel of the tree that they may become and, if a writer gives them, their models.
package final class ItemArray<ItemID: Hashable & Sendable>: SectionArray {
  let items: [ItemID]
  let kernel: ElementKernel
  let models: RowModels?

  init(_ items: [ItemID], _ kernel: ElementKernel, models: RowModels? = nil) {
    (self.items, self.kernel, self.models) = (items, kernel, models)
  }

  package var count: Int { items.count }
  package var hasModels: Bool { models != nil }

  package func makeTree() -> OrderTree {
    RowModels.withPieces(of: models) {
      ItemTree(items, models: $0, shape: .items, kernel: kernel).base
    }
  }

  package func reusing(
    _ old: OrderTree, table: IdentityTable?, section: SectionKey, mostChanges: Int
  ) -> (tree: OrderTree, matching: OrderMatching?) {
    let (tree, matching) = ItemTree<ItemID>(old).updated(
      to: items, models: models, table: table, section: section, mostChanges: mostChanges)
    return (tree.base, matching)
  }
}

/// An outline as a section stores it: one word, and the same object if nothing changed.
package final class HeldOutline<ItemID: Hashable & Sendable>: SectionOutline {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
  }

  package var count: Int { value.count }

  package var visibleItems: any SectionArray {
    ItemArray(value.visibleItems, value.kernel)
  }

  package func forEachHiddenHash(_ body: (UInt32) -> Void) { value.forEachHiddenHash(body) }

  package func appendItems(to elements: inout HashedElements) {
    elements.append(value.items(in: 0..<value.count, visibleOnly: false))
  }

  package func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure? {
    value.disclosure(of: item.assumingMemoryBound(to: ItemID.self).pointee)
  }

  package var rowTree: OrderTree { value.rows.base }

  package func withRows(_ tree: OrderTree) -> any SectionOutline {
    var edited = value
    edited.rows.base = tree
    return HeldOutline(edited)
  }

  package func model(ofVisibleRow index: Int) -> HeldModel? {
    value.position(ofVisibleRow: index).flatMap { value.rows.base.model(at: $0) }
  }

  package func forEachChangedModel(
    since older: any SectionOutline, _ models: ElementKernel, _ body: (_ visibleRow: Int?) -> Void
  ) {
    value.forEachRow(since: Self.of(older).value, models) { row, isNew in
      if !isNew { body(value.visibleIndex(ofRowAt: row)) }
    }
  }

  package func isEqual(to other: any SectionOutline) -> Bool {
    value == Self.of(other).value
  }

  package func showing(_ list: SectionBody) -> (any SectionOutline)? {
    let items: SectionItems<ItemID> = list.items()
    return value.showing(items.array).map(HeldOutline.init)
  }

  package func comparison(
    from old: SectionBody, to new: SectionBody, visible: OrderMatching
  ) -> OutlineComparison {
    OutlineComparison(
      old: old, old.outline(of: ItemID.self)?.value, new: new, new.outline(of: ItemID.self)?.value,
      visible: visible)
  }

  /// The typed view of the outline of a section with such items.
  static func of(_ outline: any SectionOutline) -> HeldOutline {
    // It is called only for sections with these types; see `TypedRevisionNotes.of(_:)`.
    unsafeDowncast(outline, to: HeldOutline.self)
  }
}
