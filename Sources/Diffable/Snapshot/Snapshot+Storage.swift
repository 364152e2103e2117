extension Snapshot {
  /// The sections with what they hold, first to last.
  var records: [Record] {
    order.elements
  }

  /// Creates a snapshot of sections with their items.
  init(_ kernels: SnapshotKernels, contents: some Sequence<(id: SectionID, items: [ItemID])>) {
    self.init(kernels, contents: contents.lazy.map { ($0.id, .array($0.items, kernels.items)) })
  }

  /// Creates a snapshot of sections with their items.
  init(
    _ kernels: SnapshotKernels,
    contents: some Sequence<(id: SectionID, items: SectionItems<ItemID>)>
  ) {
    self.init(kernels)
    var records: [Record] = []
    for (id, items) in contents {
      records.append(Record(id: id, key: sectionTable.makeKey(), items: items))
      itemCount += items.count
    }
    let content = LeafContent(hashing: records, kernels.records)
    sectionTable.apply(order.replaceSubrange(0..<0, with: content), kernels.facts)
  }

  /// What a section is made of: a list or an outline.
  enum Content {
    case list([ItemID])
    case outline(Outline<ItemID>)
  }

  /// Creates a snapshot of sections with lists and outlines.
  init(_ kernels: SnapshotKernels, sections: [(id: SectionID, content: Content)]) {
    self.init(
      kernels,
      contents: sections.lazy.map { section in
        switch section.content {
        case .list(let items): (id: section.id, items: items)
        case .outline: (id: section.id, items: [])
        }
      })
    for (index, section) in sections.enumerated() {
      if case .outline(let outline) = section.content { setOutline(outline, ofSectionAt: index) }
    }
  }

  // MARK: Finding

  /// The number of visible items of a section that is there.
  func itemCount(ofSectionAt index: Int) -> Int {
    order.base.withElement(at: index) { kernels.facts.withFacts(ofRecordAt: $0) { $0.itemCount } }
  }

  /// Whether a section that is there is an outline.
  func isOutline(sectionAt index: Int) -> Bool {
    order.totals.outlines > 0
      && order.base.withElement(at: index) {
        kernels.facts.withFacts(ofRecordAt: $0) { $0.rowCount != nil }
      }
  }

  /// The indices of a section, in ascending order; more than one only in a snapshot that is not
  /// valid.
  func indices(ofSection id: SectionID) -> [Int] {
    let hash = id.storedHash
    return withUnsafePointer(to: id) {
      order.base.positions(of: $0, hash: hash, in: sectionTable.byIdentifier)
    }
  }

  /// Where a section with a key stands.
  func index(ofSection key: SectionKey) -> Int? {
    order.base.index(ofSection: key, sectionTable, kernels.facts)
  }

  /// Where an item is visible, and the sections whose outlines hide it, each in ascending order.
  typealias Places = (visible: [ItemPath], hidden: [Int])

  /// Where an item is; more than one path only in a snapshot that is not valid.
  func places(ofItem item: ItemID) -> Places {
    if let places = placesByLiveTable(ofItem: item) { return places }
    guard order.totals.outlines > 0 else { return (pathsAlone(ofItem: item), []) }
    return resolved.places(ofItem: item, hash: item.storedHash)
  }

  func paths(ofItem item: ItemID) -> [ItemPath] {
    placesByLiveTable(ofItem: item)?.visible ?? pathsAlone(ofItem: item)
  }

  /// What this snapshot knows by itself.
  private func pathsAlone(ofItem item: ItemID) -> [ItemPath] {
    if itemTable != nil { return paths(ofItem: item, hash: item.storedHash) }
    if resolution?.isAskedSeldom == true, let places = scan(for: [item]) { return places[0] }
    return resolved.paths(ofItem: item, hash: item.storedHash)
  }

  /// The paths of an item.
  ///
  /// Needs the table.
  func paths(ofItem item: ItemID, hash: UInt32) -> [ItemPath] {
    guard let table = itemTable?.entries else { return [] }
    return withUnsafePointer(to: item) {
      order.base.paths(ofItem: $0, hash: hash, sectionTable, kernels.facts) {
        table.forEachEntry(hash: hash, $0)
      }
    }
  }

  /// Where an item is.
  ///
  /// Needs the table.
  func places(ofItem item: ItemID, hash: UInt32) -> Places {
    guard let table = itemTable?.entries else { return ([], []) }
    return places(ofItem: item, hash: hash) { table.forEachEntry(hash: hash, $0) }
  }

  /// Where an item is by the table of the live state, or `nil` if that does not tell.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  func placesByLiveTable(ofItem item: ItemID) -> Places? {
    guard itemTable == nil, let live = resolution?.live, resolution?.cached == nil else {
      return nil
    }
    let hash = item.storedHash
    guard let answer = live.entries(hash: hash, of: order.base) else { return nil }
    let places = places(ofItem: item, hash: hash) { body in
      _ = answer.entries.first { !body($0) }
    }
    return answer.areExact || !places.visible.isEmpty || !places.hidden.isEmpty ? places : nil
  }

  /// Where an item is, as entries say that may be those of a related state.
  func places(
    ofItem item: ItemID, hash: UInt32,
    forEachEntry: ((IdentityTable.Entry) -> Bool) -> Void
  ) -> Places {
    let visible = withUnsafePointer(to: item) {
      order.base.paths(
        ofItem: $0, hash: hash, sectionTable, kernels.facts, forEachEntry: forEachEntry)
    }
    guard order.totals.outlines > 0 else { return (visible, []) }
    var hidden: [Int] = []
    var previous: SectionKey?
    forEachEntry { entry in
      guard entry.label == .hidden, entry.section != previous else { return true }
      previous = entry.section
      if let section = index(ofSection: entry.section), !hidden.contains(section),
        !visible.contains(where: { $0.section == section }),
        let outline = order[section].outline?.value,
        let position = outline.position(of: item, hash: hash), !outline.rows[position].isVisible
      {
        hidden.append(section)
      }
      return true
    }
    return (visible, hidden.count > 1 ? hidden.sorted() : hidden)
  }

  // MARK: Editing

  /// Edits the items of a section that is a list as a tree, and lets the table follow.
  ///
  /// - Parameters:
  ///   - items: What the edit brings. An edit that also takes items out uses
  ///     ``setContent(ofSectionAt:_:_:bringing:)``.
  ///   - edit: Edits the tree, whose items are filed under a key, and answers what the table has to learn.
  mutating func editItems(
    ofSectionAt index: Int, bringing items: LeafContent? = nil,
    _ edit: (inout OrderTree, SectionKey) -> IdentityChanges
  ) {
    willEdit()
    var changes = IdentityChanges()
    var count = 0
    order.mutateElement(at: index) { record in
      let key = record.key
      record.editTree { tree in
        count -= tree.count
        changes = edit(&tree, key)
        count += tree.count
      }
    }
    itemCount += count
    if itemTable != nil {
      let items = items ?? LeafContent(kernels.items)
      follow(changes, bringing: items)
    }
    _checkInvariants()
  }

  /// Puts other items in the place of all items of a section that is a list.
  mutating func setItems(ofSectionAt index: Int, to items: [ItemID]) {
    willEdit()
    if itemTable != nil {
      let record = order[index]
      // The table is asked before the edit, which then is alone in holding it.
      let (tree, matching) = record.items.tree.adopting(
        items, table: itemTable?.entries, section: record.key)
      setContent(
        ofSectionAt: index, .tree(tree), nil,
        bringing: tree.base.newcomers(matching, since: record.items.tree.base))
    } else {
      let kernel = kernels.items
      itemCount += items.count - itemCount(ofSectionAt: index)
      order.mutateElement(at: index) { $0.setItems(items, kernel) }
    }
    _checkInvariants()
  }

  /// Puts sections in the place of others, with the items that both have.
  mutating func replaceSections(_ range: Range<Int>, with records: [Record]) {
    willEdit()
    var changes = IdentityChanges()
    for index in range {
      let record = order[index]
      itemCount -= record.items.count
      if itemTable != nil { changes.appendRemoves(record) }
    }
    for record in records {
      itemCount += record.items.count
      if itemTable != nil { changes.appendInserts(record) }
    }
    let content = LeafContent(hashing: records, kernels.records)
    sectionTable.apply(order.replaceSubrange(range, with: content), kernels.facts)
    follow(changes, bringing: nil)
    _checkInvariants()
  }

  /// Moves a section to an index that counts without it.
  ///
  /// Its items stay where they are in it.
  mutating func moveSection(at index: Int, to target: Int) {
    willEdit()
    let record = order[index]
    let content = LeafContent(hashing: [record], kernels.records)
    let nothing = LeafContent(kernels.records)
    sectionTable.apply(order.replaceSubrange(index..<index + 1, with: nothing), kernels.facts)
    sectionTable.apply(order.replaceSubrange(target..<target, with: content), kernels.facts)
    _checkInvariants()
  }
}

extension SectionRecord {
  /// What the section is made of.
  var content: Snapshot<SectionID, ItemID>.Content {
    outline.map { .outline($0.value) } ?? .list(items.array)
  }
}
