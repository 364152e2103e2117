/// A snapshot in code that does not know the types of its identifiers.
///
/// ``Snapshot`` adds the types, as ``TypedTree`` does for ``OrderTree``. Everything that needs no
/// types is done here: generic code keeps asking the runtime for its types, and for an edit of one
/// item that takes longer than the edit.
///
/// Its invariants are those of ``Snapshot``.
@usableFromInline package struct UntypedSnapshot: Sendable {
  @usableFromInline package var kernels: SnapshotKernels
  /// The records of the sections.
  @usableFromInline package var order: OrderTree
  package var sectionTable: SectionTable
  package var itemCount: Int
  package var itemTable: ItemTable?
  package var resolution: Resolution?

  /// A snapshot without the table, which uses the table of a live state.
  package func detached(asking live: LiveTable?) -> UntypedSnapshot {
    UntypedSnapshot(
      kernels: kernels, order: order, sectionTable: sectionTable, itemCount: itemCount,
      itemTable: nil, resolution: Resolution(asking: live))
  }

  /// A snapshot without any table, for one of many states that are held at a time.
  ///
  /// It makes its tables when they are first needed, and edits by position never need them.
  package var unfiled: UntypedSnapshot {
    var state = detached(asking: nil)
    state.sectionTable.postpone()
    return state
  }

  /// Whether any section is an outline.
  package var hasOutlines: Bool { order.totals.outlines > 0 }

  /// The approximate number of identifiers that it holds, those of hidden rows included.
  package var weight: Int { itemCount + order.totals.hiddenRows + order.count }

  // MARK: Finding

  /// Calls a function with the body of an existing section.
  @inlinable package func withBody<Result>(
    ofSectionAt index: Int, _ body: (SectionBody) -> Result
  ) -> Result {
    // A closure that captured the kernels would hold a copy of the snapshot.
    let bodies = kernels.bodies
    return order.withElement(at: index) { bodies.withBody(ofRecordAt: $0, 0, body) }
  }

  /// The number of visible items of an existing section.
  package func itemCount(ofSectionAt index: Int) -> Int {
    withBody(ofSectionAt: index) { $0.itemCount }
  }

  /// Whether an existing section is an outline.
  package func isOutline(sectionAt index: Int) -> Bool {
    hasOutlines && withBody(ofSectionAt: index) { $0.rowCount != nil }
  }

  /// The body of an existing section.
  package func body(ofSectionAt index: Int) -> SectionBody { withBody(ofSectionAt: index) { $0 } }

  /// The model of the visible item at a path; `nil` if there is no such item, or if it has none.
  ///
  /// - Complexity: O(log n) for n items.
  package func model(at path: ItemPath) -> HeldModel? {
    guard (0..<order.count).contains(path.section) else { return nil }
    let section = body(ofSectionAt: path.section)
    guard (0..<section.itemCount).contains(path.item) else { return nil }
    guard let outline = section.outline else { return section.tree?.model(at: path.item) }
    return outline.model(ofVisibleRow: path.item)
  }

  /// The index of the section with a key.
  package func index(ofSection key: SectionKey) -> Int? {
    sectionTable.index(of: key, in: order, kernels.bodies)
  }

  /// The index of the section with an identifier.
  package func index(ofSectionEqualTo id: UnsafeRawPointer) -> Int? {
    sectionTable.firstIndex(
      of: id, hash: kernels.sections.hash(of: id), in: order, kernels.bodies)
  }

  /// The paths of an item, in ascending order.
  ///
  /// Needs the table.
  package func paths(ofItem item: UnsafeRawPointer, hash: UInt32) -> [ItemPath] {
    guard let table = itemTable?.entries else { return [] }
    return order.paths(ofItem: item, hash: hash, sectionTable, kernels.bodies) {
      table.forEachEntry(hash: hash, $0)
    }
  }

  /// The first path of an item.
  ///
  /// Needs the table.
  package func firstPath(ofItem item: UnsafeRawPointer, hash: UInt32) -> ItemPath? {
    var first: ItemPath?
    var probe: Int?
    // No closure, as that would hold a copy of the snapshot.
    while let entry = itemTable?.entries.nextEntry(hash: hash, &probe) {
      guard let section = sectionTable.index(of: entry.section, in: order, kernels.bodies),
        let found = body(ofSectionAt: section)
          .firstPosition(ofItem: item, hash: hash, in: entry.label)
      else { continue }
      let path = ItemPath(section: section, item: found)
      if first.map({ path < $0 }) ?? true { first = path }
    }
    return first
  }

  /// The items at some different, existing paths; `nil` if there are none.
  ///
  /// - Complexity: O(k · log n) for k paths.
  package func items(at paths: some Collection<ItemPath>) -> ElementIndex? {
    var items = HashedElements(kernels.items, capacity: paths.count)
    var (section, tree) = (-1, OrderTree?.none)
    for path in paths {
      if path.section != section {
        (section, tree) = (path.section, withBody(ofSectionAt: path.section) { $0.itemTree })
      }
      guard let place = tree?.leaf(atPosition: path.item) else { continue }
      withExtendedLifetime(place.leaf) {
        let (span, offset) = (place.leaf.span, path.item - place.base)
        items.append(span.address(offset), hash: span.hashes[offset])
      }
    }
    var index = ElementIndex(kernels.items)
    index.set(contentsOf: items)
    return items.isEmpty ? nil : index
  }

  // MARK: Editing

  /// Prepares for an edit of the order: what was resolved belongs to the old order.
  ///
  /// If the table has been made already, it is kept and follows the edit.
  package mutating func willEdit() {
    guard itemTable == nil else { return }
    if let cached = resolution?.cached {
      self = cached
    } else if !isKnownUniquelyReferenced(&resolution) || resolution?.isUntouched != true {
      resolution = Resolution()
    }
  }

  /// Edits the items of a flat section as a tree.
  ///
  /// - Parameter edit: Edits the tree, whose items are filed under a key.
  package mutating func editTree<Result>(
    ofSectionAt index: Int, _ edit: (inout OrderTree, SectionKey) -> Result
  ) -> Result {
    let bodies = kernels.bodies
    var result: Result?
    var count = 0
    order.mutateElement(at: index) { record in
      let key = bodies.withBody(ofRecordAt: record) { $0.key }
      result = bodies.edit(ofRecordAt: record) { section in
        count -= section.itemCount
        defer { count += section.itemCount }
        return section.editTree { edit(&$0, key) }
      }
    }
    itemCount += count
    guard let result else { preconditionFailure("no section \(index) to edit") }
    return result
  }

  /// Edits the leaves of a section's rows, which stay the same rows.
  package mutating func editLeaves(
    ofSectionAt index: Int, _ edit: (inout OrderTree) -> Void
  ) {
    let section = body(ofSectionAt: index)
    let old = section.rowTree
    var tree = old
    edit(&tree)
    if !tree.isIdentical(to: old) { setBody(ofSectionAt: index, to: section.withRows(tree)) }
  }

  /// Sets the model of an existing section.
  package mutating func setContent(ofSectionAt index: Int, to content: SectionContent?) {
    let section = body(ofSectionAt: index)
    if section.model !== content { setBody(ofSectionAt: index, to: section.withModel(content)) }
  }

  /// Replaces the body of a section; the number of all items and the table do not follow.
  package mutating func setBody(ofSectionAt index: Int, to section: SectionBody) {
    let bodies = kernels.bodies
    order.mutateElement(at: index) { bodies.put(section, inRecordAt: $0) }
  }

  /// Inserts items before a position of a flat section; the table follows.
  ///
  /// - Parameter models: Their models, if the models of the other items are to be kept.
  /// - Returns: `false` if models were given that cannot be kept: nothing has changed then.
  @discardableResult
  package mutating func insert(
    _ items: ElementSpan, _ models: ModelSpan? = nil, at path: ItemPath
  ) -> Bool {
    willEdit()
    let changes = editTree(ofSectionAt: path.section) { tree, key in
      tree.insert(items, models, at: path.item, section: key)
    }
    guard let changes else { return false }
    let kernel = kernels.items
    follow(changes, bringing: HashedElements(kernel, copying: items))
    return true
  }

  /// Removes an item of a flat section, and keeps the models beside it; the table follows.
  ///
  /// - Returns: Whether its leaf has models and enough other items; otherwise nothing has changed.
  package mutating func removeKeepingModels(at path: ItemPath) -> Bool {
    willEdit()
    let changes = editTree(ofSectionAt: path.section) { tree, key in
      tree.removeInPlace(at: path.item, keepingModels: true, section: key)
    }
    guard let changes else { return false }
    let kernel = kernels.items
    follow(changes, bringing: HashedElements(kernel))
    return true
  }

  /// Hashes adjacent items, and inserts them before a position of a flat section.
  package mutating func insert(_ first: UnsafeRawPointer, count: Int, at path: ItemPath) {
    let kernel = kernels.items
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { hashes in
      // There are items, so there is an address.
      let start = hashes.baseAddress.unsafelyUnwrapped
      kernel.writeHashes(first, count, start)
      insert(
        ElementSpan(first: first, hashes: start, count: count, stride: kernel.stride), at: path)
    }
  }

  /// Inserts sections before an index; the item table does not follow.
  ///
  /// - Parameters:
  ///   - sections: Their identifiers.
  ///   - make: Makes the body of one of them, with a key.
  package mutating func insertSections(
    _ sections: Reuse.Elements, at index: Int,
    _ make: (_ number: Int, SectionKey) -> SectionBody
  ) {
    willEdit()
    let kernels = kernels
    let elements = HashedElements(kernels.records, count: sections.count) { number, record in
      // An identifier is the first property of its record.
      kernels.sections.copy(sections[number], to: record, count: 1)
      let key = sectionTable.makeKey(order, kernels.bodies)
      kernels.bodies.initialize(ofRecordAt: record, to: make(number, key))
    }
    replaceSections(index..<index, with: elements)
  }

  /// Replaces the records of sections; the item table does not follow.
  package mutating func replaceSections(_ range: Range<Int>, with records: HashedElements) {
    sectionTable.follow(order.replaceSubrange(range, with: records), to: order, kernels.bodies)
  }

  /// Removes sections with their items; the table follows.
  package mutating func removeSections(_ range: Range<Int>) {
    willEdit()
    var changes = IdentityChanges()
    for index in range {
      let body = body(ofSectionAt: index)
      itemCount -= body.itemCount
      if itemTable != nil { changes.removed.append(itemsOf: body) }
    }
    replaceSections(range, with: HashedElements(kernels.records))
    let kernel = kernels.items
    follow(changes, bringing: HashedElements(kernel))
  }

  /// Whether something may appear twice.
  package var mayHaveDuplicates: Bool {
    !sectionTable.possibleDuplicates.isEmpty || itemTable?.possibleDuplicates.isEmpty == false
  }

  /// Clears the possible duplicates, once none has turned out to appear twice.
  package mutating func forgetPossibleDuplicates() {
    sectionTable.forgetPossibleDuplicates()
    itemTable?.forgetPossibleDuplicates()
  }
}

