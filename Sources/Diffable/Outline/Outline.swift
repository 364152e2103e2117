/// An ordered forest of items that a section can hold; each item is expanded or collapsed.
///
/// Apple calls it a section snapshot. An outline is a value, and copying it is free:
///
/// ```swift
/// var outline = Outline<String>()
/// try outline.append(["Fruit", "Vegetables"])
/// try outline.append(["Apple", "Pear"], to: "Fruit")
/// outline.expand(["Fruit"])
/// print(outline)
/// ```
///
/// ```text
/// ▾ Fruit
///   • Apple
///   • Pear
/// • Vegetables
/// ```
///
/// An item is *visible* if all its ancestors are expanded. Whether the item itself is expanded is a
/// flag of the item. The flag may be set on an item without children, is kept when an ancestor is
/// collapsed, and moves and is deleted with the item. All items are collapsed at first.
///
/// An item appears once in an outline. An outline always knows its items, so an edit that repeats
/// an item, or names an unknown parent or neighbour, throws at once and changes nothing.
///
/// To show an outline, set it as the content of a section with
/// ``Snapshot/setOutline(_:forSection:keepingExpansion:)``.
public struct Outline<ItemID: Hashable & Sendable>: Sendable {
  // Invariants:
  // 1. Rows are in depth-first order: an item, then its descendants. The first row is at level 0,
  //    and no row is more than one level below the previous row.
  // 2. Each row has one entry in `table`, and no item appears twice.
  // 3. A row is marked visible if and only if all its ancestors are expanded.

  package typealias Row = OutlineRow<ItemID>

  /// All rows, hidden ones included.
  package var rows: TypedTree<Row>
  /// The position of each row.
  var table = IdentityTable()
  /// What the outline knows of its items.
  let kernel: ElementKernel

  /// Creates an outline without any item.
  @inlinable public init() {
    self.init(ElementKernel(ItemID.self))
  }

  /// Creates a flat outline of items.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` with all items that appear twice.
  /// - Complexity: O(n) for n items, given a good hash.
  @inlinable public init(_ items: some Sequence<ItemID> & SendableMetatype) throws(SnapshotError) {
    self.init()
    try append(items)
  }

  @usableFromInline package init(_ kernel: ElementKernel) {
    self.init(kernel, shape: .items)
  }

  package init(_ kernel: ElementKernel, shape: TreeShape) {
    self.kernel = kernel
    rows = TypedTree(shape: shape, kernel: .rows(of: ItemID.self, kernel))
  }

  /// An empty outline whose trees are configured like those of this one.
  var emptied: Outline {
    var outline = self
    outline.rows = TypedTree(shape: rows.shape, kernel: rows.kernel)
    outline.table = IdentityTable()
    return outline
  }
}

extension Outline: Equatable {
  /// Compares the items, their nesting, and all flags.
  ///
  /// - Complexity: O(n) for n items, less if both share storage.
  public static func == (left: Outline, right: Outline) -> Bool {
    guard left.rows.count == right.rows.count else { return false }
    var isEqual = true
    var isCertain = false
    LeafWindows.forEach(old: left.rows.base, new: right.rows.base) { stretch in
      guard !isCertain else { return }
      switch stretch {
      case .shared(let run):
        if run.old != run.new { isEqual = false }
      case .changed(let window):
        let (old, new) = (rows(of: window.old), rows(of: window.new))
        let isAligned = window.oldBase == window.newBase
        let isSame = zip(old, new).allSatisfy { $0.isIdentical(to: $1) }
        if !isAligned || !isSame || old.count != new.count { isEqual = false }
        if isAligned, !isSame { isCertain = true }
      }
    }
    guard !isEqual, !isCertain else { return isEqual }
    // Leaves with different boundaries may hold the same rows.
    return zip(left.rows.leaves.joined(), right.rows.leaves.joined())
      .allSatisfy { $0.isIdentical(to: $1) }
  }

  private static func rows(of leaves: LeafWindows.Nodes) -> [Row] {
    leaves.compactMap(\.leaf).flatMap { TypedLeaf<Row>(base: $0) }
  }
}

extension Outline: CustomStringConvertible {
  /// The outline as an indented picture, with one line for each item.
  ///
  /// `▾` is expanded and `▸` collapsed. `•` is an item without children, and `◦` one that a
  /// collapsed ancestor hides. `…` follows an item whose children are not loaded. Beyond 32 levels,
  /// the number of the level replaces deeper indentation. An empty outline is `∅`.
  public var description: String {
    var lines: [String] = []
    var collapsed = Int32.max
    var position = 0
    forEachRow(in: 0..<count) { row in
      if row.level <= collapsed { collapsed = .max }
      let isParent = row.hasUnloadedChildren || hasChildren(at: position)
      let leaf = collapsed == .max ? "•" : "◦"
      let sign = row.isExpanded ? "▾" : isParent ? "▸" : leaf
      let indentation =
        row.level <= 32
        ? String(repeating: "  ", count: Int(row.level))
        : String(repeating: "  ", count: 32) + "(level \(row.level)) "
      lines.append("\(indentation)\(sign) \(row.id)\(row.hasUnloadedChildren ? " …" : "")")
      if !row.isExpanded { collapsed = min(collapsed, row.level) }
      position += 1
    }
    return lines.isEmpty ? "∅" : lines.joined(separator: "\n")
  }
}

