import Diffable

/// A step that gives each row of a tree a model by the totals of its descendants.
///
/// The descendants of a row follow it in its tree. So their number follows from the tree, and a sum over
/// them is one over adjacent rows.
final class TreeTotals<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Element, Value, Model
>: TreeStep<SectionID, ItemID> {
  private let aggregate: Aggregate<Element, Value>
  private let model: @Sendable (Element, Int, Value) -> Model
  /// The kernels of the rows that it makes.
  private let kernels: SnapshotKernels
  /// By section: the rows of its tree.
  private var columns = IdentifierMap<SectionID, any AggregateColumn<Value>>()

  init(
    _ aggregate: Aggregate<Element, Value>,
    _ model: @escaping @Sendable (Element, Int, Value) -> Model, _ kernels: SnapshotKernels
  ) {
    (self.aggregate, self.model, self.kernels) = (aggregate, model, kernels)
    super.init(element: Element.self)
  }

  override func kernels(from input: SnapshotKernels) -> SnapshotKernels { kernels }

  override func forget(_ section: SectionID?) {
    if let section { columns[section] = nil } else { columns = IdentifierMap() }
  }

  override func rows(
    of tree: Tree, of section: SectionID, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) -> ContiguousArray<Tree.Row> {
    let column = aggregate.makeColumn()
    columns[section] = column
    column.replace(0..<0, with: tree.places(0..<tree.count).map(\.element))
    give(0..<tree.count, of: tree, column, kernels, &given)
    return tree.copiedRows(0..<tree.count, deeper: 0)
  }

  override func give(
    _ rows: [RowPlace], _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    give(rows.map { ($0, below: 0..<0) }, aggregate.makeColumn(), kernels, &given)
  }

  override func apply(
    _ change: Change, _ output: inout Tree, _ flags: ExpansionFlags<ItemID>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    guard let column = columns[change.section] else { return }
    let new = change.new
    change.update(column)
    output.replaceRows(
      change.regions.map { RowReplacement($0.old, with: new.copiedRows($0.new, deeper: 0)) })
    output.setFlags(like: change.updated.map { new.rows[$0] })
    for region in change.regions { give(region.new, of: new, column, kernels, &given) }
    // The totals of the ancestors of all that has changed.
    let inRegions = RangeSet(change.regions.map(\.new))
    for position in Set(change.lowest.lazy.flatMap(new.chain(from:)))
    where !inRegions.contains(position) {
      give(position..<position + 1, of: new, column, kernels, &given)
    }
  }

  /// Gives adjacent rows of a tree their models.
  private func give(
    _ range: Range<Int>, of tree: Tree, _ column: any AggregateColumn<Value>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    let rows = zip(range, tree.places(range)).map { position, row in
      (row, below: position + 1..<tree.endOfSubtree(at: position))
    }
    give(rows, column, kernels, &given)
  }

  private func give(
    _ rows: [(RowPlace, below: Range<Int>)], _ column: any AggregateColumn<Value>,
    _ kernels: SnapshotKernels, _ given: inout Live.Given
  ) {
    guard let models = kernels.models, !rows.isEmpty else { return }
    let made = HashedElements(models, count: rows.count) { number, place in
      let (row, below) = rows[number]
      let value = column.value(of: below)
      place.assumingMemoryBound(to: Model.self).initialize(
        to: lend(row.element) { (element: Element) in model(element, below.count, value) })
    }
    withExtendedLifetime(made) {
      for (number, row) in rows.enumerated() {
        given.set(row.0.item, model: made.span.address(number), kernels)
      }
    }
  }
}
