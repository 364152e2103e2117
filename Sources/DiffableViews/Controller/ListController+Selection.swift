public import Diffable

extension ListController {
  /// The selected items.
  ///
  /// - Complexity: O(k) for k selected items when they have changed, O(1) otherwise.
  ///   ``isSelected(_:)`` costs less for one item, and ``selectedPaths`` for all of them.
  public var selectedItems: Set<ItemID> {
    if let known = knownSelection { return known }
    let items = selection.rows.items(in: snapshot)
    knownSelection = items
    return items
  }

  /// The paths of the selected items on display, as ranges; not those of items that have no row.
  ///
  /// - Complexity: O(1).
  public var selectedPaths: ItemPathSet { selection.rows.paths }

  /// Returns whether an item is selected.
  ///
  /// In the middle of a batch that renames it, it is known by both identifiers.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func isSelected(_ item: ItemID) -> Bool {
    if let path = display.path(of: item) { return selection.rows.paths.contains(path) }
    let absent = selection.rows.absent
    return absent.contains(item) || absent.contains(display.newName(of: item))
  }

  /// Adds items to the selection.
  ///
  /// Unknown items are ignored, unless ``keepsAbsentItemsSelected`` is set. An item that is selected
  /// alone is where a range begins, see ``extendSelection(to:)``. Other items stay selected: deselect them in a
  /// view that shows one selected item only.
  ///
  /// - Complexity: O(m · log n) for m of n items, and O(r) for r ranges of selected rows.
  public func select(_ items: some Sequence<ItemID>) {
    let known = rows(of: items) { keepsAbsentItemsSelected || snapshot.containsItem($0) }
    let single =
      known.paths.count + known.absent.count == 1
      ? known.paths.first.flatMap(snapshot.itemIdentifier(for:)) ?? known.absent.first : nil
    change(to: selection.rows.union(known), by: .program) { new in
      if let added = new.span?.added { new.span?.added = added.subtracting(known) }
      if let single { new.span = .init(of: single) }
    }
  }

  /// Selects all rows on display.
  ///
  /// - Complexity: O(s · log s) for s sections, however many rows they have.
  public func selectAll() {
    var all = ItemPathSet()
    for section in 0..<snapshot.numberOfSections {
      all.append(section: section, items: 0..<snapshot.itemCount(ofSectionAt: section))
    }
    change(to: selection.rows.union(SelectedRows(paths: all)), by: .program) { $0.span = nil }
  }

  /// Removes items from the selection.
  ///
  /// - Complexity: O(m · log n) for m of n items, and O(r) for r ranges of selected rows.
  public func deselect(_ items: some Sequence<ItemID>) {
    let known = rows(of: items) { _ in true }
    change(to: selection.rows.subtracting(known), by: .program) { $0.span = nil }
  }

  /// Selects all rows between the item that was last selected alone, and another one.
  ///
  /// This is what a click with the Shift key does. A range that was extended before ends at the new
  /// item; other selected items stay selected. The range begins at an item, wherever that is by now:
  /// the list may have been sorted. If its row is folded away, the range begins at the row under which
  /// it is. Without such an item, the other one is selected alone.
  ///
  /// - Parameter item: The item; an unknown one is ignored.
  /// - Complexity: O(log n + s + r) for n items, s sections between the two, and r ranges of selected
  ///   rows.
  public func extendSelection(to item: ItemID) {
    guard let path = snapshot.itemPath(for: item) else { return }
    extendSelection(to: item, at: path, by: .program)
  }

  /// Records that the user selected items.
  package func didSelectItems(at paths: ItemPathSet) {
    let known = rows(at: paths)
    guard !known.isEmpty else { return }
    let single = known.count == 1 ? known.first.flatMap(snapshot.itemIdentifier(for:)) : nil
    var others = selection.rows
    // A view for one selected item reports that the former one is deselected only if it has a row.
    if let host = host as? any SelectingHost, !host.allowsMultipleSelection { others.absent = [] }
    change(to: others.union(SelectedRows(paths: known)), by: .user) {
      $0.span = single.map { .init(of: $0) }
    }
  }

  /// Records that the user deselected items.
  package func didDeselectItems(at paths: ItemPathSet) {
    let known = rows(at: paths)
    guard !known.isEmpty else { return }
    change(to: selection.rows.subtracting(SelectedRows(paths: known)), by: .user) { $0.span = nil }
  }

  /// Records that the user extended the selection from one item to another.
  package func didExtendSelection(from origin: ItemPath, to path: ItemPath) {
    guard let first = snapshot.itemIdentifier(for: origin),
      let last = snapshot.itemIdentifier(for: path)
    else { return }
    // The end of the range may be folded away, and then the user is on the row under which it is.
    let goesOn =
      selection.span.map {
        display.path(standingFor: $0.lead) == origin && snapshot.containsItem($0.anchor)
      } ?? false
    if !goesOn { change(to: selection.rows, by: .user) { $0.span = .init(of: first) } }
    extendSelection(to: last, at: path, by: .user)
  }

  private func extendSelection(
    to item: ItemID, at path: ItemPath, by cause: SelectionChange<ItemID>.Cause
  ) {
    if selection.span.map({ !snapshot.containsItem($0.anchor) }) ?? true {
      change(to: selection.rows, by: cause) { $0.span = .init(of: item) }
    }
    let anchor = selection.span.flatMap { display.path(standingFor: $0.anchor) } ?? path
    let range = rows(from: min(anchor, path), through: max(anchor, path))
    let new = selection.extended(to: item, selecting: range)
    change(to: new.rows, by: cause) { $0.span = new.span }
    // The view knows where the range ends, but not where it begins.
    if cause == .user { showSelection() }
  }

  /// All rows from one path to another.
  private func rows(from first: ItemPath, through last: ItemPath) -> ItemPathSet {
    var rows = ItemPathSet()
    for section in first.section...last.section {
      let start = section == first.section ? first.item : 0
      let count = snapshot.itemCount(ofSectionAt: section)
      rows.append(
        section: section, items: start..<(section == last.section ? last.item + 1 : count))
    }
    return rows
  }

  /// The paths among some that exist.
  private func rows(at paths: ItemPathSet) -> ItemPathSet {
    var rows = ItemPathSet()
    for range in paths.ranges where (0..<snapshot.numberOfSections).contains(range.section) {
      let all = 0..<snapshot.itemCount(ofSectionAt: range.section)
      rows.append(section: range.section, items: range.items.clamped(to: all))
    }
    return rows
  }

  /// The rows of items; those without a row are asked about.
  private func rows(
    of items: some Sequence<ItemID>, orAbsent isWanted: (ItemID) -> Bool
  ) -> SelectedRows<ItemID> {
    var rows = SelectedRows<ItemID>()
    var paths: [ItemPath] = []
    for item in items {
      if let path = snapshot.itemPath(for: item) {
        paths.append(path)
      } else if isWanted(item) {
        rows.absent.insert(item)
      }
    }
    rows.paths = ItemPathSet(paths)
    return rows
  }

  /// Shows the selection at its current paths, once the view shows the state on display.
  func showSelection() {
    guard !isViewBehind, !isSelectionShown || !selection.rows.isEmpty else { return }
    // If the selected rows are gone, what the view has selected instead stays selected, unless the
    // program has just deselected everything.
    if isSelectionShown, selection.rows.paths.isEmpty, !ownSelectionOfView.isEmpty { return }
    isSelectionShown = true
    host?.showSelection(selection.rows.paths)
  }

  /// Selects what the view has selected by itself during a batch, if no row is selected.
  ///
  /// Only a view that must have a selected item does that: with the first rows, and when the last selected row
  /// is gone.
  func takeSelectionOfView() {
    if selection.rows.paths.isEmpty { didSelectItems(at: ownSelectionOfView) }
  }

  private var ownSelectionOfView: ItemPathSet {
    (host as? any SelectingHost)?.ownSelection ?? ItemPathSet()
  }

  /// Selects exactly these rows.
  private func change(
    to rows: SelectedRows<ItemID>, by cause: SelectionChange<ItemID>.Cause,
    _ edit: (inout ItemSelection<ItemID>) -> Void
  ) {
    let (selected, deselected) = (
      rows.subtracting(selection.rows), selection.rows.subtracting(rows)
    )
    // The previous items are released after the access.
    var next = selection
    next.rows = rows
    edit(&next)
    swap(&selection, &next)
    guard !selected.isEmpty || !deselected.isEmpty else { return }
    knownSelection = nil
    // The view already shows what the user did.
    if cause == .program {
      isSelectionShown = false
      showSelection()
    }
    selectionHandler?(
      SelectionChange(cause) { [snapshot] in
        selected.items(in: snapshot)
      } deselected: { [snapshot] in
        deselected.items(in: snapshot)
      })
  }
}
