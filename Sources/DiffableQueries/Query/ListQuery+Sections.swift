public import Diffable

/// Sections that follow from what their rows come to.
extension ListQuery {
  /// Orders the sections by an aggregate of their rows.
  ///
  /// ```swift
  /// orders.derived { $0.grouped(by: \.customer).sectionsSorted(by: .sum(of: \.price), order: >) }
  /// ```
  ///
  /// The aggregate is of the rows at this point of the query: write it before ``prefix(ofEachSection:)`` for the
  /// order of whole groups. Sections that the order does not distinguish keep their order, that of the grouping or
  /// of the source. Rows keep their order in each section. The sections may be those of a grouping, or of the source.
  ///
  /// A section moves when its value changes. When a user drags a row to another section, both may move after the
  /// drop. A comparison that is not an order, such as one of numbers that may be NaN, gives an arbitrary order.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that order sections in the same way; `nil` if it equals no other.
  ///   - aggregate: What the rows of a section come to, see ``Aggregate``.
  ///   - areInIncreasingOrder: Whether the section of the first value belongs before that of the second.
  /// - Complexity: O(n + s · log s) for n rows in s sections when the query is set. Afterwards O(log n) for each row
  ///   that changes, and O(log² s) for its section.
  public func sectionsSorted<Value>(
    id: (any Hashable & Sendable)? = nil, by aggregate: Aggregate<Output.Element, Value>,
    order areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool
  ) -> ListQuery {
    measured(.order(areInIncreasingOrder), by: aggregate, .named(.sectionOrder, id))
  }

  /// Orders the sections by an aggregate of their rows, by an operator such as `>`.
  ///
  /// Otherwise like an order by a closure.
  public func sectionsSorted<Value: Comparable & Sendable>(
    id: (any Hashable & Sendable)? = nil, by aggregate: Aggregate<Output.Element, Value>,
    order areInIncreasingOrder: @autoclosure @escaping @Sendable () -> (Value, Value) -> Bool
  ) -> ListQuery {
    sectionsSorted(id: id, by: aggregate) { areInIncreasingOrder()($0, $1) }
  }

  /// Orders the sections by an aggregate of their rows whose values say themselves how they are compared.
  ///
  /// ```swift
  /// query.grouped(by: \.customer).sectionsSorted(by: .sum(of: \.price), reverse: true)  // the largest total first
  /// ```
  ///
  /// A value that does not equal itself, such as a sum that is not a number, is after all others, in both directions.
  /// Infinite values are the greatest and the least. Otherwise like an order by a closure.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that compare the same value; `nil` if it equals no other.
  ///   - aggregate: What the rows of a section come to, see ``Aggregate``.
  ///   - reverse: Whether the section with the greatest value is first.
  /// - Complexity: The same as that of an order by a closure.
  public func sectionsSorted<Value: Comparable & Sendable>(
    id: (any Hashable & Sendable)? = nil, by aggregate: Aggregate<Output.Element, Value>,
    reverse: Bool = false
  ) -> ListQuery {
    let id = id.map { DirectedName($0, isReversed: reverse) }
    return sectionsSorted(id: id, by: aggregate) { left, right in
      guard left == left, right == right else { return left == left }
      return reverse ? right < left : left < right
    }
  }

  /// Orders the sections by an aggregate of their rows that some sections do not have, such as a least value.
  ///
  /// Sections without a value are after all others, in both directions. Otherwise like an order by a value that
  /// each section has.
  public func sectionsSorted<Value: Comparable & Sendable>(
    id: (any Hashable & Sendable)? = nil, by aggregate: Aggregate<Output.Element, Value?>,
    reverse: Bool = false
  ) -> ListQuery {
    let id = id.map { DirectedName($0, isReversed: reverse) }
    return sectionsSorted(id: id, by: aggregate) { left, right in
      guard let left, left == left else { return false }
      guard let right, right == right else { return true }
      return reverse ? right < left : left < right
    }
  }

