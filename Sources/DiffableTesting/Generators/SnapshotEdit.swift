package import Diffable

/// One edit of a snapshot, as a value that can be stored, applied and printed as Swift.
///
/// If a script of edits makes a test fail, it can be printed and pasted into a separate test.
package enum SnapshotEdit<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// Appends sections.
  case appendSections([SectionID])
  /// Inserts sections before another.
  case insertSectionsBefore([SectionID], SectionID)
  /// Inserts sections after another.
  case insertSectionsAfter([SectionID], SectionID)
  /// Deletes sections.
  case deleteSections([SectionID])
  /// Moves a section before another.
  case moveSectionBefore(SectionID, SectionID)
  /// Moves a section after another.
  case moveSectionAfter(SectionID, SectionID)
  /// Marks sections for a reload.
  case reloadSections([SectionID])
  /// Marks sections for a reconfigure.
  case reconfigureSections([SectionID])
  /// Appends items to the last section, or to a given one.
  case appendItems([ItemID], SectionID?)
  /// Inserts items before another.
  case insertItemsBefore([ItemID], ItemID)
  /// Inserts items after another.
  case insertItemsAfter([ItemID], ItemID)
  /// Replaces all items of a section.
  case replaceItems(SectionID, [ItemID])
  /// Deletes items.
  case deleteItems([ItemID])
  /// Deletes these items by a condition.
  case deleteItemsWhere([ItemID])
  /// Deletes the first items of a section, except for a number of the last ones.
  case keepLastItems(Int, SectionID)
  /// Deletes everything.
  case deleteAllItems
  /// Moves an item before another.
  case moveItemBefore(ItemID, ItemID)
  /// Moves an item after another.
  case moveItemAfter(ItemID, ItemID)
  /// Moves an item below an item of an outline.
  case moveItemInto(ItemID, ItemID)
  /// Moves an item to the end of a section.
  case moveItemToSection(ItemID, SectionID)
  /// Gives an item another identifier.
  case renameItem(ItemID, ItemID)
  /// Marks items for a reload.
  case reloadItems([ItemID])
  /// Marks items for a reconfigure.
  case reconfigureItems([ItemID])
  /// Edits the outline of a section, or a new one if the section is a flat list.
  case editOutline(SectionID, [OutlineEdit<ItemID>])
  /// The same, but items that were in the outline stay expanded or collapsed.
  case editOutlineKeepingExpansion(SectionID, [OutlineEdit<ItemID>])
  /// Replaces the descendants of an item of an outline with an outline: of these roots, then edited.
  case replaceChildren(ItemID, [ItemID], [OutlineEdit<ItemID>])
  /// Turns a section into a flat list of the visible items of its outline.
  case removeOutline(SectionID)
  /// Expands items of outlines.
  case expandItems([ItemID])
  /// Collapses items of outlines.
  case collapseItems([ItemID])

  /// Applies the edit to a snapshot.
  ///
  /// - Throws: The error of the edit. The snapshot is unchanged then.
  package func apply(to snapshot: inout Snapshot<SectionID, ItemID>) throws(SnapshotError) {
    switch self {
    case .appendSections(let new): snapshot.appendSections(new)
    case .insertSectionsBefore(let new, let anchor):
      try snapshot.insertSections(new, beforeSection: anchor)
    case .insertSectionsAfter(let new, let anchor):
      try snapshot.insertSections(new, afterSection: anchor)
    case .deleteSections(let gone): snapshot.deleteSections(gone)
    case .moveSectionBefore(let section, let anchor):
      try snapshot.moveSection(section, beforeSection: anchor)
    case .moveSectionAfter(let section, let anchor):
      try snapshot.moveSection(section, afterSection: anchor)
    case .reloadSections(let sections): try snapshot.reloadSections(sections)
    case .reconfigureSections(let sections): try snapshot.reconfigureSections(sections)
    case .appendItems(let new, .none): try snapshot.appendItems(new)
    case .appendItems(let new, .some(let section)):
      try snapshot.appendItems(new, toSection: section)
    case .insertItemsBefore(let new, let anchor): try snapshot.insertItems(new, beforeItem: anchor)
    case .insertItemsAfter(let new, let anchor): try snapshot.insertItems(new, afterItem: anchor)
    case .replaceItems(let section, let new):
      try snapshot.replaceItems(inSection: section, with: new)
    case .deleteItems(let gone): snapshot.deleteItems(gone)
    case .deleteItemsWhere(let gone): snapshot.deleteItems(where: gone.contains)
    case .keepLastItems(let count, let section):
      try snapshot.keepLastItems(count, inSection: section)
    case .deleteAllItems: snapshot.deleteAllItems()
    case .moveItemBefore(let item, let anchor): try snapshot.moveItem(item, beforeItem: anchor)
    case .moveItemAfter(let item, let anchor): try snapshot.moveItem(item, afterItem: anchor)
    case .moveItemInto(let item, let parent): try snapshot.moveItem(item, intoItem: parent)
    case .moveItemToSection(let item, let section):
      try snapshot.moveItem(item, toSection: section)
    case .renameItem(let item, let new): try snapshot.renameItem(item, to: new)
    case .reloadItems(let items): try snapshot.reloadItems(items)
    case .reconfigureItems(let items): try snapshot.reconfigureItems(items)
    case .editOutline(let section, let edits):
      let outline = try edits.applied(to: snapshot.outline(ofSection: section) ?? Outline())
      try snapshot.setOutline(outline, forSection: section)
    case .editOutlineKeepingExpansion(let section, let edits):
      let outline = try edits.applied(to: snapshot.outline(ofSection: section) ?? Outline())
      try snapshot.setOutline(outline, forSection: section, keepingExpansion: true)
    case .replaceChildren(let parent, let roots, let edits):
      let outline = try edits.applied(to: Outline(roots))
      try snapshot.replaceItems(childrenOf: parent, using: outline)
    case .removeOutline(let section): try snapshot.removeOutline(ofSection: section)
    case .expandItems(let items): snapshot.expandItems(items)
    case .collapseItems(let items): snapshot.collapseItems(items)
    }
  }
}

