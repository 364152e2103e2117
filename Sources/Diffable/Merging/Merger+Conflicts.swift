extension Merger {
  /// Finds contradictions about items, and where both sides agree, before the draft is edited.
  func findItemConflicts() {
    var conflicts: [(path: ItemPath, conflict: Conflict)] = []
    var twice: [PlacedTwice] = []
    for path in writer.placedItems {
      guard let item = theirs.itemIdentifier(for: path) else { continue }
      let isInsert = writer.insertedItems.contains(item)
      guard let live = draft.itemPath(for: item) else {
        if !isInsert { conflicts.append((path, .item(item, .movedButDeleted))) }
        continue
      }
      guard isInsert || others.bringsItem(to: live) else { continue }
      let (section, liveSection) = (
        theirs.sectionIdentifier(at: path.section), draft.sectionIdentifier(at: live.section)
      )
      guard section != liveSection else {
        twice.append(PlacedTwice(theirs: path, live: live))
        continue
      }
      conflicts.append((path, contradiction(about: item, isInsert)))
      // A move inside a section is ignored for an item that others moved out of the section.
      if writer.movedItems[item] == section { left.insert(item: item, draft.kernels.items) }
    }
    var inPlace = IdentifierSet<ItemID>()
    for (place, isAgreed) in zip(twice, agreeingItems(twice)) {
      guard let item = theirs.itemIdentifier(for: place.theirs) else { continue }
      if isAgreed {
        agreed.append(
          section: place.theirs.section, items: place.theirs.item..<place.theirs.item + 1)
        inPlace.insert(item)
      } else {
        conflicts.append(
          (place.theirs, contradiction(about: item, writer.insertedItems.contains(item))))
      }
    }
    if !inPlace.isEmpty {
      displaced.keep(items: { !inPlace.contains($0) })
      writer.placedItems = writer.placedItems.subtracting(agreed)
    }
    itemConflicts += conflicts.sortedIfNeeded { $0.path }.map(\.conflict)
    for item in writer.deletedItems {
      guard let live = draft.itemPath(for: item), others.bringsItem(to: live) else { continue }
      itemConflicts.append(.item(item, .deletedButMoved))
    }
  }

  /// The contradiction about an item that both sides have placed, each elsewhere.
  private func contradiction(about item: ItemID, _ isInsert: Bool) -> Conflict {
    // An undo takes back what the change has written as far as it still shows.
    if rule == .undo { left.insert(item: item, draft.kernels.items) }
    return .item(item, isInsert ? .insertedTwice : .movedTwice)
  }

  /// Which of the items that both sides have put into the same section are in the same gap.
  private func agreeingItems(_ twice: [PlacedTwice]) -> [Bool] {
    func isMoved(_ item: ItemID, _ path: ItemPath?) -> Bool {
      displaced.items.contains(item) || path.map(writer.placedItems.contains) ?? true
    }
    return Self.agreeing(twice) { path -> ItemID? in
      guard let item = theirs.itemIdentifier(for: path), !isMoved(item, path),
        draft.sectionIdentifier(containingItem: item)
          == theirs.sectionIdentifier(at: path.section)
      else { return nil }
      return item
    } live: { path -> ItemID? in
      guard let item = draft.itemIdentifier(for: path), !isMoved(item, theirs.itemPath(for: item)),
        theirs.sectionIdentifier(containingItem: item)
          == draft.sectionIdentifier(at: path.section)
      else { return nil }
      return item
    }
  }

  /// Finds contradictions about sections that the writer inserted, moved or filled, and where both sides
  /// agree.
  ///
  /// Called before the draft is edited.
  func findSectionConflicts(filled: Set<Int>) {
    deletedButMoved = IdentifierSet(writer.deletedSections.filter(isMovedByOthers))
    let filledSections = RangeSet(sorting: filled.map { $0..<$0 + 1 })
    let agreed = agreedSections()
    for index in writer.placedSections.union(filledSections).ranges.joined() {
      guard let section = theirs.sectionIdentifier(at: index) else { continue }
      let isInsert = writer.insertedSections.contains(section)
      guard draft.containsSection(section) else {
        guard !isInsert else { continue }
        add(section, filled.contains(index) ? .filledButDeleted : .movedButDeleted)
        continue
      }
      guard isPlacedTwice(section), !agreed.contains(index) else { continue }
      if rule == .undo { left.insert(section: section, draft.kernels.sections) }
      add(section, isInsert ? .insertedTwice : .movedTwice)
    }
    displaced.remove(sections: agreed.ranges.joined().compactMap(theirs.sectionIdentifier(at:)))
    writer.placedSections = writer.placedSections.subtracting(agreed)
  }

  private func isMovedByOthers(_ section: SectionID) -> Bool {
    draft.indexOfSection(section).map(others.movesSection(to:)) ?? false
  }

  private func isPlacedTwice(_ section: SectionID) -> Bool {
    draft.containsSection(section)
      && (writer.insertedSections.contains(section)
        || writer.movedSections.contains(section) && isMovedByOthers(section))
  }

  /// The sections that both sides have put into the same gap, by their indices in the writer's snapshot.
  private func agreedSections() -> RangeSet<Int> {
    func path(_ index: Int) -> ItemPath { ItemPath(section: 0, item: index) }
    let twice = writer.placedSections.ranges.joined().compactMap { index -> PlacedTwice? in
      guard let section = theirs.sectionIdentifier(at: index), isPlacedTwice(section),
        let live = draft.indexOfSection(section)
      else { return nil }
      return PlacedTwice(theirs: path(index), live: path(live))
    }
    func standing(_ section: SectionID?) -> SectionID? {
      guard let section, let index = theirs.indexOfSection(section), draft.containsSection(section),
        !writer.placedSections.contains(index), !displaced.sections.contains(section)
      else { return nil }
      return section
    }
    let agreeing = Self.agreeing(twice) { path -> SectionID? in
      standing(theirs.sectionIdentifier(at: path.item))
    } live: { path -> SectionID? in
      standing(draft.sectionIdentifier(at: path.item))
    }
    return RangeSet(
      sorting: zip(twice, agreeing).filter(\.1).map { $0.0.theirs.item..<$0.0.theirs.item + 1 })
  }

  func add(_ section: SectionID, _ contradiction: Contradiction) {
    sectionConflicts.append(.section(section, contradiction))
  }
}