/// Lookups, which never fail for an unknown item.
///
/// It has no index, no level, no parent and no children, and is neither expanded nor visible.
extension Outline {
  /// The number of items, hidden ones included.
  ///
  /// - Complexity: O(1).
  public var count: Int { rows.count }

  /// Whether there is no item.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { rows.isEmpty }

  /// All items, hidden ones included; each item is before its descendants.
  ///
  /// - Complexity: O(n) for n items.
  public var items: [ItemID] {
    array(visibleOnly: false)
  }

  /// The items without a parent, in order.
  ///
  /// - Complexity: O(r · log n) for r of n items.
  public var rootItems: [ItemID] { siblings(from: 0, to: count) }

  /// The last item without a parent; `nil` if there are no items.
  ///
  /// - Complexity: O(log n) for n items.
  var lastRootItem: ItemID? {
    rows.lastPosition(
      before: count, inSubtrees: { $0.lowestLevel <= 0 }, where: { $0.level <= 0 }
    )
    .map { rows[$0].id }
  }

  /// The items whose ancestors are all expanded, in order.
  ///
  /// - Complexity: O(v · log n) for v of n items, at most O(n).
  public var visibleItems: [ItemID] {
    array(visibleOnly: true)
  }

  /// The children of an item, in order.
  ///
  /// - Complexity: O(c · log n) for c children among n items.
  public func children(of parent: ItemID) -> [ItemID] {
    guard let position = position(of: parent) else { return [] }
    return siblings(from: position + 1, to: endOfSubtree(at: position))
  }

  /// The parent of an item, or `nil` for one that has none.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func parent(of child: ItemID) -> ItemID? {
    position(of: child).flatMap(parentPosition(ofRowAt:)).map { rows[$0].id }
  }

  /// The number of ancestors of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func level(of item: ItemID) -> Int? {
    position(of: item).map { Int(rows[$0].level) }
  }

  /// The index of an item among all ``items``, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func index(of item: ItemID) -> Int? { position(of: item) }

  /// Returns whether an item is in the outline, visible or hidden.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func contains(_ item: ItemID) -> Bool { position(of: item) != nil }

  /// Returns whether an item is expanded, even if it is hidden or has no children.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func isExpanded(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].isExpanded } ?? false
  }

  /// Returns whether all ancestors of an item are expanded.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func isVisible(_ item: ItemID) -> Bool {
    position(of: item).map { rows[$0].isVisible } ?? false
  }

  /// The descendants of an item as a separate outline, with their flags.
  ///
  /// - Parameters:
  ///   - parent: The item. For an unknown item the result is empty.
  ///   - includingParent: Whether the item itself is the root of that outline.
  /// - Complexity: O(k + log n) for k descendants among n items.
  public func outline(
    of parent: ItemID, includingParent: Bool = false
  ) -> Outline {
    guard let position = position(of: parent) else { return emptied }
    return outline(
      ofRowsIn: (includingParent ? position : position + 1)..<endOfSubtree(at: position))
  }

  func outline(ofRowsIn range: Range<Int>) -> Outline {
    var outline = emptied
    guard !range.isEmpty else { return outline }
    let copies = copiedRows(range, deeper: -rows[range.lowerBound].level)
    outline.table = IdentityTable(capacity: copies.count)
    outline.replaceRows(0..<0, with: copies)
    return outline
  }

  /// The siblings from one position on.
  func siblings(from start: Int, to end: Int) -> [ItemID] {
    var siblings: [ItemID] = []
    var position = start
    while position < end {
      siblings.append(rows[position].id)
      position = endOfSubtree(at: position)
    }
    return siblings
  }
}

extension Outline {
  /// How the row of an item is drawn, visible or hidden; `nil` for an unknown item.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func disclosure(of item: ItemID) -> Disclosure? {
    position(of: item).map(disclosure(at:))
  }

  func disclosure(at position: Int) -> Disclosure {
    let row = rows[position]
    let sign: Disclosure.Sign =
      if row.isLoading {
        .loading
      } else if row.hasUnloadedChildren || hasChildren(at: position) {
        row.isExpanded ? .expanded : .collapsed
      } else {
        .leaf
      }
    return Disclosure(level: Int(row.level), sign: sign)
  }
}
