import Diffable

/// The selection in the states that are put on display.
extension ListController {
  /// Takes the selection along to the state on display.
  ///
  /// - Parameters:
  ///   - old: The state before.
  ///   - difference: What changed; `nil` if that is not known.
  func moveSelection(
    from old: Snapshot<SectionID, ItemID>, through difference: SnapshotDifference?
  ) {
    let new = snapshot
    guard !selection.rows.isEmpty || selection.span != nil,
      !old.base.order.isIdentical(to: new.base.order)
    else { return }
    // Of a list without rows nothing is known to have changed, and absent items come back.
    let passage =
      old.numberOfItems == 0 ? nil : difference.map { RowPassage(from: old, to: new, $0) }
    var (former, names) = (Set<ItemID>(), Set<ItemID>())
    func newName(_ item: ItemID) -> ItemID {
      let name = display.newName(of: item)
      guard name != item else { return item }
      former.insert(item)
      names.insert(name)
      return name
    }
    func followed(_ rows: SelectedRows<ItemID>, _ name: (ItemID) -> ItemID) -> SelectedRows<ItemID>
    {
      passage?.follow(rows, newName: name) ?? rows.followed(from: old, to: new, newName: name)
    }
    var next = selection
    next.rows = followed(selection.rows, newName)
    if let span = selection.span {
      next.span?.added = followed(span.added, display.newName)
      if display.renamesItems {
        next.span?.rename { new.containsItem($0) ? $0 : display.newName(of: $0) }
      }
    }
    let hasLost = next.rows.absent.count > selection.rows.absent.count
    if hasLost || passage?.mayLoseHiddenItems ?? true { next.isUncertain = true }
    let renamed = passage?.renamed(selection.rows.paths)
    swap(&selection, &next)
    guard renamed != nil || !names.isEmpty else { return }
    knownSelection = nil
    guard let selectionHandler else { return }
    selectionHandler(
      SelectionChange(.renaming) { [names] in
        SelectedRows(paths: renamed?.new ?? [], absent: names).items(in: new)
      } deselected: { [former] in
        SelectedRows(paths: renamed?.old ?? [], absent: former).items(in: old)
      })
  }

  /// Keeps absent items selected under the identifiers that they receive by the batch that is about to
  /// be shown.
  func renameAbsentItems() {
    let absent = selection.rows.absent
    guard !absent.isEmpty, display.renamesItems else { return }
    let renames = display.newNames.filter { absent.contains($0.key) }
    guard !renames.isEmpty else { return }
    func renamed(_ items: Set<ItemID>) -> Set<ItemID> {
      var items = items
      let known = renames.filter { items.contains($0.key) }
      items.subtract(known.keys)
      items.formUnion(known.values)
      return items
    }
    var next = selection
    next.rows.absent = renamed(absent)
    if let added = next.span?.added.absent { next.span?.added.absent = renamed(added) }
    next.span?.rename { snapshot.containsItem($0) ? $0 : renames[$0] ?? $0 }
    swap(&selection, &next)
    knownSelection = nil
    selectionHandler?(
      SelectionChange(
        selected: Set(renames.values), deselected: Set(renames.keys), cause: .renaming))
  }

  /// Deselects items that are gone, unless the program wants to do that.
  ///
  /// - Complexity: O(a · log n) for a absent items of n, if any may be gone.
  func deselectItemsThatAreGone() {
    guard selection.isUncertain else { return }
    var next = selection
    next.isUncertain = keepsAbsentItemsSelected && next.isUncertain
    if !keepsAbsentItemsSelected {
      next.rows.absent = next.rows.absent.filter { snapshot.containsItem($0) }
      let hidden = next.rows.absent
      if let added = next.span?.added.absent {
        next.span?.added.absent = added.intersection(hidden)
      }
    }
    let gone = selection.rows.absent.subtracting(next.rows.absent)
    swap(&selection, &next)
    guard !gone.isEmpty else { return }
    knownSelection = nil
    selectionHandler?(SelectionChange(selected: [], deselected: gone, cause: .deletion))
  }
}
