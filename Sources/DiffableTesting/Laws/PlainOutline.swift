import Diffable

/// An outline as a plain list of rows, read item by item.
struct PlainOutline<ItemID: Hashable & Sendable>: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    var item: ItemID
    var level: Int?
    var isExpanded: Bool
    var isVisible: Bool
    var hasUnloadedChildren: Bool
    var hasChildren: Bool

    /// How a view draws the item: its level and its sign.
    var disclosure: Disclosure {
      var sign = Disclosure.Sign.leaf
      if hasChildren || hasUnloadedChildren { sign = isExpanded ? .expanded : .collapsed }
      if hasUnloadedChildren, isExpanded { sign = .loading }
      return Disclosure(level: level ?? 0, sign: sign)
    }
  }

  var rows: [Row]

  init(_ outline: Outline<ItemID>) {
    rows = outline.items.map { item in
      Row(
        item: item, level: outline.level(of: item), isExpanded: outline.isExpanded(item),
        isVisible: outline.isVisible(item),
        hasUnloadedChildren: outline.hasUnloadedChildren(item),
        hasChildren: !outline.children(of: item).isEmpty)
    }
  }
}

extension DifferenceLaw {
  /// Checks the changes of outlines in a difference by comparing every staying section.
  static func outlineViolations<SectionID, ItemID>(
    of difference: SnapshotDifference, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) -> [LawViolation<DifferenceLaw>] {
    var changed = RangeSet<Int>()
    var before: [ItemID: Disclosure] = [:]
    var after: [(path: ItemPath, item: ItemID, disclosure: Disclosure)] = []
    for (index, section) in new.sectionIdentifiers.enumerated() {
      guard old.containsSection(section) else { continue }
      let outlines = (
        old: old.outline(ofSection: section).map { PlainOutline($0) },
        new: new.outline(ofSection: section).map { PlainOutline($0) }
      )
      if outlines.old != outlines.new { changed.insert(contentsOf: index..<index + 1) }
      let shown = disclosures(of: outlines.old, beside: old.itemIdentifiers(inSection: section))
      before.merge(shown, uniquingKeysWith: { $1 })
      let items = new.itemIdentifiers(inSection: section)
      let disclosures = disclosures(of: outlines.new, beside: items)
      for (place, item) in items.enumerated() {
        after.append((ItemPath(section: index, item: place), item, disclosures[item] ?? .init()))
      }
    }
    let redrawn = Set(
      after.filter { row in before[row.item].map { $0 != row.disclosure } ?? false }.map(\.path))
    var violations: [LawViolation<DifferenceLaw>] = []
    if difference.outlineChanges != changed {
      violations.append(
        LawViolation(
          .minimality,
          "\(difference) from \(old) to \(new) says that outlines changed in "
            + "\(difference.outlineChanges), but they did in \(changed)."))
    }
    let isUnmarked =
      new.reloadedItemIdentifiers.isEmpty && new.reconfiguredItemIdentifiers.isEmpty
    // The view of a renamed item is updated too.
    let expected = redrawn.union(difference.itemRenames)
    if isUnmarked, Set(difference.itemReconfigures) != expected {
      violations.append(
        LawViolation(
          .minimality,
          "\(difference) from \(old) to \(new) reconfigures \(difference.itemReconfigures), "
            + "but other rows are drawn again: \(expected.sorted())."))
    }
    return violations
  }

  /// How a view draws each visible item; items of a flat list are leaves without ancestors.
  private static func disclosures<ItemID>(
    of outline: PlainOutline<ItemID>?, beside items: [ItemID]
  ) -> [ItemID: Disclosure] {
    var shown = Dictionary(items.map { ($0, Disclosure()) }, uniquingKeysWith: { $1 })
    for row in outline?.rows ?? [] where row.isVisible { shown[row.item] = row.disclosure }
    return shown
  }
}