extension ElementKernel {
  /// The stored hash of an element.
  package func hash(of element: UnsafeRawPointer) -> UInt32 {
    var hash: UInt32 = 0
    writeHashes(element, 1, &hash)
    return hash
  }
}

extension UntypedSnapshot {
  /// Creates a snapshot without any section.
  package init(_ kernels: SnapshotKernels) {
    self.init(
      kernels: kernels, order: OrderTree(shape: .sections, kernel: kernels.records),
      sectionTable: SectionTable(), itemCount: 0, itemTable: nil, resolution: Resolution())
  }
}

/// What a snapshot knows of its identifiers; see ``ElementKernel``.
///
/// It is made with the first snapshot, in client code that knows the types. All snapshots derived
/// from that snapshot share it.
@usableFromInline package final class SnapshotKernels: Sendable {
  /// The kernel of section identifiers.
  package let sections: ElementKernel
  /// The kernel of item identifiers.
  package let items: ElementKernel
  /// The kernel of section records.
  package let records: ElementKernel
  /// Where records store their bodies.
  @usableFromInline package let bodies: SectionBody.Place
  /// The kernel of the models that a source keeps for the items.
  package let models: ElementKernel?

  package init(
    sections: ElementKernel, items: ElementKernel, records: ElementKernel,
    bodies: SectionBody.Place, models: ElementKernel?
  ) {
    (self.sections, self.items, self.records) = (sections, items, records)
    (self.bodies, self.models) = (bodies, models)
  }
}

