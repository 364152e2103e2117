extension Snapshot {
  /// Appends sections.
  ///
  /// - Complexity: O(m + log s) for m new ones among s sections.
  @inlinable public mutating func appendSections(
    _ sections: some Sequence<SectionID> & SendableMetatype
  ) {
    insertSections(Array(sections), at: numberOfSections)
  }

  /// Inserts sections, in their order, before another.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that section does not exist.
  /// - Complexity: O(m + log s) for m new ones among s sections.
  public mutating func insertSections(
    _ sections: some Sequence<SectionID> & SendableMetatype, beforeSection anchor: SectionID
  ) throws(SnapshotError) {
    insertSections(Array(sections), at: try index(ofSection: anchor))
  }

  /// Inserts sections, in their order, after another.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that section does not exist.
  /// - Complexity: O(m + log s) for m new ones among s sections.
  public mutating func insertSections(
    _ sections: some Sequence<SectionID> & SendableMetatype, afterSection anchor: SectionID
  ) throws(SnapshotError) {
    insertSections(Array(sections), at: try index(ofSection: anchor) + 1)
  }

  /// Deletes sections with their items.
  ///
  /// Unknown sections are ignored.
  ///
  /// - Complexity: O(m · log s + k) for m of s sections, with k items in them if the snapshot has
  ///   its lookup table or marks.
  public mutating func deleteSections(_ sections: some Sequence<SectionID> & SendableMetatype) {
    var (gone, items) = ([SectionID](), [ItemID]())
    for section in sections {
      for index in indices(ofSection: section).reversed() {
        if !marks.isEmpty {
          items += order[index].allItems
          gone.append(section)
        }
        removeSections(inRange: index..<index + 1)
      }
    }
    marks.forget(items: items)
    marks.forget(sections: gone)
  }

  /// Moves a section with its items before another; moving it before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if either section does not exist.
  /// - Complexity: O(log s) for s sections, however many items it has.
  public mutating func moveSection(
    _ section: SectionID, beforeSection anchor: SectionID
  ) throws(SnapshotError) {
    try moveSection(section, toSlot: try index(ofSection: anchor))
  }

  /// Moves a section with its items after another; moving it after itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if either section does not exist.
  /// - Complexity: O(log s) for s sections, however many items it has.
  public mutating func moveSection(
    _ section: SectionID, afterSection anchor: SectionID
  ) throws(SnapshotError) {
    try moveSection(section, toSlot: try index(ofSection: anchor) + 1)
  }

  /// Moves a section to the place before the one that a slot names now, and records that it was placed.
  private mutating func moveSection(
    _ section: SectionID, toSlot slot: Int
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let target = index < slot ? slot - 1 : slot
    guard index != target else { return }
    moveSection(at: index, to: target)
    marks.placed.insert(section: section, kernels.sections)
  }

  /// Marks sections for a reload: they are shown again with all their items.
  ///
  /// What is in them when the change is made counts. If an item leaves such a section in a later change, and a
  /// subscriber reads both changes together, the item is reloaded where it is then.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` with all sections that do not exist.
  /// - Complexity: O(m · log s) for m of s sections.
  public mutating func reloadSections(
    _ sections: some Sequence<SectionID> & SendableMetatype
  ) throws(SnapshotError) {
    marks.reload(sections: try known(sections: sections))
  }

  /// Marks sections for a reconfigure: headers and footers are updated in place, items are not.
  ///
  /// A reload mark on the same section overrides it.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` with all sections that do not exist.
  /// - Complexity: O(m · log s) for m of s sections.
  public mutating func reconfigureSections(
    _ sections: some Sequence<SectionID> & SendableMetatype
  ) throws(SnapshotError) {
    marks.reconfigure(sections: try known(sections: sections))
  }

  func known(
    sections: some Sequence<SectionID> & SendableMetatype
  ) throws(SnapshotError) -> [SectionID] {
    let sections = Array(sections)
    let unknown = sections.filter { !containsSection($0) }
    guard unknown.isEmpty else { throw .unknownSection(unknown.map(AnyItemID.init)) }
    return sections
  }

  /// Appends the section of a list that can have no other, before its first rows.
  mutating func appendOnlySection() {
    guard numberOfSections == 0, let only = SingleSection() as? SectionID else { return }
    insertSections([only], at: 0)
  }

  func index(ofSection section: SectionID) throws(SnapshotError) -> Int {
    guard let index = indexOfSection(section) else {
      throw .unknownSection([AnyItemID(section)])
    }
    return index
  }
}
