/// What a tree of sections must know about each section, for any type of identifiers.
///
/// It may be shared between threads as an array may: code that edits its tree in place holds the
/// only reference, and code that shares it only reads. All other properties are constant and
/// `Sendable`. The compiler can prove that only for final classes. The only subclass is
/// ``SectionBody``, since only this file can call the initialiser.
package class SectionFacts: @unchecked Sendable {
  let key: SectionKey
  fileprivate(set) var itemCount: Int
  /// The items, unless they are an array.
  fileprivate(set) var tree: OrderTree?
  /// The number of rows of the outline, if there is one.
  let rowCount: Int?

  // Implemented by the subclass only.

  /// The items as a tree; computes the hashes of an array.
  package var itemTree: OrderTree { preconditionFailure("facts of no section") }
  /// Calls a function with the hash of each item that the outline hides.
  func forEachHiddenHash(_ body: (UInt32) -> Void) { preconditionFailure("facts of no section") }
  /// Whether both are flat lists, or hold the same object as their outline.
  func holdsSameOutline(as other: SectionFacts) -> Bool {
    preconditionFailure("facts of no section")
  }
  /// How an item is drawn, given by its address; `nil` for an unknown item and in a flat list.
  func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure? {
    preconditionFailure("facts of no section")
  }
  /// The changes since the outline of an older version of the section.
  func compareOutline(since old: SectionFacts, visible: OrderMatching) -> OutlineComparison {
    preconditionFailure("facts of no section")
  }
  /// Whether the items are an array that came with models.
  var hasModels: Bool { preconditionFailure("facts of no section") }
  /// The same rows on the storage of the section in the live state.
  ///
  /// If this held an array, it also returns how the items match those of the live section. If
  /// requested, a list in place of an outline keeps the tree, see ``Outline/showing(_:)``.
  func adopted(
    by partner: SectionFacts?, key: SectionKey, table: IdentityTable?, mostChanges: Int,
    keepingOutlines keepsOutlines: Bool
  ) -> (section: SectionFacts, matching: OrderMatching?) {
    preconditionFailure("facts of no section")
  }
  /// A copy of the section, with a single holder.
  func copy() -> SectionFacts { preconditionFailure("facts of no section") }
  /// Releases an array.
  fileprivate func dropArray() { preconditionFailure("facts of no section") }

  /// Whether the section is an outline.
  package var isOutline: Bool { rowCount != nil }

  /// Whether both hold the same tree, so that no comparison is needed.
  func holdsSameItems(as other: SectionFacts) -> Bool {
    guard let tree, let other = other.tree else { return false }
    return tree.isIdentical(to: other)
  }

  /// The first visible position of an item whose leaf has a label.
  func firstPosition(
    ofItem item: UnsafeRawPointer, hash: UInt32, in label: LeafLabel
  ) -> Int? {
    guard let place = tree?.leaf(labelled: label),
      let offset = place.leaf.offset(of: item, hash: hash)
    else { return nil }
    return place.base + offset
  }

  /// Edits the items as a tree; the section must have a single holder.
  func editTree<Result>(_ edit: (inout OrderTree) -> Result) -> Result {
    var edited = itemTree
    // The tree must have a single holder while it is edited, or it would be copied.
    if tree == nil { dropArray() }
    tree = nil
    let result = edit(&edited)
    itemCount = edited.count
    tree = edited
    return result
  }

  fileprivate init(key: SectionKey, itemCount: Int, tree: OrderTree?, rowCount: Int?) {
    self.key = key
    self.itemCount = itemCount
    self.tree = tree
    self.rowCount = rowCount
  }
}

/// The contents of a section.
///
/// It may be shared between threads: its own properties are constant and `Sendable` too, except for
/// ``array``, which is written together with the tree.
final class SectionBody<ItemID: Hashable & Sendable>: SectionFacts, @unchecked Sendable {
  let outline: HeldOutline<ItemID>?
  let model: SectionContent?
  /// The items, unless they are a tree.
  private var array: SectionItems<ItemID>?

