/// Edits by position, for states between two snapshots that a batch leads through.
///
/// Positions that do not exist throw ``SnapshotError/inapplicableDifference(reason:)``.
extension Snapshot {
  /// Removes neighbouring items.
  mutating func removeItems(at range: ItemPathSet.PathRange) throws(SnapshotError) {
    deleteItems(try identifiers(at: range))
  }

  /// Adds items in front of the one at a path, or behind the last one of its section.
  mutating func insert(_ items: [ItemID], at path: ItemPath) throws(SnapshotError) {
    if let anchor = itemIdentifier(for: path) {
      try insertItems(items, beforeItem: anchor)
    } else {
      let section = try identifiers(at: path.section..<path.section + 1)[0]
      guard numberOfItems(inSection: section) == path.item else {
        throw .inapplicableDifference(reason: "there is no place for an item at \(path)")
      }
      try appendItems(items, toSection: section)
    }
  }

  /// Moves an item; `to` is where it stands afterwards.
  mutating func moveItem(from: ItemPath, to: ItemPath) throws(SnapshotError) {
    let range = ItemPathSet.PathRange(section: from.section, items: from.item..<from.item + 1)
    let items = try identifiers(at: range)
    deleteItems(items)
    try insert(items, at: to)
  }

  /// Removes neighbouring sections with their items.
  mutating func removeSections(at range: Range<Int>) throws(SnapshotError) {
    deleteSections(try identifiers(at: range))
  }

  /// Adds sections with the items they have in another snapshot.
  mutating func insertSections(
    at range: Range<Int>, from other: Snapshot
  ) throws(SnapshotError) {
    let new = try other.identifiers(at: range)
    if let anchor = sectionIdentifier(at: range.lowerBound) {
      try insertSections(new, beforeSection: anchor)
    } else {
      appendSections(new)
    }
    for section in new {
      try appendItems(other.items(inSection: section), toSection: section)
    }
  }

  /// Moves a section; `to` is where it stands afterwards.
  mutating func moveSection(from: Int, to: Int) throws(SnapshotError) {
    let section = try identifiers(at: from..<from + 1)[0]
    let anchor = try identifiers(at: to..<to + 1)[0]
    if from < to {
      try moveSection(section, afterSection: anchor)
    } else {
      try moveSection(section, beforeSection: anchor)
    }
  }

  /// The items at neighbouring paths.
  func identifiers(at range: ItemPathSet.PathRange) throws(SnapshotError) -> [ItemID] {
    let section = try identifiers(at: range.section..<range.section + 1)[0]
    let items = items(inSection: section)
    guard items.indices.contains(range.items) else {
      throw .inapplicableDifference(reason: "section \(range.section) has no items \(range.items)")
    }
    return Array(items[range.items])
  }

  /// The sections at neighbouring indices.
  func identifiers(at range: Range<Int>) throws(SnapshotError) -> [SectionID] {
    guard (0..<numberOfSections).contains(range) else {
      throw .inapplicableDifference(reason: "there are no sections \(range)")
    }
    return range.compactMap(sectionIdentifier(at:))
  }
}
