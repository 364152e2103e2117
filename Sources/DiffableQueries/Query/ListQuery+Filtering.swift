public import Diffable

extension ListQuery {
  /// Keeps the rows that satisfy a condition, in their order and in their sections.
  ///
  /// Sections without rows stay, unless the list was grouped or ``omittingEmptySections()`` was
  /// called.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that keep the same rows; `nil` if it equals no other.
  ///   - isIncluded: Whether to keep the row of an element.
  /// - Complexity: O(n) calls of the condition for n rows when the query is set, one for each row
  ///   that changes afterwards.
  public func filter(
    id: (any Hashable & Sendable)? = nil,
    _ isIncluded: @escaping @Sendable (Output.Element) -> Bool
  ) -> ListQuery {
    filter(.filter, id, isIncluded)
  }

  func filter(
    _ kind: StepIdentity.Kind, _ id: (any Hashable & Sendable)?,
    _ isIncluded: @escaping @Sendable (Output.Element) -> Bool
  ) -> ListQuery {
    let test = RowTest(isIncluded)
    // A step filters before it sorts, and a sort should survive changes of the filters after it.
    var query = pending.order == nil ? self : closed
    query.pending.identity = query.pending.identity(and: kind, id)
    query.pending.test = query.pending.test.map { $0 && test } ?? test
    return query
  }

  /// Leaves out sections without rows, here and after all operations that follow.
  public func omittingEmptySections() -> ListQuery {
    var query = self
    query.pending.identity = pending.identity(and: .omittingEmptySections, true)
    query.traits.omitsEmptySections = true
    return query
  }

  /// Keeps sections that the following operations leave without rows.
  ///
  /// After a grouping, sections without rows are left out. Write this after it if a group should
  /// stay when a filter after it leaves out its rows:
  ///
  /// ```swift
  /// notes.derived { $0.grouped(by: \.day).keepingEmptySections().filter { $0.title.contains(text) } }
  /// ```
  ///
  /// Which groups there are follows from the rows of the base alone. So a group whose last row gets into
  /// another group, or is deleted, is no group any more, and goes. For groups that stay then, as the columns
  /// of a board, list them: `grouped(id:by:sections:)`. A window leaves out sections without rows again.
  public func keepingEmptySections() -> ListQuery {
    var query = closed
    query.pending.identity = query.pending.identity(and: .keepingEmptySections, true)
    query.traits.omitsEmptySections = false
    return query
  }

  /// Keeps the first row of those with equal keys, in the order of the list.
  ///
  /// If the first row is deleted, or gets another key, the next one takes its place. Sort before, to
  /// decide which row is the first; the rows of several sections are compared too. A row that is dragged
  /// to a place where it would no longer be the first stays where it is: `ReorderRefusal.hidden`.
  ///
  /// ```swift
  /// songs.derived { $0.distinct(by: \.album) }
  /// ```
  ///
  /// - Parameters:
  ///   - id: Equal for operations that give each row the same key; `nil` if it equals no other.
  ///   - key: The key of an element.
  /// - Complexity: O(n) for n rows when the query is set. Afterwards O(log m · log n) for each row that
  ///   changes, if m rows have its key. If a section moves, its rows count as changed.
  public func distinct<Key: Hashable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    by key: @escaping @Sendable (Output.Element) -> Key
  ) -> ListQuery {
    var query = adding(.named(.distinct, id)) { $0.makeDistinction = { KeyedRows(key) } }
    if traits.isGrouped || traits.areSectionsSorted { query.traits.isDistinctAmongGroups = true }
    return query
  }

  /// Keeps the rows at some positions of the list, counted over all sections from 0.
  ///
  /// Sections without rows are left out. For the ten largest rows, sort first:
  /// `.sorted { $0.size > $1.size }.prefix(10)`.
  ///
  /// - Parameter positions: The positions; those after the end of the list are ignored.
  /// - Complexity: O(w) for a window of w rows when the query is set. Afterwards
  ///   O((c + d) · log² n) for c changes of n rows, where a section that moves is one change, and d
  ///   rows that enter or leave the window.
  public func window(_ positions: Range<Int>) -> ListQuery {
    window(.positions(positions.clamped(to: 0..<Swift.max(0, positions.upperBound))))
  }

  private func window(_ window: RowWindow) -> ListQuery {
    adding(.named(.window(window), true)) { rules in
      rules.window = window
      rules.omitsEmptySections = true
    }
  }

  /// Keeps the first rows of the list, as ``window(_:)`` does.
  ///
  /// - Parameter count: The number of rows to keep, over all sections; none if it is negative.
  public func prefix(_ count: Int) -> ListQuery { window(0..<Swift.max(0, count)) }

  /// Keeps the last rows of the list, as ``window(_:)`` does: the tail of a log.
  ///
  /// - Parameter count: The number of rows to keep, over all sections; none if it is negative.
  public func suffix(_ count: Int) -> ListQuery { window(.last(Swift.max(0, count))) }
}

