package import Diffable

extension SnapshotGenerator {
  /// Makes an edit of a snapshot; one in eight is unusual.
  ///
  /// An unusual edit names an unknown identifier, is empty, or inserts something that is already
  /// there. All other edits leave a valid snapshot valid.
  package mutating func edit(
    of snapshot: Snapshot<SectionID, ItemID>
  ) -> SnapshotEdit<SectionID, ItemID> {
    random.chance(oneIn: 8) ? faultyEdit(of: snapshot) : fittingEdit(of: snapshot)
  }

  private mutating func fittingEdit(
    of snapshot: Snapshot<SectionID, ItemID>
  ) -> SnapshotEdit<SectionID, ItemID> {
    let sections = snapshot.sectionIdentifiers
    let items = snapshot.itemIdentifiers
    guard let section = random.element(of: sections),
      let otherSection = random.element(of: sections)
    else { return .appendSections(newSections(1 + random.number(below: 3)).map(\.id)) }
    guard let item = random.element(of: items), let other = random.element(of: items) else {
      return .appendItems(newItems(1 + random.number(below: 4)), section)
    }
    switch random.number(below: 38) {
    case 0: return .appendSections(newSections(1).map(\.id))
    case 1:
      return .insertSectionsBefore(newSections(1 + random.number(below: 2)).map(\.id), section)
    case 2: return .insertSectionsAfter(newSections(1 + random.number(below: 2)).map(\.id), section)
    case 3: return .deleteSections(random.sample(sections, oneIn: 4))
    case 4, 5: return .moveSectionBefore(section, otherSection)
    case 6, 7: return .moveSectionAfter(section, otherSection)
    case 8:
      let some = random.sample(sections, oneIn: 3)
      return random.chance(oneIn: 2) ? .reloadSections(some) : .reconfigureSections(some)
    case 9, 10: return .appendItems(newItems(1 + random.number(below: 3)), nil)
    case 11, 12: return .appendItems(newItems(1 + random.number(below: 3)), section)
    case 13...15: return .insertItemsBefore(newItems(1 + random.number(below: 3)), item)
    case 16...18: return .insertItemsAfter(newItems(1 + random.number(below: 3)), item)
    case 19:
      let kept = random.shuffled(snapshot.itemIdentifiers(inSection: section))
      return .replaceItems(section, random.sample(kept, oneIn: 2) + newItems(1))
    case 20...22: return .deleteItems(random.sample(items, oneIn: 5))
    case 23: return .deleteItemsWhere(random.sample(items, oneIn: 5))
    case 24...27: return .moveItemBefore(item, other)
    case 28...31: return .moveItemAfter(item, other)
    case 32, 33: return .reloadItems(random.sample(items, oneIn: 4))
    case 34: return .reconfigureItems(random.sample(items, oneIn: 4))
    case 35, 36: return .renameItem(item, newItem())
    default:
      return random.chance(oneIn: 10) ? .deleteAllItems : .reconfigureItems([item, other])
    }
  }

  private mutating func faultyEdit(
    of snapshot: Snapshot<SectionID, ItemID>
  ) -> SnapshotEdit<SectionID, ItemID> {
    let stranger = newItem()
    let strangeSection = newSection()
    let item = random.element(of: snapshot.itemIdentifiers) ?? stranger
    let section = random.element(of: snapshot.sectionIdentifiers) ?? strangeSection
    let edits: [SnapshotEdit<SectionID, ItemID>] = [
      .appendSections([]), .insertSectionsBefore([newSection()], strangeSection),
      .insertSectionsAfter([strangeSection], strangeSection), .deleteSections([strangeSection]),
      .moveSectionBefore(strangeSection, section), .moveSectionAfter(section, strangeSection),
      .reloadSections([section, strangeSection]), .appendItems([newItem()], strangeSection),
      .appendItems([], nil), .insertItemsBefore([stranger], stranger),
      .insertItemsAfter([newItem()], stranger), .replaceItems(strangeSection, [newItem()]),
      .deleteItems([stranger]), .deleteItems([]), .moveItemBefore(stranger, item),
      .moveItemAfter(item, stranger), .moveItemBefore(item, item),
      .moveSectionAfter(section, section), .reloadItems([item, stranger]),
      .reconfigureItems([stranger]), .insertItemsBefore([], item),
      .reconfigureSections([strangeSection]), .renameItem(stranger, newItem()),
      .renameItem(item, random.element(of: snapshot.itemIdentifiers) ?? stranger),
    ]
    return random.element(of: edits) ?? .deleteAllItems
  }
}
