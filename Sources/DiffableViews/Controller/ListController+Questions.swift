public import Diffable

extension ListController {
  /// The item at a path on display, or `nil` if there is none.
  ///
  /// - Complexity: O(log n) for n items.
  public func itemIdentifier(for path: ItemPath) -> ItemID? {
    snapshot.itemIdentifier(for: path)
  }

  /// The path of an item on display, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash. In the middle of a batch of more than
  ///   four stages, which only the sequential profile makes, it is O(n).
  public func itemPath(for item: ItemID) -> ItemPath? {
    snapshot.itemPath(for: item)
  }

  /// The identifier that an item on display has after the batch that is being shown.
  package func newName(of item: ItemID) -> ItemID { newNames(of: [item]).first ?? item }

  /// The same of several items.
  ///
  /// - Complexity: O(m) for m items. While the stages of the batch are found, also O(r) for its r renames, and
  ///   two lookups for each renamed item; given good hashes.
  func newNames(of items: [ItemID]) -> [ItemID] {
    guard let arriving else { return items.map { display.newName(of: $0) } }
    let renamed = arriving.baseRenames + arriving.renamedItems
    guard !renamed.isEmpty else { return items }
    let names = Dictionary(
      renamed.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
    return items.map { item in
      // An identifier in both states names the same item, whatever was said.
      guard let name = names[item], !arriving.snapshot.containsItem(item),
        !snapshot.containsItem(name)
      else { return item }
      return name
    }
  }

  /// The section at an index, or `nil` if there is none.
  ///
  /// - Complexity: O(log s) for s sections.
  public func sectionIdentifier(for index: Int) -> SectionID? {
    snapshot.sectionIdentifier(at: index)
  }

  /// The index of a section on display, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func index(for section: SectionID) -> Int? {
    snapshot.indexOfSection(section)
  }

  /// The cell that shows an item; `nil` if the view has none, or while it is being updated.
  public func cell(for item: ItemID) -> Host.Cell? {
    isViewBehind ? nil : itemPath(for: item).flatMap { host?.cell(at: $0) }
  }

  /// The items on the screen, in order: what a `PageLoader` needs.
  ///
  /// - Complexity: O(v · log n) for v items on the screen, of n.
  public var visibleItems: [ItemID] {
    (host?.visibleItemPaths ?? []).compactMap(snapshot.itemIdentifier(for:))
  }
}
