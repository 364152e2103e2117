extension Snapshot {
  /// Checks that every identifier appears once.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or, if the sections are unique,
  ///   ``SnapshotError/duplicateItems(_:)``, with every duplicate and all its places.
  /// - Complexity: O(s + n) for s sections and n items, given a good hash; less if the lookup table
  ///   exists.
  public func validate() throws(SnapshotError) {
    let snapshot = resolved
    guard snapshot.hasDuplicateSections || snapshot.hasDuplicateItems() else { return }
    throw duplicates()
  }

  /// Whether a possible duplicate among the sections really appears twice.
  ///
  /// - Complexity: O(k) comparisons for k sections with the hashes of the possible duplicates.
  var hasDuplicateSections: Bool {
    guard !base.sectionTable.possibleDuplicates.isEmpty else { return false }
    for possible in base.sectionTable.possibleDuplicates {
      guard let leaf = order.leaf(labelled: possible.label) else { continue }
      for record in leaf.elements(hash: possible.hash)
      where indices(ofSection: record.id).count > 1 {
        return true
      }
    }
    return false
  }

  /// Whether a possible duplicate among the items really appears twice.
  ///
  /// Needs the table.
  ///
  /// - Parameter areComplete: Whether both of any two equal items are possible duplicates.
  /// - Complexity: O(k) comparisons for each of a few possible duplicates, with k items of its hash.
  ///   For many of one hash, the cost of an ``IdentifierSet`` of them, or of all items of that hash.
  func hasDuplicateItems(whereAllPossibleAreKnown areComplete: Bool = false) -> Bool {
    guard let found = base.itemTable?.possibleDuplicates, !found.isEmpty else { return false }
    var byHash: [UInt32: [ItemID]] = [:]
    found.forEach(as: ItemID.self) { item, hash in byHash[hash, default: []].append(item()) }
    return byHash.contains { hash, possible in
      if areComplete { return IdentifierSet(possible).count < possible.count }
      let all = items(hash: hash)
      guard possible.count <= Self.mostComparedSingly else {
        return IdentifierSet(all).count < all.count
      }
      return possible.contains { one in
        var isFound = false
        for item in all where item == one {
          if isFound { return true }
          isFound = true
        }
        return false
      }
    }
  }

  /// The number of possible duplicates of one hash up to which each is compared by itself.
  static var mostComparedSingly: Int { 8 }

  /// All items with a hash, hidden ones included.
  func items(hash: UInt32) -> [ItemID] {
    var seen: Set<IdentityTable.Entry> = []
    var records: [SectionKey: SectionRecord<SectionID, ItemID>] = [:]
    var items: [ItemID] = []
    base.itemTable?.entries.forEachEntry(hash: hash) { entry in
      if records[entry.section] == nil {
        records[entry.section] = base.index(ofSection: entry.section).map { order[$0] }
      }
      guard let record = records[entry.section] else { return true }
      // For an outline, its rows are searched, visible or not.
      let label = record.outline == nil ? entry.label : .hidden
      let place = IdentityTable.Entry(hash: hash, section: entry.section, label: label)
      if seen.insert(place).inserted { items += record.items(filedUnder: place) }
      return true
    }
    return items
  }

  /// The error that lists everything that appears twice.
  func duplicates() -> SnapshotError {
    var sectionPlaces = IdentifierMap<SectionID, [Int]>()
    var itemPlaces = IdentifierMap<ItemID, (visible: [ItemPath], hidden: [ItemPath])>()
    for (section, record) in records.enumerated() {
      sectionPlaces.change(record.id, default: []) { $0.append(section) }
      for (index, item) in Items(base: record.items).enumerated() {
        itemPlaces.change(item, default: ([], [])) {
          $0.visible.append(ItemPath(section: section, item: index))
        }
      }
      record.outline?.value.forEachRow { row, visibleBefore, isHidden in
        guard isHidden else { return }
        itemPlaces.change(row.id, default: ([], [])) {
          $0.hidden.append(ItemPath(section: section, item: visibleBefore - 1))
        }
      }
    }
    let sections = sectionPlaces.elements.filter { $0.value.count > 1 }
    guard sections.isEmpty else {
      return .duplicateSections(
        sections.sortedIfNeeded { $0.value[0] }.map {
          .init(identifier: AnyItemID($0.key), places: $0.value)
        })
    }
    let items = itemPlaces.elements.filter { $0.value.visible.count + $0.value.hidden.count > 1 }
    func first(_ places: (visible: [ItemPath], hidden: [ItemPath])) -> ItemPath {
      (places.visible.prefix(1) + places.hidden.prefix(1)).min() ?? ItemPath(section: 0, item: 0)
    }
    return .duplicateItems(
      items.map { (item: $0.key, places: $0.value, first: first($0.value)) }
        .sortedIfNeeded { $0.first }
        .map {
          .init(
            identifier: AnyItemID($0.item), places: $0.places.visible,
            hiddenPlaces: $0.places.hidden)
        })
  }

  /// Deletes the first items of a section, so that it has no more than a number of them once the policy has
  /// dropped duplicates.
  ///
  /// If the policy is to reject duplicates, and there are some, they all stay, to be rejected.
  ///
  /// - Complexity: As ``keepLastItems(_:inSection:)``; O(n) for n items if some appear twice.
  mutating func keepLastItems(
    _ count: Int, inSection section: SectionID, leavingDuplicatesTo policy: DuplicatePolicy
  ) throws(SnapshotError) {
    resolve()
    guard hasDuplicates else { return try keepLastItems(count, inSection: section) }
    guard policy != .reject else { return }
    var unique = self
    _ = unique.dropDuplicates(keepingLast: policy == .keepLast)
    deleteItems(Array(unique.items(inSection: section).dropLast(Swift.max(0, count))))
  }

  /// Drops duplicates as the policy says, and returns what was dropped.
  ///
  /// Sections are processed first; the items of a dropped section are dropped with it.
  mutating func dropDuplicates(
    keepingLast: Bool
  ) -> (sections: [SectionID], items: [ItemID]) {
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    var kept: [(id: SectionID, rows: Rows)] = []
    var seenSections = IdentifierSet<SectionID>()
    var seenItems = IdentifierSet<ItemID>()
    func inOrder<Element>(_ elements: [Element]) -> [Element] {
      keepingLast ? elements.reversed() : elements
    }
    for record in inOrder(Array(records)) {
      guard seenSections.insert(record.id) else {
        dropped.sections.append(record.id)
        dropped.items.append(contentsOf: record.allItems)
        continue
      }
      if var outline = record.outline?.value {
        // An outline has no item twice, so only items of other sections are dropped here.
        let gone = outline.items.filter(seenItems.contains)
        for subtree in outline.subtrees(of: gone.compactMap(outline.position(of:))) {
          outline.forEachRow(in: subtree) { dropped.items.append($0.id) }
        }
        outline.delete(gone)
        for item in outline.items { seenItems.insert(item) }
        kept.append((record.id, .outline(outline)))
        continue
      }
      var items: [ItemID] = []
      for item in inOrder(record.items.array) {
        if seenItems.insert(item) {
          items.append(item)
        } else {
          dropped.items.append(item)
        }
      }
      kept.append((record.id, .list(inOrder(items))))
    }
    let marks = marks
    self = Snapshot(kernels, sections: inOrder(kept))
    self.marks = marks
    return (inOrder(dropped.sections), inOrder(dropped.items))
  }
}

extension SectionRecord {
  /// The items that an entry of the table may refer to.
  func items(filedUnder entry: IdentityTable.Entry) -> [ItemID] {
    guard entry.label == .hidden else {
      guard case .tree(let tree) = items else { return [] }
      return tree.leaf(labelled: entry.label)?.elements(hash: entry.hash) ?? []
    }
    return outline?.value.items(hash: entry.hash) ?? []
  }
}

/// What a data source does with an identifier that appears twice in a snapshot.
///
/// Within one outline no identifier can appear twice: an edit that would add one to the outline that has it throws,
/// whatever the policy is.
public enum DuplicatePolicy: Hashable, Sendable {
  /// The snapshot is rejected with an error that lists every duplicate. Nothing changes.
  case reject
  /// The first place counts; later ones are dropped and listed in the batch.
  case keepFirst
  /// The last place counts; earlier ones are dropped and listed in the batch.
  ///
  /// Apple's append does the same with an item that is already in the list.
  case keepLast
}
