public import Diffable

extension ListController {
  /// Adds items to the selection; unknown ones are ignored.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func select(_ items: some Sequence<ItemID>) {
    changeSelection(
      to: selectedItems.union(items.lazy.filter { self.snapshot.containsItem($0) }),
      by: .program)
  }

  /// Removes items from the selection.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func deselect(_ items: some Sequence<ItemID>) {
    changeSelection(to: selectedItems.subtracting(items), by: .program)
  }

  /// Records that the user selected an item.
  public func didSelectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    changeSelection(to: selectedItems.union([item]), by: .user)
  }

  /// Records that the user deselected an item.
  public func didDeselectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    changeSelection(to: selectedItems.subtracting([item]), by: .user)
  }

  /// Deselects deleted items.
  func deselectItemsThatAreGone() {
    changeSelection(to: selectedItems.filter { snapshot.containsItem($0) }, by: .deletion)
  }

  /// Keeps the selection under the identifiers that items have in the state on display.
  func renameSelection() {
    changeSelection(to: display.renamed(selectedItems), by: .renaming)
  }

  /// Shows the selection at its current paths.
  func showSelection() {
    guard !selectedItems.isEmpty else { return }
    host?.showSelection(Set(selectedItems.compactMap { snapshot.itemPath(for: $0) }))
  }

  private func changeSelection(to items: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause) {
    guard let change = selection.change(to: items, by: cause) else { return }
    // The previous items are released after the access.
    var next = ItemSelection(items: items)
    swap(&selection, &next)
    // The view already shows what the user did, and deleted items cannot be shown.
    if cause == .program {
      host?.showSelection(Set(items.compactMap { snapshot.itemPath(for: $0) }))
    }
    selectionHandler?(change)
  }
}
