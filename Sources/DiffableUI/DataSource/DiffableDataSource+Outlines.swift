public import Diffable
import DiffableViews

extension DiffableDataSource {
  /// The newest content of a section: its outline, or its items as a flat outline.
  ///
  /// - Complexity: O(1) for an outline, O(n) for a flat list of n items.
  public func snapshot(for section: SectionIdentifierType) -> Outline<ItemIdentifierType> {
    outline(ofSection: section)
  }

  /// Shows an outline in a section, which is appended if it does not exist.
  ///
  /// Returns when the outline, or a newer state, is on the screen and animations are over.
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

  /// Shows an outline in a section, after all earlier writes.
  ///
  /// - Parameters:
  ///   - snapshot: The outline, with its flags.
  ///   - section: The section, which is appended if it does not exist.
  ///   - animatingDifferences: Whether to animate the change.
  ///   - completion: Called when the outline, or a newer state, is on the screen and animations are
  ///     over. It is not called if the outline is rejected, see ``errorHandler``.
  public func apply(
    _ snapshot: Outline<ItemIdentifierType>, to section: SectionIdentifierType,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    enqueueEdit(
      animatingDifferences ? .animated : .immediate, completion,
      Self.replacement(of: section, by: snapshot))
  }

  /// How the row of an item is drawn: its level, and whether its children show.
  ///
  /// Use it to configure a cell. If it changes, the row is reconfigured if it is visible.
  ///
  /// - Returns: The disclosure on the screen; `nil` for an item that is unknown or in a flat list.
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of itemIdentifier: ItemIdentifierType) -> Disclosure? {
    controller.disclosure(of: itemIdentifier)
  }

  /// Expands an item if it is collapsed on the screen, otherwise collapses it.
  ///
  /// The ``sectionSnapshotHandlers`` may prevent it. Apple's disclosure accessory does this by
  /// itself, but only with Apple's data source. Call this in the action of the accessory, or when
  /// the row is selected. A row without children is left as it is.
  ///
  /// - Parameters:
  ///   - itemIdentifier: The item.
  ///   - completion: Called when the change is on the screen and animations are over; not called if
  ///     there is nothing to do.
  public func toggleExpansion(
    of itemIdentifier: ItemIdentifierType, completion: (() -> Void)? = nil
  ) {
    guard let disclosure = disclosure(of: itemIdentifier), disclosure.isExpandable else { return }
    // In the middle of a batch that renames the item, the source has its new name already.
    let items = [controller.newName(of: itemIdentifier)]
    if disclosure.isExpanded {
      collapseItems(items, completion: completion)
    } else {
      expandItems(items, completion: completion)
    }
  }

  /// Expands items of outlines, unless ``sectionSnapshotHandlers`` prevent it.
  ///
  /// - Parameters:
  ///   - items: The items. Items that are not in an outline are ignored.
  ///   - completion: Called when the change is on the screen and animations are over.
  public func expandItems(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    let items = items.filter { sectionSnapshotHandlers.shouldExpandItem?($0) ?? true }
    var children: [(parent: ItemIdentifierType, outline: Outline<ItemIdentifierType>)] = []
    for item in items {
      sectionSnapshotHandlers.willExpandItem?(item)
      if let outline = sectionSnapshotHandlers.snapshotForExpandingParent?(
        item, childOutline(of: item))
      {
        children.append((item, outline))
      }
    }
    enqueueEdit(.animated, completion) { [children] snapshot throws(SnapshotError) in
      // What is given for a row replaces all below it, and may bring other rows of this call there.
      var left = children
      while let level = left.compactMap({ snapshot.disclosure(of: $0.parent)?.level }).min() {
        let next = left.filter { snapshot.disclosure(of: $0.parent)?.level == level }
        left.removeAll { snapshot.disclosure(of: $0.parent)?.level == level }
        for (parent, outline) in next {
          try snapshot.replaceItems(childrenOf: parent, using: outline)
        }
      }
      snapshot.expandItems(items)
    }
  }

  /// Collapses items of outlines, unless ``sectionSnapshotHandlers`` prevent it.
  ///
  /// - Parameters:
  ///   - items: The items. Items that are not in an outline are ignored.
  ///   - completion: Called when the change is on the screen and animations are over.
  public func collapseItems(_ items: [ItemIdentifierType], completion: (() -> Void)? = nil) {
    let items = items.filter { sectionSnapshotHandlers.shouldCollapseItem?($0) ?? true }
    for item in items { sectionSnapshotHandlers.willCollapseItem?(item) }
    enqueueEdit(.animated, completion) { snapshot in snapshot.collapseItems(items) }
  }
}

extension DiffableDataSource {
  /// The outline of a section; for a flat list, a flat outline of its items.
  func outline(ofSection section: SectionIdentifierType) -> Outline<ItemIdentifierType> {
    let snapshot = snapshot()
    if let outline = snapshot.outline(ofSection: section) { return outline }
    // The items of a valid snapshot are unique.
    return (try? Outline(snapshot.items(inSection: section))) ?? Outline()
  }

  /// An edit that shows an outline in a section, which is appended if it does not exist.
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
