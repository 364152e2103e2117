/// The items and sections whose writer has said where they are: those that it moved one by one.
///
/// Two states do not say what a writer did: `[1 2 3] → [1 3 2]` is 3 one up, or 2 one down. An edit knows
/// it, so it records the row that it was asked to move. A row that is placed is one that may move; the
/// order of the states says whether it has.
///
/// Placed rows travel as marks do, but request nothing: a follower that does not get them shows the same
/// list.
package struct PlacedRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// `nil` if nothing was placed, as mostly.
  private var box: CopyOnWrite<PlacedElements>?

  package init() {}

  init(_ elements: PlacedElements) {
    box = elements.isEmpty ? nil : CopyOnWrite(elements)
  }

  package init(sections: some Sequence<SectionID>, items: some Sequence<ItemID>) {
    self.init(PlacedElements(sections: .made(of: sections), items: .made(of: items)))
  }

  /// What a difference moves, by its new state.
  ///
  /// - Complexity: O(m · log n) for m moves.
  init(movedBy difference: SnapshotDifference, in new: Snapshot<SectionID, ItemID>) {
    self.init(
      PlacedElements(
        sections: .made(
          of: difference.sectionMoves.compactMap { new.sectionIdentifier(at: $0.to) }),
        items: new.base.items(at: difference.itemMoves.lazy.map(\.to))))
  }

  /// All of them, without their types.
  var elements: PlacedElements? { box?.value }

  package var sections: PlacedIdentifiers<SectionID> {
    PlacedIdentifiers(box?.read { $0.pointee.sections })
  }
  package var items: PlacedIdentifiers<ItemID> {
    PlacedIdentifiers(box?.read { $0.pointee.items })
  }

  package var isEmpty: Bool { box == nil }
  package var count: Int { sections.count + items.count }

  /// Adds an item, with the kernel of all items.
  mutating func insert(item: ItemID, _ kernel: ElementKernel) {
    edit { ElementIndex.insert(item, to: &$0.items, kernel) }
  }

  /// Adds a section, with the kernel of all sections.
  mutating func insert(section: SectionID, _ kernel: ElementKernel) {
    edit { ElementIndex.insert(section, to: &$0.sections, kernel) }
  }

  package mutating func formUnion(_ later: PlacedRows) {
    guard let later = later.elements else { return }
    edit { $0.formUnion(later) }
  }

  /// Removes items that are deleted together.
  ///
  /// - Complexity: O(m + p) for m items and p placed ones.
  mutating func remove(items gone: [ItemID]) {
    let placed = items
    guard !placed.isEmpty else { return }
    let removed = IdentifierSet(gone.lazy.filter(placed.contains))
    if !removed.isEmpty { keep(items: { !removed.contains($0) }) }
  }

  /// Removes sections that are deleted together.
  ///
  /// - Complexity: O(m + p) for m sections and p placed rows.
  mutating func remove(sections gone: [SectionID]) {
    let placed = sections
    guard !placed.isEmpty else { return }
    let removed = IdentifierSet(gone.lazy.filter(placed.contains))
    if !removed.isEmpty { keep(sections: { !removed.contains($0) }) }
  }

  /// Gives placed items their new names.
  ///
  /// - Complexity: O(r) for r renames; O(p) more for p placed items if one of them gets the name of another one.
  mutating func rename(_ renames: some Sequence<ItemRename<ItemID>>) {
    guard !items.isEmpty else { return }
    let moved = renames.filter { items.contains($0.old) }
    guard !moved.isEmpty, !replace(moved) else { return }
    let gone = IdentifierSet(moved.lazy.map(\.old))
    keep(items: { !gone.contains($0) })
    formUnion(PlacedRows(sections: [], items: moved.map(\.new)))
  }

  /// Replaces names where they are, one after another, until one is there already; returns whether none is.
  private mutating func replace(_ renames: [ItemRename<ItemID>]) -> Bool {
    var isDone = true
    edit { elements in
      for rename in renames where isDone {
        isDone = elements.items?.replace(rename.old, with: rename.new) ?? false
      }
    }
    return isDone
  }

  /// Adds the old names of placed items, for a state that may know them by either.
  mutating func alias(_ renames: some Sequence<ItemRename<ItemID>>) {
    guard !items.isEmpty else { return }
    let former = renames.filter { items.contains($0.new) }.map(\.old)
    if !former.isEmpty { formUnion(PlacedRows(sections: [], items: former)) }
  }

  /// Removes what does not satisfy a condition.
  mutating func keep(
    sections isSection: (SectionID) -> Bool = { _ in true },
    items isItem: (ItemID) -> Bool = { _ in true }
  ) {
    guard var elements else { return }
    let hasChanged = elements.keep { section, _ in
      isSection(section.element())
    } items: { item, _ in
      isItem(item.element())
    }
    if hasChanged { self = Self(elements) }
  }

  /// Removes what is not in a state.
  mutating func keep(in state: Snapshot<SectionID, ItemID>) {
    guard var elements else { return }
    let hasChanged = elements.keep { section, _ in
      state.base.index(ofSectionEqualTo: section) != nil
    } items: { item, hash in
      // What an outline hides is there, too, and has no path.
      state.base.firstPath(ofItem: item, hash: hash) != nil || state.containsItem(item.element())
    }
    if hasChanged { self = Self(elements) }
  }

  /// The same in a list of other sections, with the same items.
  package func translated<Other: Hashable & Sendable>(
    _ section: (SectionID) -> Other?
  ) -> PlacedRows<Other, ItemID> {
    guard let elements else { return PlacedRows<Other, ItemID>() }
    return PlacedRows<Other, ItemID>(
      PlacedElements(
        sections: .made(of: sections.inOrder.compactMap(section)), items: elements.items))
  }

  private mutating func edit(_ body: (inout PlacedElements) -> Void) {
    var box = self.box ?? CopyOnWrite(PlacedElements())
    // The box must have a single holder, so that it is not copied.
    self.box = nil
    body(&box.value)
    self.box = box
  }
}

