/// A section as the order of sections holds it: two words besides its identifier.
///
/// Two records are equal when they are the same section.
struct SectionRecord<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  let id: SectionID
  fileprivate(set) var body: SectionBody<ItemID>

  init(
    id: SectionID, key: SectionKey, items: SectionItems<ItemID>,
    outline: HeldOutline<ItemID>? = nil, model: SectionContent? = nil
  ) {
    self.id = id
    body = SectionBody(key: key, items: items, outline: outline, model: model)
  }

  /// What the item table calls this section, wherever it moves.
  var key: SectionKey { body.key }

  /// The items of a list, or the visible items of an outline.
  var items: SectionItems<ItemID> {
    get { body.items }
    set { body = SectionBody(key: key, items: newValue, outline: outline, model: model) }
  }

  /// The number of items.
  var itemCount: Int { body.itemCount }

  /// The outline whose visible items these are, where the section holds one.
  var outline: HeldOutline<ItemID>? { body.outline }

  /// The model of the section, in a source of models.
  var model: SectionContent? {
    get { body.model }
    set { body = SectionBody(key: key, items: items, outline: outline, model: newValue) }
  }

  /// The same section with other items, and the outline that they belong to.
  func showing(
    _ items: SectionItems<ItemID>, _ outline: HeldOutline<ItemID>?
  ) -> SectionRecord {
    SectionRecord(id: id, key: key, items: items, outline: outline, model: model)
  }

  /// Whether both hold the same object, so that nothing has to be compared.
  func isIdentical(to other: SectionRecord) -> Bool { body === other.body }

  static func == (left: SectionRecord, right: SectionRecord) -> Bool {
    left.id == right.id
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// What a tree of sections has to know of each, whatever its identifiers are.
///
/// It may be shared between threads as an array may: who edits its tree in place holds the only reference,
/// and those who share it only read. All other properties are constant and `Sendable`. The compiler
/// proves that of final classes only. The one subclass is ``SectionBody``, since nothing outside of this
/// file can call the initialiser.
class SectionFacts: @unchecked Sendable {
  let key: SectionKey
  fileprivate(set) var itemCount: Int
  /// The items, unless they are an array.
  fileprivate(set) var tree: OrderTree?
  /// The number of rows of the outline, where there is one.
  let rowCount: Int?

  fileprivate init(key: SectionKey, itemCount: Int, tree: OrderTree?, rowCount: Int?) {
    self.key = key
    self.itemCount = itemCount
    self.tree = tree
    self.rowCount = rowCount
  }
}

/// What a section holds.
///
/// It may be shared between threads: its own properties are constant and `Sendable` as well, but for
/// ``array``, which is written when the tree is.
final class SectionBody<ItemID: Hashable & Sendable>: SectionFacts, @unchecked Sendable {
  let outline: HeldOutline<ItemID>?
  let model: SectionContent?
  /// The items, unless they are a tree.
  private var array: SectionItems<ItemID>?

  fileprivate init(
    key: SectionKey, items: SectionItems<ItemID>, outline: HeldOutline<ItemID>?,
    model: SectionContent?
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

  /// Puts others in the place of the items of a section that nobody else holds.
  fileprivate func setItems(_ items: SectionItems<ItemID>) {
    (tree, array, itemCount) = (nil, items, items.count)
  }

  /// Edits the items, as a tree, of a section that nobody else holds.
  fileprivate func editTree<Result>(_ edit: (inout OrderTree) -> Result) -> Result {
    var edited = tree ?? items.tree.base
    // The tree has one holder while it is edited, or it would be copied.
    (tree, array) = (nil, nil)
    let result = edit(&edited)
    itemCount = edited.count
    tree = edited
    return result
  }
}

extension SectionRecord {
  /// Puts other items in the place of those of a list: in place where nobody else holds the section.
  mutating func setItems(_ items: [ItemID], _ kernel: ElementKernel) {
    if isKnownUniquelyReferenced(&body) {
      body.setItems(.array(items, kernel))
    } else {
      self.items = .array(items, kernel)
    }
  }

  /// Edits the items as a tree: in place where nobody else holds the section.
  mutating func editTree<Result>(_ edit: (inout OrderTree) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&body) {
      body = SectionBody(key: key, items: items, outline: outline, model: model)
    }
    return body.editTree(edit)
  }
}

/// The items of a section.
enum SectionItems<ItemID: Hashable & Sendable>: Sendable {
  /// As they were handed in: nothing copied, nothing hashed.
  ///
  /// With the kernel of the tree that they may become, and where a writer gives them, their models.
  case array([ItemID], ElementKernel, models: RowModels? = nil)
  /// In order, with their hashes.
  case tree(ItemTree<ItemID>)

  /// No items, as a tree.
  static func none(_ kernel: ElementKernel) -> SectionItems {
    .tree(ItemTree(shape: .items, kernel: kernel))
  }

  /// What is known of the items.
  var kernel: ElementKernel {
    switch self {
    case .array(_, let kernel, _): kernel
    case .tree(let tree): tree.kernel
    }
  }

  var count: Int {
    switch self {
    case .array(let items, _, _): items.count
    case .tree(let tree): tree.count
    }
  }

  /// The items as a tree; hashes those of an array.
  var tree: ItemTree<ItemID> {
    switch self {
    case .array(let items, let kernel, let models):
      RowModels.withSpan(of: models) {
        ItemTree(items, models: $0, shape: .items, kernel: kernel)
      }
    case .tree(let tree): tree
    }
  }

  /// The items as an array; copies those of a tree.
  var array: [ItemID] {
    switch self {
    case .array(let items, _, _): items
    case .tree(let tree): tree.elements
    }
  }

  /// The item at an index that exists.
  ///
  /// - Complexity: O(1) in an array, O(log n) in a tree of n items.
  subscript(index: Int) -> ItemID {
    switch self {
    case .array(let items, _, _): items[index]
    case .tree(let tree): tree[index]
    }
  }

  /// Whether both are the same object, so that nothing has to be compared.
  func isIdentical(to other: SectionItems) -> Bool {
    guard case .tree(let tree) = self, case .tree(let other) = other else { return false }
    return tree.isIdentical(to: other)
  }
}

/// An outline as a record holds it: one word, and the same object where nothing changed.
final class HeldOutline<ItemID: Hashable & Sendable>: Sendable {
  let value: Outline<ItemID>

  init(_ value: Outline<ItemID>) {
    self.value = value
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

extension ElementKernel {
  /// The kernel of the records of some sections.
  static func records<SectionID, ItemID>(
    _ type: SectionRecord<SectionID, ItemID>.Type, _ sections: ElementKernel
  ) -> ElementKernel {
    let place = SectionFacts.place(in: type)
    return ElementKernel(type, identifiedBy: sections) { first, count in
      var totals = Totals()
      for index in 0..<count {
        place.withFacts(ofRecordAt: first, index) { totals.append($0) }
      }
      return totals
    }
  }
}

extension SectionFacts {
  /// Where the records of some type have their facts.
  struct Place {
    let offset: Int
    let stride: Int

    /// Calls a function with the facts of a record, by its address or that of one before it.
    func withFacts<Result>(
      ofRecordAt address: UnsafeRawPointer, _ index: Int = 0, _ body: (SectionFacts) -> Result
    ) -> Result {
      // The body of a record is the only thing that stands there, and it is a `SectionFacts`.
      let facts = (address + index &* stride + offset).load(as: Unmanaged<SectionFacts>.self)
      return facts._withUnsafeGuaranteedRef(body)
    }
  }

  static func place<SectionID, ItemID>(
    in type: SectionRecord<SectionID, ItemID>.Type
  ) -> Place {
    guard let offset = MemoryLayout.offset(of: \SectionRecord<SectionID, ItemID>.body) else {
      preconditionFailure("a record stores its body")
    }
    return Place(offset: offset, stride: MemoryLayout<SectionRecord<SectionID, ItemID>>.stride)
  }
}
