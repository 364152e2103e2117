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

// Operations on values that say themselves how they are compared.
//
// `>` of a type that declares only `<` is not `@Sendable`: an operator is passed as an expression,
// which is.
extension ListQuery {
  /// Sorts the rows of each section by an operator, such as `>`.
  ///
  /// Otherwise like ``sorted(id:by:)-(_,(Output.Element,Output.Element)->Bool)``.
  public func sorted(
    id: (any Hashable & Sendable)? = nil,
    by areInIncreasingOrder:
      @autoclosure @escaping @Sendable () -> (Output.Element, Output.Element) -> Bool
  ) -> ListQuery where Output.Element: Comparable {
    sorted(id: id) { areInIncreasingOrder()($0, $1) }
  }

  /// Sorts the rows of each section by a value of each.
  ///
  /// ```swift
  /// notes.derived { $0.sorted(by: \.title).sorted(by: \.date, reverse: true) }  // by date, then title
  /// ```
  ///
  /// Rows with equal values keep their previous order.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that compare the same value; `nil` if it equals no other.
  ///   - value: The value of an element.
  ///   - reverse: Whether the row with the greatest value is first.
  /// - Complexity: O(n · log n) comparisons for n rows when the query is set, O(log n) for each row
  ///   that changes afterwards.
  @inlinable public func sorted<Value: Comparable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    by value: @escaping @Sendable (Output.Element) -> Value, reverse: Bool = false
  ) -> ListQuery {
    let id = id.map { DirectedName($0, isReversed: reverse) }
    guard reverse else { return sorted(id: id) { value($0) < value($1) } }
    return sorted(id: id) { value($1) < value($0) }
  }

  /// Groups identifiers into sections by a key, in the order of an operator, as for models.
  @inlinable public func grouped<Section, Group, Item>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Item) -> Group,
    order areInIncreasingOrder: @autoclosure @escaping @Sendable () -> (Group, Group) -> Bool
  ) -> ListQuery<Input, UpdateBatch<Group, Item>>
  where Output == UpdateBatch<Section, Item>, Group: Hashable & Comparable & Sendable {
    grouped(id: id, by: section) { areInIncreasingOrder()($0, $1) }
  }

  /// Groups rows into sections by a key, in the order of an operator, such as `>`.
  ///
  /// Otherwise like a grouping with a closure for the order.
  @inlinable public func grouped<Section, Group, Model>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Model) -> Group,
    order areInIncreasingOrder: @autoclosure @escaping @Sendable () -> (Group, Group) -> Bool
  ) -> ListQuery<Input, ModelBatch<Group, Model>>
  where Output == ModelBatch<Section, Model>, Group: Hashable & Comparable & Sendable {
    grouped(id: id, by: section) { areInIncreasingOrder()($0, $1) }
  }

  /// Groups identifiers into sections by a key, in the order of the keys, as for models.
  @inlinable public func grouped<Section, Group, Item>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Item) -> Group, reverse: Bool = false
  ) -> ListQuery<Input, UpdateBatch<Group, Item>>
  where Output == UpdateBatch<Section, Item>, Group: Hashable & Comparable & Sendable {
    let id = id.map { DirectedName($0, isReversed: reverse) }
    guard reverse else { return grouped(id: id, by: section) { $0 < $1 } }
    return grouped(id: id, by: section) { $1 < $0 }
  }

  /// Groups rows into sections by a key, in the order of the keys.
  ///
  /// Otherwise like a grouping with a closure for the order.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that group rows by the same key; `nil` if it equals no other.
  ///   - section: The section of a model.
  ///   - reverse: Whether the greatest section is first.
  @inlinable public func grouped<Section, Group, Model>(
    id: (any Hashable & Sendable)? = nil,
    by section: @escaping @Sendable (Model) -> Group, reverse: Bool = false
  ) -> ListQuery<Input, ModelBatch<Group, Model>>
  where Output == ModelBatch<Section, Model>, Group: Hashable & Comparable & Sendable {
    let id = id.map { DirectedName($0, isReversed: reverse) }
    guard reverse else { return grouped(id: id, by: section) { $0 < $1 } }
    return grouped(id: id, by: section) { $1 < $0 }
  }
}

/// The name of an operation that is done in one of two directions.
@usableFromInline struct DirectedName: Hashable, Sendable, CustomStringConvertible {
  private let name: AnyItemID
  private let isReversed: Bool

  @usableFromInline init(_ name: some Hashable & Sendable, isReversed: Bool) {
    (self.name, self.isReversed) = (AnyItemID(name), isReversed)
  }

  @usableFromInline var description: String {
    name.shownName + (isReversed ? ", reverse: true" : "")
  }
}
