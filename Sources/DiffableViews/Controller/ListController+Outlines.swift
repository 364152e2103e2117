public import Diffable

extension ListController {
  /// How the row at a path on display is drawn; `nil` where there is none, and in a list.
  ///
  /// The states between two stages of a batch are lists. A row has the disclosure then that it will
  /// have, or, if it goes, the one it had.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(ofItemAt path: ItemPath) -> Disclosure? {
    display.disclosure(ofItemAt: path)
  }

  /// How the row of an item is drawn; `nil` for an item that is unknown or stands in a list.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    display.disclosure(of: item)
  }

  /// Expands an item of the source that the list follows, and waits until its children are there.
  ///
  /// The rows come with a batch, like every change. Without a source it does nothing.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other is ignored.
  ///   - name: The name of the change, for undo where the source has that.
  /// - Throws: What `ListSource.setExpanded(_:of:named:)` throws.
  public func expand(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await follower.source?.setExpanded(true, of: item, named: name)
  }

  /// Collapses an item of the source that the list follows.
  ///
  /// Without a source it does nothing.
  ///
  /// - Parameters:
  ///   - item: An item of an outline; any other is ignored.
  ///   - name: The name of the change, for undo where the source has that.
  /// - Throws: What `ListSource.setExpanded(_:of:named:)` throws.
  public func collapse(
    _ item: ItemID, named name: String? = nil
  ) async throws(ChildrenError<ItemID>) {
    try await follower.source?.setExpanded(false, of: item, named: name)
  }

  /// Does what the user wants who unfolded a row, or folded it.
  ///
  /// That is up to the ``expansionHandler``, if there is one. What goes wrong is told to the
  /// ``errorHandler``. A row that cannot be unfolded, or is already as the user wants it, is left
  /// alone.
  public func setExpanded(_ isExpanded: Bool, ofItemAt path: ItemPath) {
    guard let item = snapshot.itemIdentifier(for: path) else { return }
    setExpanded(isExpanded, of: item)
  }

  /// Does what the user wants who taps the disclosure of a row: unfolds it if it is folded, and else
  /// folds it.
  ///
  /// For the action of a control in a cell, which knows its item: a path may be another one by the time
  /// that the user taps it. What counts is what is on display. Otherwise it is
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
    let (handler, source) = (expansionHandler, follower.source)
    // The tasks of a hasty user begin in the order of the wishes.
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
