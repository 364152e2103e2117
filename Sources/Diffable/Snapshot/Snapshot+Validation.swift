extension Snapshot {
  /// Checks that every identifier appears once.
  ///
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or, if the sections are in order,
  ///   ``SnapshotError/duplicateItems(_:)``, with every duplicate and all its places.
  /// - Complexity: O(s + n) for s sections and n items, given a good hash.
  public func validate() throws(SnapshotError) {
    var sectionPlaces: [SectionID: [Int]] = [:]
    for (index, section) in sections.enumerated() {
      sectionPlaces[section.id, default: []].append(index)
    }
    let twiceSections = sectionPlaces.filter { $0.value.count > 1 }
    guard twiceSections.isEmpty else {
      throw .duplicateSections(
        twiceSections.sorted { $0.value[0] < $1.value[0] }.map {
          .init(identifier: AnyIdentifier($0.key), places: $0.value)
        })
    }
    var places: [ItemID: [ItemPath]] = [:]
    for (index, section) in sections.enumerated() {
      for (offset, item) in section.items.enumerated() {
        places[item, default: []].append(ItemPath(section: index, item: offset))
      }
    }
    let twice = places.filter { $0.value.count > 1 }
    guard twice.isEmpty else {
      throw .duplicateItems(
        twice.sorted { $0.value[0] < $1.value[0] }.map {
          .init(identifier: AnyIdentifier($0.key), places: $0.value)
        })
    }
  }

  /// Drops what stands twice, as the policy says, and answers what was dropped.
  mutating func dropDuplicates(
    keepingLast: Bool
  ) -> (sections: [SectionID], items: [ItemID]) {
    var dropped: (sections: [SectionID], items: [ItemID]) = ([], [])
    var keptSections: [Section] = []
    var seenSections: Set<SectionID> = []
    for section in keepingLast ? sections.reversed() : sections {
      if seenSections.insert(section.id).inserted {
        keptSections.append(section)
      } else {
        dropped.sections.append(section.id)
        dropped.items.append(contentsOf: section.items)
      }
    }
    sections = keepingLast ? keptSections.reversed() : keptSections
    var seen: Set<ItemID> = []
    for index in keepingLast ? sections.indices.reversed() : Array(sections.indices) {
      let items = keepingLast ? sections[index].items.reversed() : sections[index].items
      let kept = items.filter { item in
        let isFirst = seen.insert(item).inserted
        if !isFirst { dropped.items.append(item) }
        return isFirst
      }
      sections[index].items = keepingLast ? kept.reversed() : kept
    }
    return dropped
  }
}
