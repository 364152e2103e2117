extension Snapshot {
  /// The number of visible items in all sections; those hidden by a collapsed row are not counted.
  ///
  /// - Complexity: O(1).
  public var numberOfItems: Int { base.itemCount }

  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var numberOfSections: Int { base.order.count }

  /// The section identifiers, in order.
  ///
  /// - Complexity: O(s) for s sections.
  public var sectionIdentifiers: [SectionID] { records.map { $0.id } }

  /// The item identifiers of all sections, in order.
  ///
  /// - Complexity: O(s + n) for s sections and n items.
  public var itemIdentifiers: [ItemID] {
    var items: [ItemID] = []
    items.reserveCapacity(numberOfItems)
    for record in records { items.append(contentsOf: Items(base: record.items)) }
    return items
  }

  /// The number of items in a section; 0 for an unknown one.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func numberOfItems(inSection section: SectionID) -> Int {
    indexOfSection(section).map { base.itemCount(ofSectionAt: $0) } ?? 0
  }

  /// The item identifiers of a section, in order; none for an unknown one.
  ///
  /// - Complexity: O(m + log s) for m items in the section.
  public func itemIdentifiers(inSection section: SectionID) -> [ItemID] {
    items(inSection: section).base.array
  }

  /// The items of a section as a collection that shares the snapshot's storage.
  ///
  /// It is empty for an unknown section.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func items(inSection section: SectionID) -> Items {
    Items(base: indexOfSection(section).map { order[$0].items } ?? .none(kernels.items))
  }

  /// The items of the section at an index; empty if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func items(inSectionAt index: Int) -> Items {
    Items(
      base: (0..<numberOfSections).contains(index) ? order[index].items : .none(kernels.items))
  }

  /// The section that contains an item, visible or hidden, or `nil` for an unknown item.
  ///
  /// - Complexity: The same as ``itemPath(for:)``.
  public func sectionIdentifier(containingItem item: ItemID) -> SectionID? {
    guard base.hasOutlines else { return itemPath(for: item).map { section(at: $0.section) } }
    let places = places(ofItem: item)
    return (places.visible.first?.section ?? places.hidden.first).map(section(at:))
  }

  /// The section at an index, or `nil` if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func sectionIdentifier(at index: Int) -> SectionID? {
    (0..<numberOfSections).contains(index) ? section(at: index) : nil
  }

  /// The index of a section, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func indexOfSection(_ section: SectionID) -> Int? {
    withUnsafePointer(to: section) { base.index(ofSectionEqualTo: $0) }
  }

  /// The index of an item among all visible items, or `nil` if it is unknown or hidden.
  ///
  /// - Complexity: The same as ``itemPath(for:)``, and O(log s) for s sections.
  public func indexOfItem(_ item: ItemID) -> Int? {
    itemPath(for: item).map { path in
      order.totals(before: path.section).items + path.item
    }
  }

  /// The path of an item, or `nil` for an unknown item and for one hidden by a collapsed row.
  ///
  /// - Complexity: O(log n) for n items, given a good hash, in the live state of a source and in
  ///   states that have the item in the same place as the live state. Any other snapshot has no
  ///   lookup table at first: the first sixteen lookups scan every stored hash, O(n), and the next
  ///   one builds the table, which costs many times as much.
  public func itemPath(for item: ItemID) -> ItemPath? {
    base.itemTable == nil ? paths(ofItem: item).first : firstPath(ofItem: item)
  }

  /// The item at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  public func itemIdentifier(for path: ItemPath) -> ItemID? {
    guard (0..<numberOfSections).contains(path.section) else { return nil }
    let section = base.body(ofSectionAt: path.section)
    guard (0..<section.itemCount).contains(path.item) else { return nil }
    return section.item(at: path.item, of: ItemID.self)
  }

  /// Returns whether an item is in the snapshot, visible or hidden.
  ///
  /// - Complexity: The same as ``itemPath(for:)``.
  public func containsItem(_ item: ItemID) -> Bool {
    // Without outlines nothing is hidden, and the first path is found without listing all.
    guard base.hasOutlines else { return itemPath(for: item) != nil }
    let places = places(ofItem: item)
    return !places.visible.isEmpty || !places.hidden.isEmpty
  }

  /// Returns whether a section is in the snapshot.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func containsSection(_ section: SectionID) -> Bool {
    indexOfSection(section) != nil
  }

  /// The items of a section, without copying them.
  ///
  /// Indices count from 0 inside the section. Access by index costs O(log m) for m items; iterating
  /// over all of them costs O(m).
  public struct Items: RandomAccessCollection, Sendable {
    let base: SectionItems<ItemID>

    /// The index of the first item: 0.
    public var startIndex: Int { 0 }
    /// The number of items.
    public var endIndex: Int { base.count }
    /// The item at an index inside the section.
    public subscript(index: Int) -> ItemID { base[index] }

    /// Creates an iterator over the items, first to last.
    public func makeIterator() -> Iterator { Iterator(base) }

    /// An iterator over the items of a section.
    ///
    /// It reads adjacent items together, so most steps are an array access.
    public struct Iterator: IteratorProtocol {
      @usableFromInline var items: [ItemID]
      @usableFromInline var position = 0
      private var leaves: Array<TypedLeaf<ItemID>>.Iterator

      init(_ section: SectionItems<ItemID>) {
        switch section {
        case .array(let array):
          items = array.items
          leaves = [].makeIterator()
        case .tree(let tree):
          items = []
          leaves = tree.leaves.makeIterator()
        }
      }

      /// The next item, or `nil` after the last one.
      @inlinable public mutating func next() -> ItemID? {
        if position == items.count, !takeNeighbours() { return nil }
        position += 1
        return items[position - 1]
      }

      /// Takes the items of the next leaf; returns whether there is one.
      @usableFromInline mutating func takeNeighbours() -> Bool {
        guard let leaf = leaves.next() else { return false }
        (items, position) = (Array(leaf), 0)
        return true
      }
    }
  }
}
