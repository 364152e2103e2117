import Diffable

/// A step that gives each row of a tree a model by the totals of its descendants.
///
/// The descendants of a row follow it in its tree. So their number follows from the tree, and a sum over
/// them is one over adjacent rows.
final class TreeTotals<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  TreeStep<SectionID, ItemID>
{
  private let makeTotals: @Sendable () -> SubtreeTotals
  /// The kernels of the rows that it makes.
  private let kernels: SnapshotKernels
  /// By section: the values of the rows of its tree.
  private var totals = IdentifierMap<SectionID, SubtreeTotals>()

  init(
    _ makeTotals: @escaping @Sendable () -> SubtreeTotals, _ kernels: SnapshotKernels,
    element: any Any.Type
  ) {
    (self.makeTotals, self.kernels) = (makeTotals, kernels)
    super.init(element: element)
  }

  override func kernels(from input: SnapshotKernels) -> SnapshotKernels { kernels }

  override func forget(_ section: SectionID?) {
    if let section { totals[section] = nil } else { totals = IdentifierMap() }
  }

  override func rows(
    of tree: Tree, of section: SectionID, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> {
    let totals = makeTotals()
    self.totals[section] = totals
    totals.replace(0..<0, with: tree.places(0..<tree.count))
    give(0..<tree.count, of: tree, totals, kernels, &given)
    return tree.copiedRows(0..<tree.count, deeper: 0)
  }

  override func give(
    _ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    give(rows.map { ($0, below: 0..<0) }, makeTotals(), kernels, &given)
  }

  override func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    guard let totals = totals[change.section] else { return }
    let new = change.new
    for region in change.regions.reversed() {
      totals.replace(region.old, with: new.places(region.new))
    }
    for position in change.updated {
      totals.replace(
        position..<position + 1, with: new.places(position..<position + 1))
    }
    output.replaceRows(
      change.regions.map { RowReplacement($0.old, with: new.copiedRows($0.new, deeper: 0)) })
    output.setFlags(like: change.updated.map { new.rows[$0] })
    for region in change.regions { give(region.new, of: new, totals, kernels, &given) }
    // The totals of the ancestors of all that has changed.
    let inRegions = RangeSet(change.regions.map(\.new))
    for position in Set(change.lowest.lazy.flatMap(new.chain(from:)))
    where !inRegions.contains(position) {
      give(position..<position + 1, of: new, totals, kernels, &given)
    }
  }

  /// Gives adjacent rows of a tree their models.
  private func give(
    _ range: Range<Int>, of tree: Tree, _ totals: SubtreeTotals, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) {
    let rows = zip(range, tree.places(range)).map { position, row in
      (row, below: position + 1..<tree.endOfSubtree(at: position))
    }
    give(rows, totals, kernels, &given)
  }

  private func give(
    _ rows: [(RowPlace, below: Range<Int>)], _ totals: SubtreeTotals, _ kernels: SnapshotKernels,
    _ given: inout Live.Given
  ) {
    guard let models = kernels.models, !rows.isEmpty else { return }
    let made = HashedElements(models, count: rows.count) { number, place in
      totals.make(rows[number].0.element, below: rows[number].below, place)
    }
    withExtendedLifetime(made) {
      for (number, row) in rows.enumerated() {
        given.set(row.0.item, model: made.span.address(number), kernels)
      }
    }
  }
}
