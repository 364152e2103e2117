extension Snapshot {
  /// The sections with their contents, first to last.
  package var records: [Record] {
    order.elements
  }

  /// Creates a snapshot of sections with their items.
  package init(_ kernels: SnapshotKernels, contents: [(id: SectionID, items: [ItemID])]) {
    self.init(kernels, sections: contents.map { $0.id }) { number in
      .array(contents[number].items, kernels.items)
    }
  }

  /// Creates a snapshot of sections with their items.
  package init(
    _ kernels: SnapshotKernels, contents: [(id: SectionID, items: SectionItems<ItemID>)]
  ) {
    self.init(kernels, sections: contents.map { $0.id }) { contents[$0].items }
  }

  /// Creates a snapshot of sections.
  ///
  /// - Parameter items: Makes the items of one of them.
  init(
    _ kernels: SnapshotKernels, sections: [SectionID],
    items: (_ number: Int) -> SectionItems<ItemID>
  ) {
    self.init(kernels)
    sections.withUnsafeBufferPointer { sections in
      base.insertSections(.init(sections), at: 0) { number, key in
        SectionBody(key: key, items: items(number))
      }
    }
    base.itemCount = base.order.totals.items
  }

  /// The rows of a section: a flat list or an outline.
  package enum Rows: Sendable, Equatable {
    case list([ItemID])
    case outline(Outline<ItemID>)

    package var isEmpty: Bool {
      switch self {
      case .list(let items): items.isEmpty
      case .outline(let outline): outline.isEmpty
      }
    }
  }

  /// Creates a snapshot of sections with flat lists and outlines.
  package init(_ kernels: SnapshotKernels, sections: [(id: SectionID, rows: Rows)]) {
    self.init(
      kernels,
      contents: sections.map { section in
        switch section.rows {
        case .list(let items): (id: section.id, items: items)
        case .outline: (id: section.id, items: [])
        }
      })
    for (index, section) in sections.enumerated() {
      if case .outline(let outline) = section.rows { setOutline(outline, ofSectionAt: index) }
    }
  }

  // MARK: Finding

  /// The number of visible items of an existing section.
  package func itemCount(ofSectionAt index: Int) -> Int {
    base.itemCount(ofSectionAt: index)
  }

  /// The identifier of an existing section.
  package func section(at index: Int) -> SectionID {
    let record = base.order.element(at: index)
    return withExtendedLifetime(record.leaf) {
      // It is the first property of its record.
      record.address.assumingMemoryBound(to: SectionID.self).pointee
    }
  }

  /// The indices of a section, in ascending order.
  ///
  /// There is more than one only in a snapshot that is not valid.
  func indices(ofSection id: SectionID) -> [Int] {
    let hash = id.storedHash
    return withUnsafePointer(to: id) {
      base.sectionTable.indices(of: $0, hash: hash, in: base.order, kernels.bodies)
    }
  }

  /// The paths where an item is visible, and the sections whose outlines hide it, ascending.
  typealias Places = (visible: [ItemPath], hidden: [Int])

  /// The places of an item; more than one only in a snapshot that is not valid.
  func places(ofItem item: ItemID) -> Places {
    guard base.order.totals.outlines > 0 else { return (paths(ofItem: item), []) }
    return placesByLiveTable(ofItem: item)
      ?? resolved.places(ofItem: item, hash: item.storedHash)
  }

  /// The paths where an item is visible.
  func paths(ofItem item: ItemID) -> [ItemPath] {
    if base.itemTable == nil {
      if let places = placesByLiveTable(ofItem: item) { return places.visible }
      if base.resolution?.isAskedSeldom == true, let places = scan(for: [item]) { return places[0] }
    }
    let hash = item.storedHash
    return withUnsafePointer(to: item) { item in
      base.itemTable == nil
        ? resolved.base.paths(ofItem: item, hash: hash) : base.paths(ofItem: item, hash: hash)
    }
  }

  /// The places of an item.
  ///
  /// Needs the table.
  func places(ofItem item: ItemID, hash: UInt32) -> Places {
    guard let table = base.itemTable?.entries else { return ([], []) }
    return places(ofItem: item, hash: hash) { table.forEachEntry(hash: hash, $0) }
  }

  /// The places of an item by the table of the live state, or `nil` if that cannot tell.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  func placesByLiveTable(ofItem item: ItemID) -> Places? {
    guard base.itemTable == nil, let live = base.resolution?.live, base.resolution?.cached == nil
    else { return nil }
    let hash = item.storedHash
    guard let answer = live.entries(hash: hash, of: base.order) else { return nil }
    let places = places(ofItem: item, hash: hash) { body in
      _ = answer.entries.first { !body($0) }
    }
    return answer.areExact || !places.visible.isEmpty || !places.hidden.isEmpty ? places : nil
  }

  /// The places of an item by entries of a table, which may be the table of a related state.
  func places(
    ofItem item: ItemID, hash: UInt32,
    forEachEntry: ((IdentityTable.Entry) -> Bool) -> Void
  ) -> Places {
    let visible = withUnsafePointer(to: item) {
      base.order.paths(
        ofItem: $0, hash: hash, base.sectionTable, kernels.bodies, forEachEntry: forEachEntry)
    }
    guard base.order.totals.outlines > 0 else { return (visible, []) }
    var hidden: [Int] = []
    var previous: SectionKey?
    forEachEntry { entry in
      guard entry.label == .hidden, entry.section != previous else { return true }
      previous = entry.section
      if let section = base.index(ofSection: entry.section), !hidden.contains(section),
        !visible.contains(where: { $0.section == section }),
        let outline = order[section].outline?.value,
        let position = outline.position(of: item, hash: hash), !outline.rows[position].isVisible
      {
        hidden.append(section)
      }
      return true
    }
    return (visible, hidden.sortedIfNeeded { $0 })
  }

  // MARK: Editing

  /// Removes items of a flat section, given by ascending positions; the table follows.
  package mutating func removeItems(at positions: [Int], inSectionAt index: Int) {
    base.willEdit()
    let changes = base.editTree(ofSectionAt: index) { $0.remove(at: positions, section: $1) }
    let kernel = kernels.items
    base.follow(changes, bringing: HashedElements(kernel))
    _checkInvariants()
  }

  /// Inserts items before a position of a flat section; the table follows.
  package mutating func insert(_ items: HashedElements, at path: ItemPath) {
    guard !items.isEmpty else { return }
    _ = withExtendedLifetime(items) { base.insert(items.span, at: path) }
    _checkInvariants()
  }

  /// See ``UntypedSnapshot/insert(_:_:at:)``.
  package mutating func insert(
    _ items: ElementSpan, _ models: ModelSpan, at path: ItemPath
  ) -> Bool {
    let isInserted = base.insert(items, models, at: path)
    _checkInvariants()
    return isInserted
  }

  /// See ``UntypedSnapshot/removeKeepingModels(at:)``.
  package mutating func removeKeepingModels(at path: ItemPath) -> Bool {
    let isRemoved = base.removeKeepingModels(at: path)
    _checkInvariants()
    return isRemoved
  }

  /// Replaces all items of a flat section.
  mutating func setItems(ofSectionAt index: Int, to items: [ItemID]) {
    base.willEdit()
    if base.itemTable != nil {
      let record = order[index]
      // The table is read before the edit, so that the edit is its only holder.
      let (tree, matching) = record.items.tree.updated(
        to: items, table: base.itemTable?.entries, section: record.key)
      setRows(
        ofSectionAt: index, .tree(tree), nil,
        bringing: tree.base.newcomers(matching, since: record.items.tree.base))
    } else {
      let kernels = kernels
      var count = items.count
      base.order.mutateElement(at: index) { record in
        kernels.bodies.edit(ofRecordAt: record) {
          count -= $0.itemCount
          $0.setItems(ItemArray(items, kernels.items))
        }
      }
      base.itemCount += count
    }
    _checkInvariants()
  }

  /// Inserts sections without items before an index.
  @usableFromInline package mutating func insertSections(_ sections: [SectionID], at index: Int) {
    guard !sections.isEmpty else { return }
    let nothing = SectionItems<ItemID>.none(kernels.items)
    sections.withUnsafeBufferPointer { sections in
      base.insertSections(.init(sections), at: index) { _, key in
        SectionBody(key: key, items: nothing)
      }
    }
    _checkInvariants()
  }

  /// Removes sections with their items.
  mutating func removeSections(inRange range: Range<Int>) {
    base.removeSections(range)
    _checkInvariants()
  }

  /// Moves a section to an index that is counted without it.
  ///
  /// Its items keep their places in it.
  package mutating func moveSection(at index: Int, to target: Int) {
    base.willEdit()
    let record = order[index]
    let elements = HashedElements(hashing: [record], kernels.records)
    base.replaceSections(index..<index + 1, with: HashedElements(kernels.records))
    base.replaceSections(target..<target, with: elements)
    _checkInvariants()
  }
}

