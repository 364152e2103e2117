extension ListQuery {
  /// Sorts the rows of each section.
  ///
  /// Rows of which neither belongs first keep the order that they had, and so sorting twice sorts by
  /// the last order, then by the one before. To sort rows of several sections together, group them
  /// as well, before or afterwards. A comparison that is no order, such as one of numbers that may be
  /// NaN, gives some order.
  ///
  /// - Parameters:
  ///   - id: Equal in two queries that sort alike; `nil` if no other does.
  ///   - areInIncreasingOrder: Whether the row of the first element belongs before that of the
  ///     second. It should look only at what the rows are sorted by: a row whose old and new element
  ///     are neither before the other stays where it is.
  /// - Complexity: O(n · log n) comparisons for n rows when the query is set, O(log n) for each row
  ///   that changes afterwards.
  @inlinable public func sorted(
    id: (any Hashable & Sendable)? = nil,
    by areInIncreasingOrder: @escaping @Sendable (Output.Element, Output.Element) -> Bool
  ) -> ListQuery {
    ordered(RowOrder(Output.Element.self, areInIncreasingOrder), id: id)
  }

  @usableFromInline func ordered(
    _ order: RowOrder, id: (any Hashable & Sendable)?
  ) -> ListQuery {
    var query = self
    query.pending.identity = pending.identity(and: .sort, id)
    query.pending.order = traits.order.map { order.then($0) } ?? order
    query.traits.order = query.pending.order
    return query
  }
}
