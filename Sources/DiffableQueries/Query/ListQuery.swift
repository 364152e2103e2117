public import Diffable

/// The operations by which a derived source shows another source.
///
/// A query begins as the whole list, and each operation returns another query:
///
/// ```swift
/// notes.derived {
///   $0.filter { !$0.isDone }
///     .sorted { $0.date > $1.date }
///     .grouped(by: \.day, order: >)
/// }
/// ```
///
/// Operations are applied in the order in which they are written, each to the result of the
/// previous one. A query receives what its source shows: rows hidden by a collapsed row of an
/// outline are not part of it.
///
/// Operations take an `id`. If ``DerivedSource/setQuery(presentation:_:)`` replaces a query,
/// operations at its beginning that have the same `id`s as before are assumed to do the same, and
/// are not computed again. So put operations that seldom change first: a sort before a filter is not
/// repeated when the filter changes.
///
/// Some operations are worked out together, as one step: ``DerivedSource/explain()`` shows the steps. A step
/// is kept as a whole. If one query has fewer steps than the other, the last of these is computed again.
/// So instead of a query without the filter, set one whose filter keeps all rows.
///
/// The closures of a query run off the main actor, and never inside a lock.
public struct ListQuery<Input: ListBatch, Output: ListBatch>: Sendable
where Input.ItemID == Output.ItemID {
  @usableFromInline typealias SectionID = Output.SectionID
  @usableFromInline typealias ItemID = Output.ItemID
  typealias Chain = any QueryChain<Input.SectionID, Output.SectionID, ItemID>
  typealias Summaries = SummaryRule<Output.SectionID>

  /// Makes the complete steps, if there are any.
  ///
  /// The last may summarise its sections. They rank the rows if a later step needs that.
  var makeChain: @Sendable (_ summaries: Summaries?, _ areRanked: Bool) -> Chain?
  /// The properties of the last complete step.
  var traits = QueryTraits()
  /// Operations that will be part of the next step.
  var pending = PendingStep()
  /// What changes in the model of a row that is dragged to a section.
  var moveChange: MoveChange?
  /// Loads the children of a row of the trees that it makes.
  var loader: Loader?
  /// Finds a row in the trees that a chain has made, with the state that it shows, and returns what loads its children.
  typealias Loader =
    @Sendable (Chain, Snapshot<SectionID, ItemID>, ItemID) -> (@Sendable () async throws -> Void)?
  typealias MoveChange = @Sendable (SectionID) -> any DropChange<ItemID>

  init(makeChain: @escaping @Sendable (Summaries?, Bool) -> Chain?) {
    self.makeChain = makeChain
  }
}

/// How section models follow from rows.
struct SummaryRule<SectionID: Hashable & Sendable>: Sendable {
  let make: @Sendable () -> SectionSummaries<SectionID>
  let identity: StepIdentity
}

/// Properties of the complete steps of a query.
struct QueryTraits: Sendable {
  /// The order of the rows.
  var order: RowOrder?
  /// Whether rows that it does not distinguish are in an order of what was there before a map.
  var isRanked = false
  var omitsEmptySections = false
  /// Whether the last complete step can summarise its sections.
  var canSummarise = false
  /// Whether rows are grouped into sections by a key.
  var isGrouped = false
  /// Whether rows are in an order that is not that of the source, nor one of the query.
  var isRegrouped = false
  /// Whether sections are in an order that follows from their rows.
  var areSectionsSorted = false
  /// Whether only one of the rows with equal keys is shown: the one in the first group.
  var isDistinctAmongGroups = false
  /// Whether rows are, or were, in trees that the query made.
  var isTree = false

  /// Records that the rows are trees; a later operation receives a flat list, in their order.
  mutating func becomeTree() { (order, isRanked, canSummarise, isTree) = (nil, false, false, true) }
}

/// Operations that leave rows in their sections, to be part of the next step.
struct PendingStep: Sendable {
  var test: RowTest?
  var order: RowOrder?
  /// `nil` if there is no operation yet.
  var identity: StepIdentity?

  /// The identity of the step with one more operation.
  func identity(
    and kind: StepIdentity.Kind, _ id: (any Hashable & Sendable)?
  ) -> StepIdentity {
    (identity ?? StepIdentity()) + .named(kind, id)
  }
}

extension ListQuery where Input == Output {
  /// The whole list.
  init() {
    self.init { _, _ in nil }
  }
}

extension ListQuery {
  /// All steps, for a derived source.
  func chain() -> Chain {
    if let chain = closed.makeChain(nil, false) { return chain }
    // A query without operations shows everything, with its own types.
    guard let chain = appending(sameSections, StepIdentity())(nil, false) else {
      preconditionFailure("a step was appended, and there is none")
    }
    return chain
  }

  /// The same query with no pending operation.
  var closed: ListQuery {
    guard let identity = pending.identity else { return self }
    var query = self
    (query.makeChain, query.pending) = (appending(pendingRules, identity), PendingStep())
    query.traits.canSummarise = true
    return query
  }

  /// The query with a separate step that leaves rows in their sections.
  func adding(
    _ identity: StepIdentity, _ change: (inout StepRules<SectionID, SectionID, ItemID>) -> Void
  ) -> ListQuery {
    var query = closed
    var rules = sameSections
    rules.omitsEmptySections = query.traits.omitsEmptySections
    change(&rules)
    query.makeChain = query.appending(rules, identity)
    query.traits.omitsEmptySections = query.traits.omitsEmptySections || rules.omitsEmptySections
    query.traits.canSummarise = true
    return query
  }

  /// The rules of the pending operations.
  var pendingRules: StepRules<SectionID, SectionID, ItemID> {
    var rules = sameSections
    (rules.test, rules.order) = (pending.test, pending.order)
    rules.omitsEmptySections = traits.omitsEmptySections
    return rules
  }

  /// Rules that leave rows in their sections.
  var sameSections: StepRules<SectionID, SectionID, ItemID> {
    StepRules(element: Output.Element.self, sections: .same(SameSections()))
  }

  /// The steps with one more step.
  ///
  /// There must be no pending operation.
  ///
  /// - Parameters:
  ///   - identity: The operations of the step.
  ///   - ranking: How rows are ranked before the step, if it or a later step needs that.
  func appending<Section>(
    _ rules: StepRules<SectionID, Section, ItemID>, _ identity: StepIdentity,
    ranking: Ranking<SectionID, ItemID>? = nil
  )
    -> @Sendable (
      SummaryRule<Section>?, Bool
    ) -> (any QueryChain<Input.SectionID, Section, ItemID>)?
  {
    { [makeChain] summaries, areRanked in
      var (rules, identity) = (rules, identity)
      if let summaries {
        rules.makeSummaries = summaries.make
        identity += summaries.identity
      }
      return Self.sequence(
        makeChain(nil, areRanked || rules.isRanked), QueryStep<SectionID, Section, ItemID>(rules),
        identity, ranking: areRanked ? ranking : nil)
    }
  }

  /// Some steps, if there are any, and one more.
  static func sequence<Section>(
    _ chain: Chain?, _ step: some ChainedStep<SectionID, Section, ItemID>,
    _ identity: StepIdentity, ranking: Ranking<SectionID, ItemID>? = nil
  ) -> (any QueryChain<Input.SectionID, Section, ItemID>)? {
    let step = MeteredStep(step, identity)
    if let chain { return chain.followed(by: step, ranking: ranking) }
    // Before the first step, sections are those of the input.
    return step as? any QueryChain<Input.SectionID, Section, ItemID>
  }
}
