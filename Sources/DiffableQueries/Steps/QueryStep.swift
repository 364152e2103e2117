import Diffable

/// One step of a query: filters, sorts, groups and maps rows, in this order.
///
/// It keeps no rows: to find a row in its output, it searches the state that it made last.
final class QueryStep<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
>: QueryChain {
  typealias Input = Snapshot<In, ItemID>
  typealias Output = Snapshot<Out, ItemID>
  typealias Live = LiveState<Out, ItemID>

  let rules: StepRules<In, Out, ItemID>
  /// The models of sections, if they follow from the rows.
  let summaries: SectionSummaries<Out>?
  /// The state that is merged with the input, if any.
  var other: OtherInput<In, ItemID>?
  private(set) var isFresh = true
  /// What is known about the trees that were made.
  var trees = TreeMemory<ItemID>()
  /// The filter, at the time of this change.
  var test: RowTest?
  var deadlines = Deadlines<ItemID>()
  /// Finds the rows with equal keys, if only the first of them is kept.
  let distinction: RowDistinction<ItemID>?
  /// The transformation of each row.
  var map: RowMap?
  /// Rows that the map now shows differently although they are the same.
  var renewed = IdentifierSet<ItemID>()

  init(_ rules: StepRules<In, Out, ItemID>) {
    self.rules = rules
    summaries = rules.makeSummaries?()
    distinction = rules.makeDistinction?()
    (test, map) = (rules.test, rules.map?.rows)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    if let map = rules.map { return map.kernels }
    if case .keyed(_, let kernels) = rules.sections { return kernels }
    return input
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let kernels = input.snapshot.kernels
    precondition(
      (kernels.models ?? kernels.items).type == rules.element, "elements of another type")
    // Another step made the live state, so it tells nothing about the result of this one.
    var origin = isFresh ? .unknown : input.origin
    let due = tick()
    if case .same = origin, !due.isEmpty || rules.isRanked && input.ranks?.isSame == false {
      origin = .changed(from: input.snapshot, SnapshotDifference())
    }
    switch origin {
    case .same:
      return try tell(input.expansion, &live)
    case .changed(from: let old, let difference) where !trees.hasCircles:
      if let plan = plan(from: old, to: input, difference, live.snapshot, due) {
        do {
          return try carryOut(plan, from: old, to: input, &live)
        } catch {
          if case .refused(let error) = error { throw error }
        }
      }
    default: break
    }
    isFresh = false
    deadlines = Deadlines()
    var (snapshot, given) = evaluate(input, reusing: origin, live.snapshot)
    if case .changed(from: let old, let difference) = origin {
      let renames = renames(from: old, to: input.snapshot, difference, live.snapshot)
      snapshot.marks.rename(renames.filter { snapshot.containsItem($0.new) })
    }
    return try live.apply(
      snapshot, given, duplicates: .reject, keepingOutlines: false,
      isComplete: rules.tree == nil)
  }

  /// The effect of a change of the input.
  ///
  /// What it reads is released when it returns. Otherwise the table of the live state would have
  /// two holders while it is edited.
  @inline(never) private func plan(
    from old: Input, to new: StepInput<In, ItemID>, _ difference: SnapshotDifference,
    _ output: Output, _ due: [ItemID]
  ) -> StepPlan<Out, ItemID>? {
    let ranks = rules.isRanked ? new.ranks?.change : nil
    guard !rules.isRanked || ranks != nil else { return nil }
    var change = StepChange(
      self, from: old, to: new.snapshot, difference, output, due: due, ranks: ranks)
    return change.plan()
  }

  /// It ranks nothing itself.
  var ranks: RowRanks<ItemID>? { nil }

  /// The input, and what is merged with it, in their order.
  func inputs(_ input: Input) -> [Input] {
    guard let other else { return [input] }
    return other.isFirst ? [other.snapshot, input] : [input, other.snapshot]
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    guard let earlier = earlier as? QueryStep, let identity = rules.identity,
      identity == earlier.rules.identity
    else { return self }
    return earlier
  }
}