extension UntypedSnapshot {
  /// The approximate number of bytes that it holds and another state does not.
  ///
  /// What identifiers and models hold elsewhere does not count.
  ///
  /// - Parameter other: A state whose leaves it may share; `nil` for none.
  /// - Complexity: O(l + s) for l leaves and s sections of both.
  package func bytes(besides other: UntypedSnapshot?) -> Int {
    var shared: Set<ObjectIdentifier> = []
    other?.forEachSection { body in
      for leaf in body.tree?.leaves ?? [] { shared.insert(leaf.identity) }
    }
    let item = kernels.items.stride + MemoryLayout<UInt32>.stride
    var bytes = 0
    forEachSection { body in
      // The record, the body, and their part of the tree of sections.
      bytes += 300
      // An entry of the table has 16 bytes, and about half of the slots are used.
      bytes += body.itemCount * 32
      // A row of an outline has its level and flags besides.
      bytes += (body.rowCount ?? 0) * (item + MemoryLayout<UInt64>.stride)
      if let tree = body.tree {
        for leaf in tree.leaves where !shared.contains(leaf.identity) {
          bytes += 100 + leaf.count * (item + (leaf.models?.kernel.stride ?? 0))
        }
      } else {
        bytes += body.itemCount * (item + (kernels.models?.stride ?? 0))
      }
    }
    return bytes
  }

  private func forEachSection(_ visit: (SectionBody) -> Void) {
    for index in 0..<order.count { withBody(ofSectionAt: index, visit) }
  }
}
