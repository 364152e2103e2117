/// What a tree of sections must know about each section, for any type of identifiers.
///
/// It may be shared between threads as an array may: code that edits its tree in place holds the
/// only reference, and code that shares it only reads. All other properties are constant and
/// `Sendable`.
@usableFromInline package final class SectionBody: @unchecked Sendable {
  package let key: SectionKey
  /// The items, as a tree or as an array.
  ///
  /// Private, since access to what other modules see would be checked for exclusivity each time.
  private var items: (count: Int, tree: OrderTree?, array: (any SectionArray)?)
  /// The rows, if the section is an outline.
  package let outline: (any SectionOutline)?
  /// The number of rows of the outline, if there is one.
  let rowCount: Int?
  /// Whether a row of the outline waits for its children.
  package let isLoading: Bool
  package let model: SectionContent?

  package init(
    key: SectionKey, tree: OrderTree, outline: (any SectionOutline)? = nil,
    model: SectionContent? = nil
  ) {
    (self.key, self.outline, self.model) = (key, outline, model)
    (items, rowCount) = ((tree.count, tree, nil), outline?.count)
    isLoading = outline?.rowTree.totals.isLoading ?? false
  }

  package init(
    key: SectionKey, array: any SectionArray, outline: (any SectionOutline)? = nil,
    model: SectionContent? = nil
  ) {
    (self.key, self.outline, self.model) = (key, outline, model)
    (items, rowCount) = ((array.count, nil, array), outline?.count)
    isLoading = outline?.rowTree.totals.isLoading ?? false
  }

  private init(
    copyOf other: SectionBody, _ outline: (any SectionOutline)?, _ model: SectionContent?
  ) {
    (key, items) = (other.key, other.items)
    (rowCount, isLoading) = (other.rowCount, other.isLoading)
    (self.outline, self.model) = (outline, model)
  }

  package var itemCount: Int { items.count }
  /// The items, unless they are an array.
  package var tree: OrderTree? { items.tree }
  /// The items, unless they are a tree.
  package var array: (any SectionArray)? { items.array }

  /// The items as a tree; computes the hashes of an array.
  package var itemTree: OrderTree {
    if let tree = items.tree { return tree }
    guard let array = items.array else { preconditionFailure("a section without items") }
    return array.makeTree()
  }

  /// The tree of all rows, hidden ones included: the one that has the models.
  package var rowTree: OrderTree { outline?.rowTree ?? itemTree }

  /// The same section, with a tree of the same rows.
  func withRows(_ tree: OrderTree) -> SectionBody {
    guard let outline else { return SectionBody(key: key, tree: tree, model: model) }
    return SectionBody(copyOf: self, outline.withRows(tree), model)
  }

  /// The same section with another model.
  func withModel(_ model: SectionContent?) -> SectionBody {
    SectionBody(copyOf: self, outline, model)
  }

  /// Whether the section is an outline.
  package var isOutline: Bool { rowCount != nil }

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
    items = (0, nil, nil)
    let result = edit(&edited)
    items = (edited.count, edited, nil)
    return result
  }

  /// Replaces the items; the section must have a single holder.
  package func setItems(_ items: any SectionArray) {
    self.items = (items.count, nil, items)
  }
}

/// The items of a section as they were passed in, in code that knows their type.
package protocol SectionArray: AnyObject, Sendable {
  var count: Int { get }
  /// Whether a writer has given their models.
  var hasModels: Bool { get }

  /// The items as a tree; computes their hashes.
  func makeTree() -> OrderTree

  /// The items on the storage of a tree, and how they match it.
  ///
  /// - Parameters:
  ///   - old: The tree, filed under a key.
  ///   - table: The table in which its items are.
  ///   - mostChanges: When more changes than that are found, no table is used.
  func reusing(
    _ old: OrderTree, table: IdentityTable?, section: SectionKey, mostChanges: Int
  ) -> (tree: OrderTree, matching: OrderMatching?)
}

/// The outline of a section, in code that knows the type of its items.
///
/// Two sections that are compared have outlines of the same type.
package protocol SectionOutline: AnyObject, Sendable {
  /// The number of rows.
  var count: Int { get }
  var visibleItems: any SectionArray { get }

  /// Calls a function with the hash of each item that the outline hides.
  func forEachHiddenHash(_ body: (UInt32) -> Void)
  /// Appends all items, hidden ones included, with their hashes.
  func appendItems(to elements: inout HashedElements)
  /// How an item is drawn, given by its address; `nil` for an unknown item.
  func disclosure(ofItem item: UnsafeRawPointer) -> Disclosure?
  /// The tree of the rows.
  var rowTree: OrderTree { get }
  /// The same outline, with a tree of the same rows.
  func withRows(_ tree: OrderTree) -> any SectionOutline
  /// The model of a visible row, by its index among them.
  func model(ofVisibleRow index: Int) -> HeldModel?
  /// Calls a function for each row that an older outline has with another model: with its index among
  /// the visible ones, if it is visible.
  func forEachChangedModel(
    since older: any SectionOutline, _ models: ElementKernel, _ body: (_ visibleRow: Int?) -> Void
  )
  func isEqual(to other: any SectionOutline) -> Bool
  /// The outline edited to show the items of a list; `nil` if they contain one twice.
  func showing(_ list: SectionBody) -> (any SectionOutline)?
  /// The changes between two versions of a section, of which at least one is an outline.
  func comparison(
    from old: SectionBody, to new: SectionBody, visible: OrderMatching
  ) -> OutlineComparison
}

