extension Snapshot {
  /// The number of sections. O(1).
  public var numberOfSections: Int { sections.count }

  /// The number of items in all sections. O(1).
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// The section identifiers, in order. O(s) for s sections.
  public var sectionIdentifiers: [SectionID] { sections.map(\.id) }

  /// The item identifiers of all sections, in order. O(n) for n items.
  public var itemIdentifiers: [ItemID] { sections.flatMap(\.items) }

  /// The number of items in a section; 0 for an unknown one.
  public func numberOfItems(inSection section: SectionID) -> Int {
    indexOfSection(section).map { sections[$0].items.count } ?? 0
  }

  /// The item identifiers of a section, in order; none for an unknown one.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    Array(items(inSection: section))
  }

  /// The items of a section as a collection that shares the snapshot's storage; empty for an
  /// unknown one.
  public func items(inSection section: SectionID) -> Items {
    Items(base: indexOfSection(section).map { sections[$0].items } ?? [])
  }

  /// The section that an item stands in, or `nil` for an unknown item.
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    itemPath(for: item).map { sections[$0.section].id }
  }

  /// The section at an index, or `nil` if there is none.
  public func sectionIdentifier(at index: Int) -> SectionID? {
    sections.indices.contains(index) ? sections[index].id : nil
  }

  /// The index of a section, or `nil` for an unknown one.
  public func indexOfSection(_ section: SectionID) -> Int? {
    sections.firstIndex { $0.id == section }
  }

  /// The index of an item in the flat list over all sections, or `nil` for an unknown one.
  public func indexOfItem(_ item: ItemID) -> Int? {
    itemPath(for: item).map { path in
      sections[..<path.section].reduce(0) { $0 + $1.items.count } + path.item
    }
  }

  /// The path of an item, or `nil` for an unknown one.
  public func itemPath(for item: ItemID) -> ItemPath? {
    for (section, content) in sections.enumerated() {
      if let index = content.items.firstIndex(of: item) {
        return ItemPath(section: section, item: index)
      }
    }
    return nil
  }

  /// The item at a path, or `nil` if there is none.
  public func itemIdentifier(for path: ItemPath) -> ItemID? {
    guard sections.indices.contains(path.section) else { return nil }
    let items = sections[path.section].items
    return items.indices.contains(path.item) ? items[path.item] : nil
  }

  /// Answers whether an item is in the snapshot.
  public func containsItem(_ item: ItemID) -> Bool { itemPath(for: item) != nil }

  /// Answers whether a section is in the snapshot.
  public func containsSection(_ section: SectionID) -> Bool { indexOfSection(section) != nil }

  /// The items marked for a reload, in the order they were marked.
  public var reloadedItemIdentifiers: [ItemID] { marks.reloadedItems.inOrder }

  /// The items marked for a reconfigure, in the order they were marked.
  public var reconfiguredItemIdentifiers: [ItemID] { marks.reconfiguredItems.inOrder }

  /// The sections marked for a reload, in the order they were marked.
  public var reloadedSectionIdentifiers: [SectionID] { marks.reloadedSections.inOrder }

  /// The items of a section, without a copy of them.
  public struct Items: RandomAccessCollection, Sendable {
    let base: [ItemID]
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { base.count }
    /// The item at an index inside the section.
    public subscript(index: Int) -> ItemID { base[index] }
  }
}
