extension Snapshot {
  /// Adds sections behind the last one.
  public mutating func appendSections(_ sections: some Sequence<SectionID>) {
    self.sections.append(contentsOf: sections.map { Section(id: $0, items: []) })
  }

  /// Adds sections, in their order, before another.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  public mutating func insertSections(
    _ sections: some Sequence<SectionID>, beforeSection anchor: SectionID
  ) throws(SnapshotError) {
    try insertSections(sections, at: index(ofSection: anchor))
  }

  /// Adds sections, in their order, behind another.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if that is not there.
  public mutating func insertSections(
    _ sections: some Sequence<SectionID>, afterSection anchor: SectionID
  ) throws(SnapshotError) {
    try insertSections(sections, at: index(ofSection: anchor) + 1)
  }

  private mutating func insertSections(_ sections: some Sequence<SectionID>, at index: Int) {
    self.sections.insert(contentsOf: sections.map { Section(id: $0, items: []) }, at: index)
  }

  /// Removes sections with their items. Unknown ones are ignored.
  public mutating func deleteSections(_ sections: some Sequence<SectionID>) {
    let gone = Set(sections)
    self.sections.removeAll { section in
      guard gone.contains(section.id) else { return false }
      marks.forget(section: section.id)
      for item in section.items { marks.forget(item: item) }
      return true
    }
  }

  /// Moves a section with its items before another; before itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if either is not there.
  public mutating func moveSection(
    _ section: SectionID, beforeSection anchor: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let target = try self.index(ofSection: anchor)
    guard index != target else { return }
    let moved = sections.remove(at: index)
    sections.insert(moved, at: index < target ? target - 1 : target)
  }

  /// Moves a section with its items behind another; behind itself changes nothing.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` if either is not there.
  public mutating func moveSection(
    _ section: SectionID, afterSection anchor: SectionID
  ) throws(SnapshotError) {
    let index = try index(ofSection: section)
    let target = try self.index(ofSection: anchor)
    guard index != target else { return }
    let moved = sections.remove(at: index)
    sections.insert(moved, at: index < target ? target : target + 1)
  }

  /// Marks sections to be shown anew with all their items.
  ///
  /// - Throws: ``SnapshotError/unknownSection(_:)`` with all that are not there.
  public mutating func reloadSections(
    _ sections: some Sequence<SectionID>
  ) throws(SnapshotError) {
    let sections = Array(sections)
    let unknown = sections.filter { !containsSection($0) }
    guard unknown.isEmpty else { throw .unknownSection(unknown.map(AnyIdentifier.init)) }
    marks.reload(sections: sections)
  }

  func index(ofSection section: SectionID) throws(SnapshotError) -> Int {
    guard let index = indexOfSection(section) else {
      throw .unknownSection([AnyIdentifier(section)])
    }
    return index
  }
}
