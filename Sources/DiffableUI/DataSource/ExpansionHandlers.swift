public import Diffable

/// What an app has to say about rows of an outline that the user folds and unfolds.
///
/// The members have Apple's names, and are asked and told on the main actor.
public struct ExpansionHandlers<ItemIdentifierType: Hashable & Sendable> {
  /// Answers whether an item may be expanded; without it, every item may.
  public var shouldExpandItem: ((ItemIdentifierType) -> Bool)?
  /// Is told of an item that is about to be expanded.
  public var willExpandItem: ((ItemIdentifierType) -> Void)?
  /// Answers whether an item may be collapsed; without it, every item may.
  public var shouldCollapseItem: ((ItemIdentifierType) -> Bool)?
  /// Is told of an item that is about to be collapsed.
  public var willCollapseItem: ((ItemIdentifierType) -> Void)?
  /// Answers what an item that is about to be expanded holds, given what it holds now.
  public var snapshotForExpandingParent:
    ((ItemIdentifierType, Outline<ItemIdentifierType>) -> Outline<ItemIdentifierType>)?

  /// Creates handlers that let everything happen.
  public init() {}
}

extension DisplayedSource {
  /// The outline of a section; a section that is a list is one of items side by side.
  func outline(ofSection section: SectionID) -> Outline<ItemID> {
    let snapshot = snapshot
    if let outline = snapshot.outline(ofSection: section) { return outline }
    // The items of a valid snapshot are different ones.
    return (try? Outline(snapshot.items(inSection: section))) ?? Outline()
  }

  /// An edit that shows an outline in a section, which is appended where there is none.
  static func replacement(
    of section: SectionID, by outline: Outline<ItemID>
  ) -> @Sendable (inout State) throws(SnapshotError) -> Void {
    { snapshot throws(SnapshotError) in
      if !snapshot.containsSection(section) { snapshot.appendSections([section]) }
      try snapshot.setOutline(outline, forSection: section)
    }
  }

  /// Expands items that may be expanded.
  func expand(_ items: [ItemID], _ completion: (() -> Void)?) {
    let items = items.filter { expansion.shouldExpandItem?($0) ?? true }
    var children: [ItemID: Outline<ItemID>] = [:]
    for item in items {
      expansion.willExpandItem?(item)
      children[item] = expansion.snapshotForExpandingParent?(item, childOutline(of: item))
    }
    enqueueEdit(.animated, completion) { [children] snapshot throws(SnapshotError) in
      for (item, outline) in children {
        try snapshot.replaceItems(childrenOf: item, using: outline)
      }
      snapshot.expandItems(items)
    }
  }

  /// Collapses items that may be collapsed.
  func collapse(_ items: [ItemID], _ completion: (() -> Void)?) {
    let items = items.filter { expansion.shouldCollapseItem?($0) ?? true }
    for item in items { expansion.willCollapseItem?(item) }
    enqueueEdit(.animated, completion) { snapshot in snapshot.collapseItems(items) }
  }

  private func childOutline(of item: ItemID) -> Outline<ItemID> {
    let snapshot = snapshot
    return snapshot.sectionIdentifier(containingItem: item)
      .flatMap { snapshot.outline(ofSection: $0) }?.outline(of: item) ?? Outline()
  }
}
