package import Diffable

extension SnapshotGenerator {
  /// Makes an edit of any kind, one in four of a kind that the other functions do not make.
  ///
  /// Recorded results and inspections of hosts depend on the edits of these; new kinds go here.
  ///
  /// - Parameter makesOutlines: Whether lists may become outlines. Outlines that there are may be edited
  ///   in any case.
  package mutating func anyEdit(
    of snapshot: Snapshot<SectionID, ItemID>, makesOutlines: Bool = true
  ) -> SnapshotEdit<SectionID, ItemID> {
    if random.chance(oneIn: 4), let edit = rareEdit(of: snapshot) { return edit }
    let isFlat = snapshot.sectionIdentifiers.allSatisfy { snapshot.outline(ofSection: $0) == nil }
    return isFlat && !makesOutlines ? edit(of: snapshot) : outlineEdit(of: snapshot)
  }

  /// An edit of a section or an outline that has rows; `nil` if the chosen one has none.
  private mutating func rareEdit(
    of snapshot: Snapshot<SectionID, ItemID>
  ) -> SnapshotEdit<SectionID, ItemID>? {
    guard let section = random.element(of: snapshot.sectionIdentifiers),
      let target = random.element(of: snapshot.sectionIdentifiers)
    else { return nil }
    let outline = snapshot.outline(ofSection: section)
    let rows = outline?.items ?? snapshot.itemIdentifiers(inSection: section)
    guard let row = random.element(of: rows), let other = random.element(of: rows) else {
      return nil
    }
    if random.chance(oneIn: 8) {
      return faultyEdit(naming: row, section, isInOutline: outline != nil)
    }
    switch random.number(below: outline == nil ? 3 : 8) {
    case 0, 1: return .moveItemToSection(row, target)
    case 2:
      let count = snapshot.numberOfItems(inSection: section)
      return .keepLastItems(count - random.number(below: 4), section)
    case 3: return .moveItemInto(row, other)
    case 4:
      // Perhaps one that is hidden.
      return .renameItem(row, newItem())
    case 5: return outline.map { replacement(ofChildrenOf: row, in: $0) }
    case 6:
      return .editOutline(
        section, [.moveInto(row, other), .setChildrenLoaded(random.sample(rows, oneIn: 2))])
    default:
      return .editOutlineKeepingExpansion(
        section, [.append(newItems(2), row), .expand(random.sample(rows, oneIn: 2))])
    }
  }

  /// Other descendants of a row: some of those that it has, new ones, and what is below these.
  private mutating func replacement(
    ofChildrenOf parent: ItemID, in outline: Outline<ItemID>
  ) -> SnapshotEdit<SectionID, ItemID> {
    let kept = random.sample(random.shuffled(outline.outline(of: parent).items), oneIn: 2)
    let roots = random.shuffled(kept + newItems(random.number(below: 3)))
    guard let root = random.element(of: roots), random.chance(oneIn: 2) else {
      return .replaceChildren(parent, roots, [])
    }
    let below = newItems(1 + random.number(below: 2))
    return .replaceChildren(
      parent, roots, [.append(below, root), .expand(random.sample(roots, oneIn: 2))])
  }

  private mutating func faultyEdit(
    naming row: ItemID, _ section: SectionID, isInOutline: Bool
  ) -> SnapshotEdit<SectionID, ItemID>? {
    let (stranger, strangeSection) = (newItem(), newSection())
    var edits: [SnapshotEdit<SectionID, ItemID>] = [
      .moveItemToSection(stranger, section), .moveItemToSection(row, strangeSection),
      .keepLastItems(1, strangeSection),
    ]
    if isInOutline {
      edits += [
        .moveItemInto(stranger, row), .moveItemInto(row, row),
        .replaceChildren(stranger, [newItem()], []), .replaceChildren(row, [row], []),
      ]
    }
    return random.element(of: edits)
  }
}
