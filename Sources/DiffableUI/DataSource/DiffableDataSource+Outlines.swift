public import Diffable
import DiffableViews

extension DiffableDataSource {
  /// The newest content of a section: its outline, or its items side by side.
  ///
  /// - Complexity: O(1) for an outline, O(n) for a list of n items.
  public func snapshot(for section: SectionIdentifierType) -> Outline<ItemIdentifierType> {
    outline(ofSection: section)
  }

  /// Shows an outline in a section, which is appended if it is not there; returns when it, or a newer
  /// state, is on the screen and at rest.
  ///
  /// - Throws: `DataSourceError`, in which case nothing has changed.
  public func apply(
    _ snapshot: Outline<ItemIdentifierType>, to section: SectionIdentifierType,
    animatingDifferences: Bool = true
  ) async throws(DataSourceError) {
    try await edit(
      animatingDifferences ? .animated : .immediate,
      Self.replacement(of: section, by: snapshot))
  }

  /// Shows an outline in a section, after what was handed over before it.
  ///
  /// - Parameters:
  ///   - snapshot: The outline, with its flags.
  ///   - section: The section, which is appended if it is not there.
  ///   - animatingDifferences: Whether the change is to be seen while it happens.
  ///   - completion: Is called when the outline, or a newer state, is on the screen and at rest; not
  ///     if it is refused, see ``errorHandler``.
  public func apply(
    _ snapshot: Outline<ItemIdentifierType>, to section: SectionIdentifierType,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    enqueueEdit(
      animatingDifferences ? .animated : .immediate, completion,
      Self.replacement(of: section, by: snapshot))
  }

  /// How the row of an item is drawn: how deep it stands, and whether its children show.
  ///
  /// Ask for it where a cell is configured. When it changes, the row is reconfigured if it is visible.
  ///
  /// - Returns: The disclosure on the screen; `nil` for an item that is unknown or stands in a list.
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of itemIdentifier: ItemIdentifierType) -> Disclosure? {
    controller.disclosure(of: itemIdentifier)
  }

  /// Does what the user wants who taps the disclosure of a row: expands the item if it is collapsed on
  /// the screen, and else collapses it, as far as ``sectionSnapshotHandlers`` allow it.
  ///
  /// Apple's disclosure accessory does so by itself, but for Apple's data source alone. Call this in the
  /// action of the accessory, or where the row is selected. A row with nothing to unfold is left alone.
  ///
  /// - Parameters:
  ///   - itemIdentifier: The item.
  ///   - completion: Is called when that is on the screen and at rest; not if nothing is to be done.
  public func toggleExpansion(
    of itemIdentifier: ItemIdentifierType, completion: (() -> Void)? = nil
  ) {
    guard let disclosure = disclosure(of: itemIdentifier), disclosure.isExpandable else { return }
    if disclosure.isExpanded {
      collapse([itemIdentifier], completion: completion)
    } else {
      expand([itemIdentifier], completion: completion)
    }
  }

  /// Expands items of outlines, as far as ``sectionSnapshotHandlers`` allow it.
  ///
  ///
  /// - Parameters:
  ///   - items: The items. Others than rows of outlines are ignored.
  ///   - completion: Is called when that is on the screen and at rest.
  public func expand(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    let items = items.filter { sectionSnapshotHandlers.shouldExpandItem?($0) ?? true }
    var children: [ItemIdentifierType: Outline<ItemIdentifierType>] = [:]
    for item in items {
      sectionSnapshotHandlers.willExpandItem?(item)
      children[item] = sectionSnapshotHandlers.snapshotForExpandingParent?(
        item, childOutline(of: item))
    }
    enqueueEdit(.animated, completion) { [children] snapshot throws(SnapshotError) in
      for (item, outline) in children {
        try snapshot.replaceItems(childrenOf: item, using: outline)
      }
      snapshot.expandItems(items)
    }
  }

  /// Collapses items of outlines, as far as ``sectionSnapshotHandlers`` allow it.
  ///
  /// - Parameters:
  ///   - items: The items. Others than rows of outlines are ignored.
  ///   - completion: Is called when that is on the screen and at rest.
  public func collapse(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    let items = items.filter { sectionSnapshotHandlers.shouldCollapseItem?($0) ?? true }
    for item in items { sectionSnapshotHandlers.willCollapseItem?(item) }
    enqueueEdit(.animated, completion) { snapshot in snapshot.collapseItems(items) }
  }
}

extension DiffableDataSource {
  /// The outline of a section; a section that is a list is one of items side by side.
  func outline(ofSection section: SectionIdentifierType) -> Outline<ItemIdentifierType> {
    let snapshot = snapshot()
    if let outline = snapshot.outline(ofSection: section) { return outline }
    // The items of a valid snapshot are different ones.
    return (try? Outline(snapshot.items(inSection: section))) ?? Outline()
  }

  /// An edit that shows an outline in a section, which is appended where there is none.
  static func replacement(
    of section: SectionIdentifierType, by outline: Outline<ItemIdentifierType>
  )
    -> @Sendable (inout Snapshot<SectionIdentifierType, ItemIdentifierType>) throws(SnapshotError)
    -> Void
  {
    { snapshot throws(SnapshotError) in
      if !snapshot.containsSection(section) { snapshot.appendSections([section]) }
      try snapshot.setOutline(outline, forSection: section)
    }
  }

  private func childOutline(of item: ItemIdentifierType) -> Outline<ItemIdentifierType> {
    let snapshot = snapshot()
    return snapshot.sectionIdentifier(containingItem: item)
      .flatMap { snapshot.outline(ofSection: $0) }?.outline(of: item) ?? Outline()
  }
}