extension ListQuery {
  /// Leaves out rows whose deadline has passed.
  ///
  /// While the source has a subscriber, a row is removed by itself at its deadline. Otherwise it is
  /// removed when a subscriber next requests a batch. A row that gets a later deadline stays, or is
  /// inserted again. A deadline more than a hundred years after the query was made counts as none.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that leave out the same rows; `nil` if it equals no other.
  ///   - clock: The clock of the deadlines. A test can pass a clock that it advances itself.
  ///   - deadline: The time from which on the row of an element is left out; `nil` for never.
  /// - Complexity: O(n · log n) for n rows when the query is set, O(log n) for each row that
  ///   changes or expires afterwards.
  public func expiring<C: Clock>(
    id: (any Hashable & Sendable)? = nil, clock: C = ContinuousClock(),
    at deadline: @escaping @Sendable (Output.Element) -> C.Instant?
  ) -> ListQuery where C.Duration == Duration {
    adding(.named(.expiry, id)) { $0.expiry = ExpiryRule(clock, deadline) }
  }

  /// Shows another model for each row.
  ///
  /// A row keeps its identifier and its place. It is transformed once, and again when its element
  /// changes. If the new model equals the old one, the row is not updated.
  ///
  /// - Parameters:
  ///   - id: Equal for operations that transform rows in the same way; `nil` if it equals no other.
  ///   - transform: The model to show for an element. Its `id` should be the row's.
  /// - Complexity: One transformation for each of n rows when the query is set, and for each row
  ///   that changes afterwards.
  @inlinable public func map<Model: Identifiable & Equatable & Sendable>(
    id: (any Hashable & Sendable)? = nil,
    _ transform: @escaping @Sendable (Output.Element) -> Model
  ) -> ListQuery<Input, ModelBatch<Output.SectionID, Model>> where Model.ID == Output.ItemID {
    let models = ElementKernel(models: Model.self)
    return mapped(
      RowMap(models, transform), id: id,
      Snapshot<Output.SectionID, Model.ID>.makeKernels(models: models))
  }

  // A call that looks right and is not. The compiler would complain of the call around the query.

  /// Not available: a row keeps its identifier.
  @available(
    *, unavailable,
    message: "a row keeps its identifier: 'map' must return a model with the same type of 'id'"
  )
  public func map<Model: Identifiable>(
    id: (any Hashable & Sendable)? = nil, _ transform: (Output.Element) -> Model
  ) -> ListQuery { self }

  @usableFromInline func mapped<Mapped: ListBatch>(
    _ map: RowMap, id: (any Hashable & Sendable)?, _ kernels: SnapshotKernels
  ) -> ListQuery<Input, Mapped>
  where Mapped.ItemID == Output.ItemID, Mapped.SectionID == Output.SectionID {
    var rules = pendingRules
    rules.map = (map, kernels)
    let kind = StepIdentity.Kind.map(ObjectIdentifier(Mapped.Element.self))
    let make = appending(rules, pending.identity(and: kind, id))
    var query = ListQuery<Input, Mapped>(makeChain: make)
    query.moveChange = moveChange
    query.traits = traits
    (query.traits.order, query.traits.canSummarise) = (nil, false)
    query.traits.isRanked = traits.order != nil || traits.isRanked
    guard traits.order != nil else { return query }
    // The order compares the elements before the transformation. To sort by it afterwards, there
    // has to be a list of these.
    var apart = rules
    (apart.test, apart.order) = (nil, nil)
    let ranking: Ranking<SectionID, ItemID> = { [traits] kernels in
      var rules = StepRules<SectionID, SingleSection, ItemID>(
        element: Output.Element.self, joiningSectionsOf: kernels)
      (rules.order, rules.isRanked) = (traits.order, traits.isRanked)
      return QueryStep(rules)
    }
    let makeApart = closed.appending(apart, .named(kind, id), ranking: ranking)
    query.makeChain = { $1 ? makeApart($0, $1) : make($0, $1) }
    return query
  }
}
