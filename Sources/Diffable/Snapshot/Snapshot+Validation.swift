extension Snapshot {
  /// Checks that every identifier appears once.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or, if the sections are in order,
  ///   ``SnapshotError/duplicateItems(_:)``, with every duplicate and all its places.
  /// - Complexity: O(s + n) for s sections and n items, given a good hash; less where the lookup
  ///   table exists.
  public func validate() throws(SnapshotError) {
    let snapshot = resolved
    guard snapshot.hasDuplicateSections || snapshot.hasDuplicateItems else { return }
    throw duplicates()
  }

  /// Whether a section that is suspected really stands twice.
  ///
  /// - Complexity: O(k) comparisons for k sections with the hashes of the suspects.
  @usableFromInline var hasDuplicateSections: Bool {
    for suspect in sectionTable.suspects {
      guard let leaf = order.leaf(labelled: suspect.label)?.leaf else { continue }
      for (hash, record) in zip(leaf.hashes, leaf.elements)
      where hash == suspect.hash && indices(ofSection: record.id).count > 1 {
        return true
      }
    }
    return false
  }

  /// Whether an item that is suspected really stands twice.
  ///
  /// Needs the table.
  ///
  /// - Complexity: O(k) comparisons for k items with the hashes of the suspects.
  @usableFromInline var hasDuplicateItems: Bool {
    for suspect in itemTable?.suspects ?? [] {
      guard let section = index(ofSection: suspect.section),
        case .tree(let tree) = order[section].items,
        let leaf = tree.leaf(labelled: suspect.label)?.leaf
      else { continue }
      for (hash, item) in zip(leaf.hashes, leaf.elements)
      where hash == suspect.hash && paths(ofItem: item, hash: hash).count > 1 {
        return true
      }
    }
    return false
  }

  /// The error that lists everything that stands twice.
  @usableFromInline func duplicates() -> SnapshotError {
    var sectionPlaces: [SectionID: [Int]] = [:]
    var itemPlaces: [ItemID: [ItemPath]] = [:]
    for (section, record) in records.enumerated() {
      sectionPlaces[record.id, default: []].append(section)
      for (index, item) in Items(base: record.items).enumerated() {
        itemPlaces[item, default: []].append(ItemPath(section: section, item: index))
      }
    }
    let sections = sectionPlaces.filter { $0.value.count > 1 }
    guard sections.isEmpty else {
      return .duplicateSections(
        sections.sorted { $0.value[0] < $1.value[0] }.map {
          .init(identifier: AnyItemID($0.key), places: $0.value)
        })
    }
    return .duplicateItems(
      itemPlaces.filter { $0.value.count > 1 }.sorted { $0.value[0] < $1.value[0] }.map {
        .init(identifier: AnyItemID($0.key), places: $0.value)
      })
  }

  /// Drops what stands twice, as the policy says, and answers what was dropped.
  ///
  /// Sections come first; the items of a dropped section are dropped with it.
  @usableFromInline mutating func dropDuplicates(
    keepingLast: Bool
  ) -> (sections: [SectionID], items: [ItemID]) {
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    var kept: [(id: SectionID, items: [ItemID])] = []
    var seenSections: Set<SectionID> = []
    var seenItems: Set<ItemID> = []
    func inOrder<Element>(_ elements: [Element]) -> [Element] {
      keepingLast ? elements.reversed() : elements
    }
    for record in inOrder(Array(records)) {
      guard seenSections.insert(record.id).inserted else {
        dropped.sections.append(record.id)
        dropped.items.append(contentsOf: record.items.array)
        continue
      }
      var items: [ItemID] = []
      for item in inOrder(record.items.array) {
        if seenItems.insert(item).inserted {
          items.append(item)
        } else {
          dropped.items.append(item)
        }
      }
      kept.append((record.id, inOrder(items)))
    }
    let marks = marks
    self = Snapshot(contents: inOrder(kept))
    self.marks = marks
    return (inOrder(dropped.sections), inOrder(dropped.items))
  }
}
