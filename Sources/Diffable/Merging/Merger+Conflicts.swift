extension Merger {
  /// Finds contradictions about items, before the draft is edited.
  func findItemConflicts() {
    for path in writer.placedItems {
      guard let item = theirs.itemIdentifier(for: path) else { continue }
      let isInsert = writer.insertedItems.contains(item)
      guard let live = draft.itemPath(for: item) else {
        if !isInsert { itemConflicts.append(.item(item, .movedButDeleted)) }
        continue
      }
      guard isInsert || others.bringsItem(to: live), !agree(theirs: path, live: live) else {
        continue
      }
      itemConflicts.append(.item(item, isInsert ? .insertedTwice : .movedTwice))
    }
    for item in writer.deletedItems {
      guard let live = draft.itemPath(for: item), others.bringsItem(to: live) else { continue }
      itemConflicts.append(.item(item, .deletedButMoved))
    }
  }

  /// Whether both sides put an item at the same place.
  ///
  /// That is the same section, after the same one of those items that both sides have in it.
  ///
  /// - Complexity: As many steps as one side alone has items before this one. Both sides have the
  ///   item itself, so all items together take no more steps than there are changes.
  func agree(theirs path: ItemPath, live livePath: ItemPath) -> Bool {
    guard let section = theirs.sectionIdentifier(at: path.section),
      section == draft.sectionIdentifier(at: livePath.section)
    else { return false }
    func previous(
      _ path: ItemPath, in side: Snapshot<SectionID, ItemID>,
      sharedWith other: Snapshot<SectionID, ItemID>
    ) -> ItemID? {
      side.items(inSectionAt: path.section)[..<path.item].last { item in
        other.sectionIdentifier(containingItem: item) == section
      }
    }
    return previous(path, in: theirs, sharedWith: draft)
      == previous(livePath, in: draft, sharedWith: theirs)
  }

  /// Finds contradictions about sections that the writer inserted, moved or filled.
  ///
  /// Called before the draft is edited.
  func findSectionConflicts(filled: Set<Int>) {
    deletedButMoved = IdentifierSet(writer.deletedSections.filter(isMovedByOthers))
    let filledSections = RangeSet(sorting: filled.map { $0..<$0 + 1 })
    for index in writer.placedSections.union(filledSections).ranges.joined() {
      guard let section = theirs.sectionIdentifier(at: index) else { continue }
      let isInsert = writer.insertedSections.contains(section)
      guard draft.containsSection(section) else {
        guard !isInsert else { continue }
        add(section, filled.contains(index) ? .filledButDeleted : .movedButDeleted)
        continue
      }
      let isTwice =
        isInsert || writer.movedSections.contains(section) && isMovedByOthers(section)
      if isTwice, !agree(on: section) { add(section, isInsert ? .insertedTwice : .movedTwice) }
    }
  }

  private func isMovedByOthers(_ section: SectionID) -> Bool {
    draft.indexOfSection(section).map(others.movesSection(to:)) ?? false
  }

  /// Whether both sides have a section after the same one of their common sections.
  func agree(on section: SectionID) -> Bool {
    func previous(
      _ side: Snapshot<SectionID, ItemID>, sharedWith other: Snapshot<SectionID, ItemID>
    ) -> SectionID? {
      guard let index = side.indexOfSection(section) else { return nil }
      return (0..<index).reversed().lazy.compactMap(side.sectionIdentifier(at:))
        .first(where: other.containsSection)
    }
    return previous(theirs, sharedWith: draft) == previous(draft, sharedWith: theirs)
  }

  func add(_ section: SectionID, _ contradiction: Contradiction) {
    sectionConflicts.append(.section(section, contradiction))
  }
}
