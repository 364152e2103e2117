public import Diffable

/// The values of the rows of a tree, in code that does not know their type.
@usableFromInline class SubtreeTotals {
  @usableFromInline init() {}

  /// Replaces adjacent rows.
  @usableFromInline func replace(_ old: Range<Int>, with rows: [RowPlace]) {}
  /// Writes the model of a row, above adjacent ones, to uninitialised memory.
  @usableFromInline func make(
    _ element: UnsafeRawPointer, below: Range<Int>, _ target: UnsafeMutableRawPointer
  ) {}
}

/// The same, in code that knows the types.
@usableFromInline
final class SubtreeAggregates<Element, Value, Model>: SubtreeTotals {
  private let model: @Sendable (Element, Int, Value) -> Model
  private let column: any AggregateColumn<Value>

  @usableFromInline init(
    _ aggregate: Aggregate<Element, Value>,
    _ model: @escaping @Sendable (Element, Int, Value) -> Model
  ) {
    (column, self.model) = (aggregate.makeColumn(), model)
  }

  @usableFromInline override func replace(_ old: Range<Int>, with rows: [RowPlace]) {
    column.replace(old, with: rows.map(\.element))
  }

  @usableFromInline override func make(
    _ element: UnsafeRawPointer, below rows: Range<Int>, _ target: UnsafeMutableRawPointer
  ) {
    let value = column.value(of: rows)
    target.assumingMemoryBound(to: Model.self).initialize(
      to: lend(element, to: { (element: Element) in model(element, rows.count, value) }))
  }
}