  /// Keeps the sections whose rows come to something that satisfies a condition: `HAVING` of SQL.
  ///
  /// ```swift
  /// orders.derived { $0.grouped(by: \.customer).filterSections(.count) { $0 > 3 } }
  /// ```
  ///
  /// The aggregate is of the rows at this point of the query. A section is shown again when the condition holds
  /// again. Sections without rows are asked, too, if they are there: those of `grouped(id:by:sections:)` are left
  /// out only by this condition, and never since they are empty.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that keep the same sections; `nil` if it equals no other.
  ///   - aggregate: What the rows of a section come to, see ``Aggregate``.
  ///   - isIncluded: Whether to keep the section of a value.
  /// - Complexity: O(n) for n rows when the query is set. Afterwards O(log n) for each row that changes; a section
  ///   that comes or goes counts with its rows.
  public func filterSections<Value>(
    id: (any Hashable & Sendable)? = nil, _ aggregate: Aggregate<Output.Element, Value>,
    where isIncluded: @escaping @Sendable (Value) -> Bool
  ) -> ListQuery {
    measured(.test(isIncluded), by: aggregate, .named(.sectionFilter, id))
  }

  /// Keeps the first rows of each section.
  ///
  /// ```swift
  /// orders.derived { $0.sorted(by: \.price, reverse: true).grouped(by: \.customer).prefix(ofEachSection: 3) }
  /// ```
  ///
  /// Section models that were given before are of all rows, and those that are given afterwards of the rows that
  /// are kept. To say how many rows are left out, pass a closure, see ``prefix(id:ofEachSection:_:)``, or show a row
  /// that says so: `abridged(to:options:)` of a source.
  ///
  /// A row that a user drags to the end of a section with more rows may be one of those that are left out after the
  /// drop.
  ///
  /// - Parameter count: The number of rows to keep in each section; none if it is negative.
  /// - Complexity: O(s) for s sections when the query is set. Afterwards O((c + d) · log n) for c changes of n rows,
  ///   and d rows that are kept now, or no longer.
  public func prefix(ofEachSection count: Int) -> ListQuery {
    shortened(to: count, nil, true)
  }

  /// Keeps the first rows of each section, and gives it a model by the number of those that are left out.
  ///
  /// ```swift
  /// query.grouped(by: \.day)
  ///   .sectionModels(.sum(of: \.price)) { day, count, price in "\(day): \(price)" }
  ///   .prefix(ofEachSection: 3) { day, title, more in more > 0 ? "\(title ?? ""), and \(more) more" : title }
  /// ```
  ///
  /// The closure gets the model that the section has before, so totals are of all rows.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give the same models; `nil` if it equals no other.
  ///   - count: The number of rows to keep in each section; none if it is negative.
  ///   - model: The model of a section, given the one that it has, if any, and the number of rows that are left out;
  ///     `nil` for none.
  /// - Complexity: The same as without models, and one call of `model` for each section whose rows or whose model
  ///   change.
  public func prefix<Section: ModelledSection, Model>(
    id: (any Hashable & Sendable)? = nil, ofEachSection count: Int,
    _ model:
      @escaping @Sendable (_ section: Section, _ model: Section.SectionModel?, _ more: Int) ->
      Section.SectionModel?
  ) -> ListQuery where Output == ModelBatch<Section, Model> {
    shortened(
      to: count,
      { section, content, more in
        SectionContent(model(section, content?.model as? Section.SectionModel, more))
      }, id)
  }
}

extension ListQuery {
  private func measured<Value>(
    _ rule: SectionMeasures<SectionID, Value>.Rule,
    by aggregate: Aggregate<Output.Element, Value>, _ identity: StepIdentity
  ) -> ListQuery {
    var query = adding(identity) { (rules: inout SectionRules<SectionID, Value>) in
      rules.makeMeasures = { SectionMeasures(aggregate.makeColumn, rule) }
    }
    if case .order = rule { query.traits.areSectionsSorted = true }
    return query
  }

  private func shortened(
    to count: Int, _ header: SectionRules<SectionID, Never>.Header?,
    _ id: (any Hashable & Sendable)?
  ) -> ListQuery {
    let length = Swift.max(0, count)
    let identity = StepIdentity.named(.sectionPrefix(length, isSaid: header != nil), id)
    return adding(identity) { (rules: inout SectionRules<SectionID, Never>) in
      (rules.length, rules.header) = (length, header)
    }
  }

  /// The query with a separate step that orders, leaves out or shortens sections.
  private func adding<Value>(
    _ identity: StepIdentity, _ change: (inout SectionRules<SectionID, Value>) -> Void
  ) -> ListQuery {
    var query = closed
    var rules = SectionRules<SectionID, Value>(element: Output.Element.self)
    rules.omitsEmptySections = query.traits.omitsEmptySections
    change(&rules)
    query.makeChain = { [makeChain = query.makeChain, rules] _, areRanked in
      Self.sequence(makeChain(nil, areRanked), SectionStep<_, ItemID, _>(rules), identity)
    }
    query.traits.canSummarise = false
    return query
  }
}
