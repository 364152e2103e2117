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

    /// What a view draws beside the item: whether it can be unfolded, and whether it is.
    var disclosure: [Bool] {
      hasChildren || hasUnloadedChildren ? [true, isExpanded] : [false, false]
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
  /// Checks what a difference says of outlines, found by looking at every section that stays.
  static func outlineViolations<SectionID, ItemID>(
    of difference: SnapshotDifference, from old: Snapshot<SectionID, ItemID>,
    to new: Snapshot<SectionID, ItemID>
  ) -> [LawViolation] {
    var changed = RangeSet<Int>()
    var disclosures: Set<ItemPath> = []
    for (index, section) in new.sectionIdentifiers.enumerated() {
      guard old.containsSection(section) else { continue }
      let outlines = (
        old: old.outline(ofSection: section).map { PlainOutline($0) },
        new: new.outline(ofSection: section).map { PlainOutline($0) }
      )
      guard outlines.old != outlines.new else { continue }
      changed.insert(contentsOf: index..<index + 1)
      let before = signs(of: outlines.old, beside: old.itemIdentifiers(inSection: section))
      let after = signs(of: outlines.new, beside: new.itemIdentifiers(inSection: section))
      for (place, item) in new.itemIdentifiers(inSection: section).enumerated() {
        if let sign = before[item], sign != after[item] {
          disclosures.insert(ItemPath(section: index, item: place))
        }
      }
    }
    var violations: [LawViolation] = []
    if difference.outlineChanges != changed {
      violations.append(
        LawViolation(
          .minimality,
          "\(difference) from \(old) to \(new) says that outlines changed in "
            + "\(difference.outlineChanges), but they did in \(changed)."))
    }
    let isUnmarked =
      new.reloadedItemIdentifiers.isEmpty && new.reconfiguredItemIdentifiers.isEmpty
    if isUnmarked, Set(difference.itemReconfigures) != disclosures {
      violations.append(
        LawViolation(
          .minimality,
          "\(difference) from \(old) to \(new) reconfigures \(difference.itemReconfigures), "
            + "but other signs stand at \(disclosures.sorted())."))
    }
    return violations
  }

  /// What a view draws beside each visible item.
  private static func signs<ItemID>(
    of outline: PlainOutline<ItemID>?, beside items: [ItemID]
  ) -> [ItemID: [Bool]] {
    var signs = Dictionary(items.map { ($0, [false, false]) }, uniquingKeysWith: { $1 })
    for row in outline?.rows ?? [] where row.isVisible { signs[row.item] = row.disclosure }
    return signs
  }
}