  init(
    key: SectionKey, items: SectionItems<ItemID>, outline: HeldOutline<ItemID>? = nil,
    model: SectionContent? = nil
  ) {
    self.outline = outline
    self.model = model
    var base: OrderTree?
    if case .tree(let tree) = items { base = tree.base } else { array = items }
    super.init(
      key: key, itemCount: items.count, tree: base, rowCount: outline?.value.count)
  }

  var items: SectionItems<ItemID> {
    if let tree { return .tree(ItemTree(tree)) }
    guard let array else { preconditionFailure("a section without items") }
    return array
  }

  /// Replaces the items; the section must have a single holder.
  func setItems(_ items: SectionItems<ItemID>) {
    (tree, array, itemCount) = (nil, items, items.count)
  }

  override var itemTree: OrderTree { tree ?? items.tree.base }

  override var hasModels: Bool {
    if case .array(_, _, .some)? = array { true } else { false }
  }

  override func adopted(
    by partner: SectionFacts?, key: SectionKey, table: IdentityTable?, mostChanges: Int,
    keepingOutlines keepsOutlines: Bool
  ) -> (section: SectionFacts, matching: OrderMatching?) {
    let partner = partner.map(Self.of)
    var (array, tree, outline) = (array, tree, outline)
    if let live = partner?.outline, live !== outline, outline != nil || keepsOutlines {
      let kept = outline?.value ?? live.value.showing(items.array)
      if let kept, kept == live.value, let partner {
        (array, tree, outline) = (nil, partner.itemTree, live)
      } else if outline == nil, let kept {
        (array, tree) = (.array(kept.visibleItems, items.kernel), nil)
        outline = HeldOutline(kept)
      }
    }
    var matching: OrderMatching?
    if case .array(let items, _, let models)? = array, let partner {
      let old = partner.itemTree
      (tree, matching) = items.withUnsafeBufferPointer { items in
        RowModels.withSpan(of: models) { models in
          var (tree, matching) = old.adopting(
            .init(items, models: models), table: table, section: partner.key,
            mostChanges: mostChanges)
          if let models { tree.exchangeModels(with: models, since: old) }
          return (tree, matching)
        }
      }
    }
    let result = tree ?? itemTree
    // Equal contents should be the same object, which is quickest to compare.
    if let partner, matching == nil, partner.key == key, partner.outline === outline,
      partner.tree?.isIdentical(to: result) == true
    {
      return (partner, nil)
    }
    let section = SectionBody(
      key: key, items: .tree(ItemTree(result)), outline: outline, model: nil)
    return (section, matching)
  }

  override func forEachHiddenHash(_ body: (UInt32) -> Void) {
    outline?.value.forEachHiddenHash(body)
  }

  override func holdsSameOutline(as other: SectionFacts) -> Bool {
    outline === Self.of(other).outline
  }

  override func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure? {
    outline?.value.disclosure(of: item.assumingMemoryBound(to: ItemID.self).pointee)
  }

  override func compareOutline(
    since old: SectionFacts, visible: OrderMatching
  ) -> OutlineComparison {
    OutlineComparison(old: Self.of(old), new: self, visible: visible)
  }

  fileprivate override func dropArray() { array = nil }

  override func copy() -> SectionFacts {
    SectionBody(key: key, items: items, outline: outline, model: model)
  }

  /// The typed view of the facts of a section with such items.
  static func of(_ facts: SectionFacts) -> SectionBody {
    // It is called only for records with these types; see `TypedRevisionNotes.of(_:)`.
    unsafeDowncast(facts, to: SectionBody.self)
  }
}

extension Totals {
  /// Adds a section.
  mutating func append(_ section: SectionFacts) {
    items += section.itemCount
    if let rowCount = section.rowCount {
      outlines += 1
      hiddenRows += rowCount - section.itemCount
    }
  }
}
