public import Diffable

extension ListController {
  /// Selects items besides those that are selected; unknown ones are ignored.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func select(_ items: some Sequence<ItemID>) {
    changeSelection(
      to: selectedItems.union(items.lazy.filter { self.snapshot.containsItem($0) }),
      by: .program)
  }

  /// Ends the selection of items.
  ///
  /// - Complexity: O(k · log n) for k selected items of n.
  public func deselect(_ items: some Sequence<ItemID>) {
    changeSelection(to: selectedItems.subtracting(items), by: .program)
  }

  /// Takes note that the user selected an item.
  public func didSelectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    changeSelection(to: selectedItems.union([item]), by: .user)
  }

  /// Takes note that the user ended the selection of an item.
  public func didDeselectItem(at path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    changeSelection(to: selectedItems.subtracting([item]), by: .user)
  }

  /// Ends the selection of what is there no longer.
  func deselectItemsThatAreGone() {
    changeSelection(to: selectedItems.filter { snapshot.containsItem($0) }, by: .deletion)
  }

  /// Lets the selection go on under the identifiers that items have in the state on display.
  func renameSelection() {
    changeSelection(to: display.renamed(selectedItems), by: .renaming)
  }

  /// Shows the selection where it is now.
  func showSelection() {
    guard !selectedItems.isEmpty else { return }
    host?.showSelection(Set(selectedItems.compactMap { snapshot.itemPath(for: $0) }))
  }

  private func changeSelection(to items: Set<ItemID>, by cause: SelectionChange<ItemID>.Cause) {
    guard let change = selection.change(to: items, by: cause) else { return }
    // What the user does is to be seen already, and what is gone is not.
    if cause == .program {
      host?.showSelection(Set(items.compactMap { snapshot.itemPath(for: $0) }))
    }
    selectionHandler?(change)
  }
}