/// The identifiers of placed rows, or of placed sections, in the order in which they were placed.
package struct PlacedIdentifiers<ID: Hashable & Sendable> {
  private let elements: ElementIndex?

  init(_ elements: ElementIndex??) { self.elements = elements ?? nil }

  package var isEmpty: Bool { elements == nil }
  package var count: Int { elements?.count ?? 0 }

  package var inOrder: [ID] {
    var ids: [ID] = []
    elements?.forEach { id, _ in ids.append(id.element()) }
    return ids
  }

  package func contains(_ id: ID) -> Bool {
    guard let elements else { return false }
    return withUnsafePointer(to: id) {
      elements.contains($0, hash: elements.elements.kernel.hash(of: $0))
    }
  }
}

extension ElementIndex {
  /// Adds an identifier to a set that may not be there yet.
  fileprivate static func insert<ID: Hashable & Sendable>(
    _ id: ID, to set: inout ElementIndex?, _ kernel: ElementKernel
  ) {
    var added = set ?? ElementIndex(kernel)
    // The set must have a single holder, so that it is not copied.
    set = nil
    withUnsafePointer(to: id) { added.insert($0, hash: kernel.hash(of: $0)) }
    set = added
  }

  /// Replaces an identifier with one that is not there; returns whether that could be done.
  fileprivate mutating func replace<ID: Hashable & Sendable>(_ old: ID, with new: ID) -> Bool {
    let kernel = elements.kernel
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        replace(old, hash: kernel.hash(of: old), with: new, hash: kernel.hash(of: new))
      }
    }
  }

  /// The set of some identifiers; `nil` if there are none.
  fileprivate static func made<ID: Hashable & Sendable>(
    of ids: some Sequence<ID>
  ) -> ElementIndex? {
    var set: ElementIndex?
    var kernel: ElementKernel?
    for id in ids {
      let known = kernel ?? ElementKernel(ID.self)
      kernel = known
      insert(id, to: &set, known)
    }
    return set
  }
}

extension UnsafeRawPointer {
  /// A copy of the element at this address.
  fileprivate func element<Element>(as type: Element.Type = Element.self) -> Element {
    assumingMemoryBound(to: type).pointee
  }
}

extension PlacedRows: Equatable {
  package static func == (left: PlacedRows, right: PlacedRows) -> Bool {
    left.count == right.count && left.sections.inOrder == right.sections.inOrder
      && left.items.inOrder == right.items.inOrder
  }
}

extension Snapshot {
  /// The items that the writer has placed with ``moveItem(_:beforeItem:)`` and its relatives, in the order
  /// of the calls.
  ///
  /// Where two states allow several answers to what has moved, it was one of these.
  public var placedItemIdentifiers: [ItemID] { marks.placed.items.inOrder }

  /// The sections that the writer has placed with ``moveSection(_:beforeSection:)`` or
  /// ``moveSection(_:afterSection:)``, in the order of the calls.
  public var placedSectionIdentifiers: [SectionID] { marks.placed.sections.inOrder }
}
