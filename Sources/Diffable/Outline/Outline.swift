/// An ordered forest of items, each expanded or collapsed: what a section with rows to fold holds.
///
/// Apple calls it a section snapshot. An outline is a value, and copying it costs nothing:
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
/// An item is *visible* when all its ancestors are expanded. Whether it is expanded itself is a
/// flag of the item: it may stand on one without children, stays when an ancestor is collapsed, and
/// goes with the item. Everything starts collapsed.
///
/// An item stands in an outline once. An outline always knows its items, so an edit that names one
/// twice, or an unknown parent or neighbour, throws at once and changes nothing.
///
/// To show it, put it in a section with
/// ``Snapshot/setOutline(_:forSection:keepingExpansion:)``.
///
/// Invariants:
/// 1. Rows stand in the order in which the forest is read: an item, then its descendants. The first
///    row is at level 0, and none is more than one level below the row before it.
/// 2. Each row has one entry in `table`, and no item stands twice.
/// 3. A row is marked visible exactly if all its ancestors are expanded.
public struct Outline<ItemID: Hashable & Sendable>: Sendable {
  typealias Row = OutlineRow<ItemID>

  /// All rows, hidden ones too.
  var rows: TypedTree<Row>
  /// Where each row is.
  var table = IdentityTable()
  /// What the outline knows of its items.
  let kernel: ElementKernel

  /// Creates an outline without any item.
  @inlinable public init() {
    self.init(ElementKernel(ItemID.self))
  }

  /// Creates an outline of items side by side.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` with all that come twice.
  /// - Complexity: O(n) for n items, given a good hash.
  @inlinable public init(_ items: some Sequence<ItemID>) throws(SnapshotError) {
    self.init()
    try append(items)
  }

  @usableFromInline init(_ kernel: ElementKernel) {
    self.init(kernel, shape: .items)
  }

  init(_ kernel: ElementKernel, shape: TreeShape) {
    self.kernel = kernel
    rows = TypedTree(shape: shape, kernel: .rows(of: ItemID.self, kernel))
  }

  /// An outline without any item whose trees are like those of this one.
  var emptied: Outline {
    var outline = self
    outline.rows = TypedTree(shape: rows.shape, kernel: rows.kernel)
    outline.table = IdentityTable()
    return outline
  }
}

extension Outline: Equatable {
  /// Compares the items, how they stand, and all flags.
  ///
  /// - Complexity: O(n) for n items, less where both share storage.
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
    return isEqual || (!isCertain && left.rowsAreIdentical(to: right))
  }

  private static func rows(of leaves: ArraySlice<InnerNode.Child>) -> [Row] {
    leaves.compactMap(\.leaf).flatMap { TypedLeaf<Row>(base: $0).elements }
  }

  /// Compares row by row: leaves that are cut elsewhere may hold the same.
  func rowsAreIdentical(to other: Outline) -> Bool {
    zip(rows.leaves.lazy.flatMap { $0.elements }, other.rows.leaves.lazy.flatMap { $0.elements })
      .allSatisfy { $0.isIdentical(to: $1) }
  }
}
