package import Diffable

extension SnapshotGenerator {
  /// Makes an edit of a snapshot with outlines: of an outline, of its visible items, or any other.
  package mutating func outlineEdit(
    of snapshot: Snapshot<SectionID, ItemID>
  ) -> SnapshotEdit<SectionID, ItemID> {
    guard let section = random.element(of: snapshot.sectionIdentifiers) else {
      return .appendSections([newSection()])
    }
    let outline = snapshot.outline(ofSection: section)
    let items = outline?.items ?? []
    switch random.number(below: 12) {
    case 0...3:
      return .editOutline(
        section, (0..<1 + random.number(below: 3)).map { _ in edit(of: outline ?? Outline()) })
    case 4, 5: return .expandItems(random.sample(items, oneIn: 2))
    case 6, 7: return .collapseItems(random.sample(items, oneIn: 3))
    case 8:
      guard let item = random.element(of: items), let other = random.element(of: items) else {
        return .editOutline(section, [.append(newItems(4), nil)])
      }
      return random.chance(oneIn: 2) ? .moveItemBefore(item, other) : .moveItemAfter(item, other)
    case 9: return .deleteItems(random.sample(items, oneIn: 6))
    case 10: return random.chance(oneIn: 4) ? .removeOutline(section) : edit(of: snapshot)
    default: return edit(of: snapshot)
    }
  }

  /// Makes an edit of an outline.
  ///
  /// It fits the outline, unless an earlier edit deleted what it names.
  package mutating func edit(of outline: Outline<ItemID>) -> OutlineEdit<ItemID> {
    let items = outline.items
    let new = newItems(1 + random.number(below: 3))
    guard let item = random.element(of: items), let other = random.element(of: items) else {
      return .append(new, nil)
    }
    switch random.number(below: 12) {
    case 0: return .append(new, nil)
    case 1...3: return .append(new, item)
    case 4: return .insertBefore(new, item)
    case 5: return .insertAfter(new, item)
    case 6: return .delete([item])
    case 7: return .moveBefore(item, other)
    case 8: return .moveAfter(item, other)
    case 9: return .expand(random.sample(items, oneIn: 2))
    case 10: return .collapse(random.sample(items, oneIn: 3))
    default:
      return random.chance(oneIn: 2)
        ? .setChildrenUnloaded([item]) : .replaceChildren(item, new)
    }
  }

  /// Changes the outlines of some sections, at least of one.
  mutating func changingOutlines(
    _ snapshot: Snapshot<SectionID, ItemID>
  ) -> Snapshot<SectionID, ItemID> {
    var changed = snapshot
    let sections = snapshot.sectionIdentifiers
    var chosen = random.sample(sections, oneIn: 3)
    if chosen.isEmpty { chosen = random.shuffled(sections).suffix(1) }
    for section in chosen {
      // The sections exist, so nothing throws.
      if snapshot.outline(ofSection: section) != nil, random.chance(oneIn: 6) {
        try? changed.removeOutline(ofSection: section)
        continue
      }
      var outline =
        snapshot.outline(ofSection: section)
        ?? grown(snapshot.itemIdentifiers(inSection: section))
      for _ in 0..<1 + random.number(below: 3) {
        // An item cannot move below itself; then the outline is unchanged.
        try? edit(of: outline).apply(to: &outline)
      }
      try? changed.setOutline(outline, forSection: section)
    }
    return changed
  }

  /// An outline of some items in their order, each a root or a child of an earlier one.
  private mutating func grown(_ items: [ItemID]) -> Outline<ItemID> {
    var outline = Outline<ItemID>()
    var ancestors: [ItemID] = []
    for item in items {
      ancestors.removeLast(random.number(below: ancestors.count + 1))
      // Each item is added once, below an existing one.
      try? outline.append([item], to: ancestors.last)
      ancestors.append(item)
    }
    outline.expand(random.sample(items, oneIn: 2))
    return outline
  }
}
