public import Diffable

extension ListController {
  /// How the row at a path on display is drawn; `nil` if there is none, and in a flat list.
  ///
  /// The states between two stages of a batch are flat lists. A row then has the disclosure that it
  /// has after the batch or, if it is deleted, before it.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    display.disclosure(ofItemAt: path)
  }

  /// How the row of an item is drawn; `nil` for an item that is unknown or in a flat list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    display.disclosure(of: item)
  }

  /// Expands an item of the followed source, and waits until its children are loaded.
  ///
  /// The rows are inserted by a batch, like every change. Without a source it does nothing.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: What `ListSource.setExpanded(_:of:named:)` throws.
  public func expandItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await follower.source?.expandItem(item, named: name)
  }

  /// Collapses an item of the followed source.
  ///
  /// Without a source it does nothing.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other item is ignored.
  ///   - name: The name of the change for undo, if the source supports undo.
  /// - Throws: What `ListSource.setExpanded(_:of:named:)` throws.
  public func collapseItem(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await follower.source?.collapseItem(item, named: name)
  }

  /// Expands or collapses a row, as the user wants.
  ///
  /// The ``expansionHandler`` does this, if there is one. Errors are passed to the
  /// ``errorHandler``. A row that cannot be expanded, or is already as the user wants it, is left
  /// as it is.
  public func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    setExpanded(isExpanded, of: item)
  }

  /// Expands a row if it is collapsed, otherwise collapses it, when the user taps its disclosure.
  ///
  /// Use it as the action of a control in a cell. The cell knows its item, while its path may have
  /// changed by the time of the tap. What counts is what is on display. Otherwise it is like
  /// ``setExpanded(_:ofItemAt:)``.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func toggleExpansion(of item: ItemID) {
    guard let disclosure = disclosure(of: item) else { return }
    setExpanded(!disclosure.isExpanded, of: item)
  }

  private func setExpanded(_ isExpanded: Bool, of item: ItemID) {
    guard let disclosure = disclosure(of: item), disclosure.isExpandable,
      disclosure.isExpanded != isExpanded
    else { return }
    // In the middle of a batch that renames the item, the source has its new name already.
    let item = newName(of: item)
    let (handler, source) = (expansionHandler, follower.source)
    // If the user taps quickly, the tasks begin in the order of the taps.
    Task { [weak self] in
      do {
        if let handler {
          try await handler(item, isExpanded)
        } else {
          try await source?.setExpanded(isExpanded, of: item, named: nil)
        }
      } catch {
        self?.errorHandler?(.expansionFailed(item: AnyItemID(item), reason: "\(error)"))
      }
    }
  }
}