extension Totals {
  /// Adds a section.
  package mutating func append(_ section: SectionBody) {
    items += section.itemCount
    if let rowCount = section.rowCount {
      outlines += 1
      hiddenRows += rowCount - section.itemCount
      if section.isLoading { isLoading = true }
    }
  }
}

/// The model of a section, whatever its type, or the fact that it has none.
@usableFromInline package final class SectionContent: Equatable, Sendable {
  package let model: (any Equatable & Sendable)?

  package init(_ model: (any Equatable & Sendable)? = nil) {
    self.model = model
  }

  /// The value that a record stores: `nil` for a section without a model.
  package var stored: SectionContent? { model == nil ? nil : self }

  @usableFromInline package static func == (left: SectionContent, right: SectionContent) -> Bool {
    if left === right { return true }
    guard let model = left.model else { return right.model == nil }
    func equal<Model: Equatable>(_ model: Model) -> Bool { right.model as? Model == model }
    return equal(model)
  }
}

extension SectionBody {
  /// The same rows on the storage of the section in the live state.
  ///
  /// If this held an array, it also returns how the items match those of the live section. If
  /// requested, a list in place of an outline keeps the tree, see ``SectionOutline/showing(_:)``.
  func reusing(
    _ partner: SectionBody?, key: SectionKey, table: IdentityTable?, mostChanges: Int,
    keepingOutlines keepsOutlines: Bool
  ) -> (section: SectionBody, matching: OrderMatching?) {
    guard let partner else {
      return (SectionBody(key: key, tree: itemTree, outline: outline), nil)
    }
    var (array, outline) = (array, outline)
    var isSame = false
    if let live = partner.outline, live !== outline, outline != nil || keepsOutlines,
      let kept = outline ?? live.showing(self)
    {
      isSame = kept.isEqual(to: live)
      if isSame {
        (array, outline) = (nil, live)
      } else if outline == nil {
        (array, outline) = (kept.visibleItems, kept)
      }
    }
    let (result, matching) =
      array?.reusing(
        partner.itemTree, table: table, section: partner.key, mostChanges: mostChanges)
      ?? (isSame ? partner.itemTree : itemTree, nil)
    // Equal contents should be the same object, which is quickest to compare.
    if matching == nil, partner.key == key, partner.outline === outline,
      partner.tree?.isIdentical(to: result) == true
    {
      return (partner, nil)
    }
    let section = SectionBody(key: key, tree: result, outline: outline, model: partner.model)
    return (section, matching)
  }

  /// Where the records of a type store their bodies.
  @usableFromInline package struct Place: Sendable {
    @usableFromInline let offset: Int
    @usableFromInline let stride: Int

    package init(offset: Int, stride: Int) {
      (self.offset, self.stride) = (offset, stride)
    }

    /// Calls a function with the body of a record, given by its address or that of an earlier one.
    @inlinable package func withBody<Result>(
      ofRecordAt address: UnsafeRawPointer, _ index: Int = 0, _ body: (SectionBody) -> Result
    ) -> Result {
      // The body is the only property at this offset of a record, and it is a `SectionBody`.
      let section = (address + index &* stride + offset).load(as: Unmanaged<SectionBody>.self)
      return section._withUnsafeGuaranteedRef(body)
    }

    /// The body of a record, given by its address.
    @inlinable package func body(ofRecordAt address: UnsafeRawPointer) -> SectionBody {
      withBody(ofRecordAt: address) { $0 }
    }

    /// Calls a function that may change the body of a record, given by its address.
    ///
    /// The body is copied if it has another holder.
    package func edit<Result>(
      ofRecordAt address: UnsafeMutableRawPointer, _ body: (SectionBody) -> Result
    ) -> Result {
      // The reference is taken out of the record during the call, so that it is counted once.
      let place = address + offset
      var section = place.load(as: Unmanaged<SectionBody>.self).takeRetainedValue()
      if !isKnownUniquelyReferenced(&section) { section = section.withModel(section.model) }
      let result = body(section)
      place.storeBytes(of: Unmanaged.passRetained(section), as: Unmanaged<SectionBody>.self)
      return result
    }

    /// Sets the body of a record that has none yet, given by its address.
    func initialize(ofRecordAt address: UnsafeMutableRawPointer, to section: SectionBody) {
      (address + offset).storeBytes(
        of: Unmanaged.passRetained(section), as: Unmanaged<SectionBody>.self)
    }

    /// Replaces the body of a record, given by its address, with a body of the same types.
    func put(_ section: SectionBody, inRecordAt address: UnsafeMutableRawPointer) {
      let place = address + offset
      let old = place.load(as: Unmanaged<SectionBody>.self)
      place.storeBytes(of: Unmanaged.passRetained(section), as: Unmanaged<SectionBody>.self)
      old.release()
    }
  }
}
