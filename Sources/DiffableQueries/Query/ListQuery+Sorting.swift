public import Diffable

extension ListQuery {
  /// Sorts the rows of each section.
  ///
  /// Rows that the order does not distinguish keep their previous order. So if you sort twice, the
  /// second order is the main one and the first breaks ties. To sort rows of several sections
  /// together, group them as well, before or afterwards. A comparison that is not an order, such as
  /// one of numbers that may be NaN, gives an arbitrary order.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that sort in the same way; `nil` if it equals no other.
  ///   - areInIncreasingOrder: Whether the row of the first element belongs before the row of the
  ///     second. It should use only the sort criteria: if neither the old nor the new element of a
  ///     row is before the other, the row stays where it is.
  /// - Complexity: O(n · log n) comparisons for n rows when the query is set, O(log n) for each row
  ///   that changes afterwards.
  public func sorted(
    id: (any Hashable & Sendable)? = nil,
    by areInIncreasingOrder: @escaping @Sendable (Output.Element, Output.Element) -> Bool
  ) -> ListQuery {
    let order = RowOrder(areInIncreasingOrder)
    var query = self
    query.pending.identity = pending.identity(and: .sort, id)
    query.pending.order = traits.order.map { order.then($0) } ?? order
    query.traits.order = query.pending.order
    return query
  }
}
