/// Edits by position, for the states between the two snapshots of a batch.
///
/// They look up no identifier, so no lookup table is made for a state that lasts one stage only.
/// Positions that do not exist throw ``SnapshotError/inapplicableDifference(reason:)``.
extension Snapshot {
  /// Removes adjacent items.
  ///
  /// - Complexity: O(log n) for n items.
  package mutating func removeItems(at range: ItemPathSet.PathRange) throws(SnapshotError) {
    _ = try identifiers(at: range)
    let nothing = HashedElements(kernels.items)
    base.willEdit()
    let changes = base.editTree(ofSectionAt: range.section) { tree, key in
      IdentityChanges(tree.replaceSubrange(range.items, with: nothing), section: key)
    }
    let kernel = kernels.items
    base.follow(changes, bringing: HashedElements(kernel))
    _checkInvariants()
  }

  /// Inserts items before the one at a path, or at the end of its section.
  ///
  /// - Complexity: O(m + log n) for m new ones among n items.
  package mutating func insert(
    _ items: some Sequence<ItemID>, at path: ItemPath
  ) throws(SnapshotError) {
    _ = try identifiers(at: .init(section: path.section, items: path.item..<path.item))
    let elements = HashedElements(hashing: ContiguousArray(items), kernels.items)
    insert(elements, at: path)
  }

  /// Moves an item; `to` is its path afterwards.
  ///
  /// - Complexity: O(log n) for n items.
  mutating func moveItem(from: ItemPath, to: ItemPath) throws(SnapshotError) {
    let range = ItemPathSet.PathRange(section: from.section, items: from.item..<from.item + 1)
    let item = try Array(identifiers(at: range))
    try removeItems(at: range)
    try insert(item, at: to)
  }

  /// Removes sections with their items.
  ///
  /// - Complexity: O(r · log s) for r ranges of s sections.
  mutating func removeSections(at indices: RangeSet<Int>) throws(SnapshotError) {
    for range in indices.ranges.reversed() { try removeSections(at: range) }
  }

  /// Removes adjacent sections with their items.
  ///
  /// - Complexity: O(log s) for s sections.
  mutating func removeSections(at range: Range<Int>) throws(SnapshotError) {
    _ = try identifiers(at: range)
    removeSections(inRange: range)
  }

  /// Inserts sections of another snapshot with their items.
  ///
  /// - Parameters:
  ///   - index: The index of the first section afterwards.
  ///   - range: Their indices in the other snapshot.
  ///   - other: The other snapshot.
  /// - Complexity: O(m + k · log s) for k new ones among s sections, with m items in them.
  mutating func insertSections(
    at index: Int, _ range: Range<Int>, of other: Snapshot
  ) throws(SnapshotError) {
    let new = try other.identifiers(at: range)
    insertSections(new, at: Swift.min(index, numberOfSections))
    for (target, origin) in zip(index..., range) {
      try insert(other.items(inSectionAt: origin), at: ItemPath(section: target, item: 0))
    }
  }

  /// Moves a section; `to` is its index afterwards.
  ///
  /// - Complexity: O(log s) for s sections.
  mutating func moveSection(from: Int, to: Int) throws(SnapshotError) {
    _ = try identifiers(at: from..<from + 1)
    _ = try identifiers(at: to..<to + 1)
    moveSection(at: from, to: to)
  }

  /// The items at adjacent paths.
  func identifiers(at range: ItemPathSet.PathRange) throws(SnapshotError) -> Slice<Items> {
    let items = items(inSectionAt: range.section)
    guard (0..<numberOfSections).contains(range.section),
      range.items.lowerBound >= 0, range.items.upperBound <= items.count
    else {
      throw .inapplicableDifference(reason: "section \(range.section) has no items \(range.items)")
    }
    return items[range.items]
  }

  /// The sections at adjacent indices.
  func identifiers(at range: Range<Int>) throws(SnapshotError) -> [SectionID] {
    guard range.lowerBound >= 0, range.upperBound <= numberOfSections else {
      throw .inapplicableDifference(reason: "there are no sections \(range)")
    }
    return range.compactMap(sectionIdentifier(at:))
  }
}
