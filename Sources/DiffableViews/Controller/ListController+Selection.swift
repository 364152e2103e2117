public import Diffable

extension ListController {
  /// Adds items to the selection.
  ///
  /// Unknown items are ignored, unless ``keepsAbsentItemsSelected`` is set. An item that is selected
  /// alone is where a range begins, see ``extendSelection(to:)``.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func select(_ items: some Sequence<ItemID>) {
    let known = items.filter { keepsAbsentItemsSelected || snapshot.containsItem($0) }
    change(to: selectedItems.union(known), by: .program) { new in
      new.span?.added.subtract(known)
      if known.count == 1 { new.span = known.first.map { .init(of: $0) } }
    }
  }

  /// Removes items from the selection.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func deselect(_ items: some Sequence<ItemID>) {
    change(to: selectedItems.subtracting(items), by: .program) { $0.span = nil }
  }

  /// Selects all rows between the item that was last selected alone, and another one.
  ///
  /// This is what a click with the Shift key does. A range that was extended before ends at the new
  /// item; other selected items stay selected. The range begins at an item, wherever that is by now:
  /// the list may have been sorted. Without such an item, the other one is selected alone.
  ///
  /// - Parameter item: The item; an unknown one is ignored.
  /// - Complexity: O(r · log n) for r rows of the old and the new range and n items, and O(k · log n)
  ///   for k selected items.
  public func extendSelection(to item: ItemID) {
    guard let path = snapshot.itemPath(for: item) else { return }
    extendSelection(to: item, at: path, by: .program)
  }

  /// Records that the user selected an item.
  public func didSelectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    change(to: selectedItems.union([item]), by: .user) { $0.span = .init(of: item) }
  }

  /// Records that the user deselected an item.
  public func didDeselectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    change(to: selectedItems.subtracting([item]), by: .user) { $0.span = nil }
  }

  /// Records that the user extended the selection from one item to another.
  public func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    guard let first = snapshot.itemIdentifier(for: origin),
      let last = snapshot.itemIdentifier(for: path)
    else { return }
    let goesOn =
      selection.span.map { $0.lead == first && snapshot.containsItem($0.anchor) } ?? false
    if !goesOn { change(to: selectedItems, by: .user) { $0.span = .init(of: first) } }
    extendSelection(to: last, at: path, by: .user)
  }

  private func extendSelection(
    to item: ItemID, at path: ItemPath, by cause: SelectionChange<ItemID>.Cause
  ) {
    if selection.span.map({ !snapshot.containsItem($0.anchor) }) ?? true {
      change(to: selectedItems, by: cause) { $0.span = .init(of: item) }
    }
    let anchor = selection.span.flatMap { snapshot.itemPath(for: $0.anchor) } ?? path
    let range = items(from: min(anchor, path), through: max(anchor, path))
    let new = selection.extended(to: item, selecting: range)
    change(to: new.items, by: cause) { $0.span = new.span }
    // The view knows where the range ends, but not where it begins.
    if cause == .user { showSelection() }
  }

  /// The items of all rows from one path to another.
  private func items(from first: ItemPath, through last: ItemPath) -> Set<ItemID> {
    var items: Set<ItemID> = []
    for section in first.section...last.section {
      let all = snapshot.items(inSectionAt: section)
      let start = section == first.section ? first.item : 0
      let end = section == last.section ? last.item + 1 : all.count
      for number in start..<end {
        let path = ItemPath(section: section, item: number)
        if let item = snapshot.itemIdentifier(for: path) { items.insert(item) }
      }
    }
    return items
  }

  /// Deselects deleted items.
  func deselectItemsThatAreGone() {
    guard !keepsAbsentItemsSelected else { return }
    change(to: selectedItems.filter { snapshot.containsItem($0) }, by: .deletion)
  }

  /// Keeps the selection under the identifiers that items have in the state on display.
  func renameSelection() {
    guard display.renamesItems else { return }
    let span = selection.span?.mapped(display.shownName)
    change(to: Set(selectedItems.map(display.shownName)), by: .renaming) { $0.span = span }
  }

  /// Keeps absent items selected under the identifiers that they have received meanwhile.
  ///
  /// - Parameters:
  ///   - renamed: The renamed items of the batch that is about to be shown, and of what it is made of.
  ///   - end: The state after it.
  func renameAbsentItems(_ renamed: [ItemRename<ItemID>], until end: Snapshot<SectionID, ItemID>) {
    guard keepsAbsentItemsSelected, !renamed.isEmpty, !selectedItems.isEmpty else { return }
    // An identifier that a row has after the batch is not that of an absent item. One that a row has
    // before it may be: the row leaves the list under another one.
    let names = Dictionary(
      renamed.lazy.filter { [snapshot] rename in
        !snapshot.containsItem(rename.new)
          && ![rename.old, rename.new].contains(where: end.containsItem)
      }.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    guard !names.isEmpty else { return }
    let span = selection.span?.mapped { names[$0] ?? $0 }
    change(to: Set(selectedItems.map { names[$0] ?? $0 }), by: .renaming) { $0.span = span }
  }

  /// Shows the selection at its current paths.
  func showSelection() {
    guard !selectedItems.isEmpty else { return }
    host?.showSelection(Set(selectedItems.compactMap { snapshot.itemPath(for: $0) }))
  }

  /// Selects exactly these items.
  private func change(
    to items: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause,
    _ edit: (inout ItemSelection<ItemID>) -> Void = { _ in }
  ) {
    let change = selection.change(to: items, by: cause)
    // The previous items are released after the access.
    var next = selection
    next.items = items
    edit(&next)
    swap(&selection, &next)
    guard let change else { return }
    // The view already shows what the user did, and deleted items cannot be shown.
    if cause == .program {
      host?.showSelection(Set(items.compactMap { snapshot.itemPath(for: $0) }))
    }
    selectionHandler?(change)
  }
}