extension SnapshotEdit: CustomStringConvertible {
  /// The edit as a line of Swift, such as `try snapshot.moveItem("a", beforeItem: "b")`.
  ///
  /// It compiles if the debug descriptions of the identifiers are literals for them, as those of
  /// numbers and strings are.
  package var description: String {
    func code(_ value: some Any) -> String { String(reflecting: value) }
    return switch self {
    case .appendSections(let new): "snapshot.appendSections(\(code(new)))"
    case .insertSectionsBefore(let new, let anchor):
      "try snapshot.insertSections(\(code(new)), beforeSection: \(code(anchor)))"
    case .insertSectionsAfter(let new, let anchor):
      "try snapshot.insertSections(\(code(new)), afterSection: \(code(anchor)))"
    case .deleteSections(let gone): "snapshot.deleteSections(\(code(gone)))"
    case .moveSectionBefore(let section, let anchor):
      "try snapshot.moveSection(\(code(section)), beforeSection: \(code(anchor)))"
    case .moveSectionAfter(let section, let anchor):
      "try snapshot.moveSection(\(code(section)), afterSection: \(code(anchor)))"
    case .reloadSections(let sections): "try snapshot.reloadSections(\(code(sections)))"
    case .reconfigureSections(let sections): "try snapshot.reconfigureSections(\(code(sections)))"
    case .appendItems(let new, .none): "try snapshot.appendItems(\(code(new)))"
    case .appendItems(let new, .some(let section)):
      "try snapshot.appendItems(\(code(new)), toSection: \(code(section)))"
    case .insertItemsBefore(let new, let anchor):
      "try snapshot.insertItems(\(code(new)), beforeItem: \(code(anchor)))"
    case .insertItemsAfter(let new, let anchor):
      "try snapshot.insertItems(\(code(new)), afterItem: \(code(anchor)))"
    case .replaceItems(let section, let new):
      "try snapshot.replaceItems(inSection: \(code(section)), with: \(code(new)))"
    case .deleteItems(let gone): "snapshot.deleteItems(\(code(gone)))"
    case .deleteItemsWhere(let gone): "snapshot.deleteItems(where: \(code(gone)).contains)"
    case .keepLastItems(let count, let section):
      "try snapshot.keepLastItems(\(count), inSection: \(code(section)))"
    case .deleteAllItems: "snapshot.deleteAllItems()"
    case .moveItemBefore(let item, let anchor):
      "try snapshot.moveItem(\(code(item)), beforeItem: \(code(anchor)))"
    case .moveItemAfter(let item, let anchor):
      "try snapshot.moveItem(\(code(item)), afterItem: \(code(anchor)))"
    case .moveItemInto(let item, let parent):
      "try snapshot.moveItem(\(code(item)), intoItem: \(code(parent)))"
    case .moveItemToSection(let item, let section):
      "try snapshot.moveItem(\(code(item)), toSection: \(code(section)))"
    case .renameItem(let item, let new):
      "try snapshot.renameItem(\(code(item)), to: \(code(new)))"
    case .reloadItems(let items): "try snapshot.reloadItems(\(code(items)))"
    case .reconfigureItems(let items): "try snapshot.reconfigureItems(\(code(items)))"
    case .editOutline(let section, let edits):
      "do { var outline = snapshot.outline(ofSection: \(code(section))) ?? Outline(); "
        + edits.code() + "try snapshot.setOutline(outline, forSection: \(code(section))) }"
    case .editOutlineKeepingExpansion(let section, let edits):
      "do { var outline = snapshot.outline(ofSection: \(code(section))) ?? Outline(); "
        + edits.code() + "try snapshot.setOutline(outline, forSection: \(code(section)), "
        + "keepingExpansion: true) }"
    case .replaceChildren(let parent, let roots, []):
      "try snapshot.replaceItems(childrenOf: \(code(parent)), using: Outline(\(code(roots))))"
    case .replaceChildren(let parent, let roots, let edits):
      "do { var outline = try Outline(\(code(roots))); " + edits.code()
        + "try snapshot.replaceItems(childrenOf: \(code(parent)), using: outline) }"
    case .removeOutline(let section): "try snapshot.removeOutline(ofSection: \(code(section)))"
    case .expandItems(let items): "snapshot.expandItems(\(code(items)))"
    case .collapseItems(let items): "snapshot.collapseItems(\(code(items)))"
    }
  }
}