extension SectionRecord {
  /// The rows of the section.
  var rows: Snapshot<SectionID, ItemID>.Rows {
    outline.map { .outline($0.value) } ?? .list(items.array)
  }
}

extension Snapshot {
  /// Checks the numbered invariants of the type, if ``checksInvariants``.
  func _checkInvariants(withModels hasModels: Bool = false) {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(
      !hasModels || kernels.models == nil
        || records.allSatisfy { $0.rowTree.leaves.allSatisfy { $0.models != nil } },
      "an item without a model")
    precondition(
      base.itemCount == records.reduce(0) { $0 + $1.items.count }, "1: number of items")
    precondition(
      base.sectionTable.isPostponed
        || base.sectionTable.count.map { $0 == numberOfSections }
          ?? (numberOfSections <= order.shape.leafCapacity),
      "2: entries of sections")
    precondition(Set(records.map(\.key)).count == numberOfSections, "2: keys are unique")
    for (index, record) in records.enumerated() {
      precondition(indices(ofSection: record.id).contains(index), "2: section is filed")
      precondition(base.index(ofSection: record.key) == index, "2: section is filed by key")
    }
    for record in records {
      guard let outline = record.outline?.value else { continue }
      outline._checkInvariants()
      precondition(record.items.array == outline.visibleItems, "5: visible items")
    }
    guard let itemTable = base.itemTable else {
      precondition(base.resolution != nil, "4: a resolution")
      return
    }
    let hidden = records.reduce(0) {
      $0 + (($1.outline?.value.count ?? $1.items.count) - $1.items.count)
    }
    precondition(itemTable.entries.count == numberOfItems + hidden, "3: entries of items")
    for (section, record) in records.enumerated() {
      record.outline?.value.forEachRow { row, _, isHidden in
        guard isHidden else { return }
        precondition(
          places(ofItem: row.id, hash: row.storedHash).hidden.contains(section),
          "3: hidden item is filed")
      }
    }
    for (section, record) in records.enumerated() {
      guard case .tree(let tree) = record.items else {
        preconditionFailure("3: all sections hold trees")
      }
      for (index, item) in Items(base: .tree(tree)).enumerated() {
        let path = ItemPath(section: section, item: index)
        precondition(paths(ofItem: item).contains(path), "3: item is filed")
      }
    }
    #endif
  }
}
