import Diffable

/// One or more consecutive steps of a query, which turn one state into another.
///
/// A derived source owns its chain and is its only user, so a chain needs no protection.
protocol QueryChain<In, Out, ItemID>: AnyObject {
  associatedtype In: Hashable & Sendable
  associatedtype Out: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// The kernels of the states that it makes.
  ///
  /// - Parameter input: The kernels of the states that they are made from.
  func kernels(from input: SnapshotKernels) -> SnapshotKernels

  /// The next time at which rows expire, for each step with such rows.
  var alarms: [Alarm] { get }

  /// Whether a step shows what it finds in trees.
  var isSearch: Bool { get }

  /// Whether a step was given up during the last change, since a newer query waits.
  ///
  /// Nothing of what it shows has changed then, and the steps after it have not been computed.
  var isAbandoned: Bool { get }

  /// Rows that would be shown in place of a shown row if they were before it.
  func rivals(of item: ItemID) -> [ItemID]

  /// What a tree whose children are loaded on demand has for a row; `nil` if the query makes no such tree, or none
  /// with this row.
  ///
  /// Steps after it may show other models.
  ///
  /// - Parameter output: The state that the chain has made.
  func treeElement<Element>(
    of item: ItemID, in output: Snapshot<Out, ItemID>, as type: Element.Type
  ) -> Element?

  /// Its steps, for an explanation.
  ///
  /// - Parameters:
  ///   - input: The state that it is based on; `nil` before there is one.
  ///   - output: The state that it has made.
  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step]

  /// Updates the live state after a change of the input; `nil` if nothing changed.
  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit?

  /// This chain, or as much as possible of an earlier one that is declared to do the same.
  func continuing(_ earlier: any QueryChain<In, Out, ItemID>) -> any QueryChain<In, Out, ItemID>

  /// This chain and one more step, after it.
  ///
  /// - Parameter ranking: How the rows are ranked before it, if it or a later step needs that.
  func followed<Last: Hashable & Sendable>(
    by step: any QueryChain<Out, Last, ItemID>, ranking: Ranking<Out, ItemID>?
  ) -> any QueryChain<In, Last, ItemID>
}

/// One step of a query.
protocol ChainedStep<In, Out, ItemID>: QueryChain {
  /// How often it has been worked out from scratch.
  var beginnings: Int { get }

  /// Whether rows name each other in a circle, so that it is worked out from scratch each time.
  var hasCircles: Bool { get }

  /// What the writers of an input that it has followed have marked, renamed and placed, in the sections of its
  /// result.
  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks

  /// Whether a change that was worked out from scratch was too large to be followed; otherwise it had another reason.
  func isTooLarge(_ change: InputChange<In, ItemID>) -> Bool

  /// Takes what an earlier step of the same kind has learnt, although it did something else.
  func takeMemory(of earlier: any ChainedStep<In, Out, ItemID>)
}

extension ChainedStep {
  /// Whether it has not been computed yet.
  var isFresh: Bool { beginnings == 0 }

  var alarms: [Alarm] { [] }

  var isSearch: Bool { false }

  var isAbandoned: Bool { false }

  func rivals(of item: ItemID) -> [ItemID] { [] }

  func treeElement<Element>(
    of item: ItemID, in output: Snapshot<Out, ItemID>, as type: Element.Type
  ) -> Element? { nil }

  func isTooLarge(_ change: InputChange<In, ItemID>) -> Bool {
    change.rows(movingSections: true) == nil
  }

  func takeMemory(of earlier: any ChainedStep<In, Out, ItemID>) {}

  var hasCircles: Bool { false }

  // What a single step does is known to the one that meters it.

  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step] { [] }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> { self }

  func followed<Last: Hashable & Sendable>(
    by step: any QueryChain<Out, Last, ItemID>, ranking: Ranking<Out, ItemID>?
  ) -> any QueryChain<In, Last, ItemID> {
    QuerySequence(self, step, ranking: ranking)
  }
}

extension ChainedStep where In == Out {
  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks { input.marks }
}

/// A step of a query, or beside it, with its last result.
struct QueryPart<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  private(set) var step: any ChainedStep<In, Out, ItemID>
  private var made: (live: LiveState<Out, ItemID>, state: Snapshot<Out, ItemID>)?
  /// Whether a change failed, so that the next one is computed from scratch.
  private var isBroken = false

  init(_ step: any ChainedStep<In, Out, ItemID>) { self.step = step }

  /// Updates its result after a change, and returns the input of what comes next.
  mutating func advance(
    _ input: StepInput<In, ItemID>
  ) throws(SnapshotError) -> StepInput<Out, ItemID> {
    let kernels = step.kernels(from: input.snapshot.kernels)
    var made = made ?? (LiveState(kernels), Snapshot(kernels))
    self.made = nil
    // An earlier step may have made models of another type there.
    if made.state.kernels.models?.type != kernels.models?.type {
      made = (LiveState(kernels), Snapshot(kernels))
    }
    defer { self.made = made }
    var input = input
    if isBroken { input.origin = .unknown }
    var isFromScratch = step.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    let before = made.state
    isBroken = true
    let commit = try step.advance(input, &made.live)
    isBroken = false
    if let commit { made.state = commit.snapshot }
    // What writers have marked does not depend on how this is worked out.
    let marks = step.marks(of: input)
    if isFromScratch { return StepInput(made.state, .unknown, marks: marks) }
    return StepInput(
      made.state,
      commit.map { .changed(InputChange(from: before, to: $0.snapshot, $0.difference)) } ?? .same,
      marks: marks)
  }

  /// Its last result; `nil` before there is one.
  var state: Snapshot<Out, ItemID>? { made?.state }

  var present: StepInput<Out, ItemID>? {
    isBroken ? nil : made.map { StepInput($0.state, .same) }
  }

  /// Continues with the result of an earlier step, and with that step if it is said to do the same.
  ///
  /// - Returns: Whether the step is the earlier one.
  mutating func take(over earlier: QueryPart) -> Bool {
    let isSame = step.continuing(earlier.step) === earlier.step
    let next = isSame ? earlier.step : step
    self = earlier
    step = next
    return isSame
  }
}

/// A step of a query with the state that it makes, and the steps after it.
///
/// A step that is declared to do the same as one of an earlier query goes on, as long as all before
/// it do:
///
/// ```
/// earlier   sort  group  outline  search        new   sort  group  outline
/// new       sort  group  outline                taken sort  group
/// ```
///
/// The last step of the shorter one is worked out again. The source has its result if it was the
/// last, and needs it if it is the last now; between steps, a result belongs to its step.
final class QuerySequence<
  In: Hashable & Sendable, Middle: Hashable & Sendable, Out: Hashable & Sendable,
  ItemID: Hashable & Sendable
>: QueryChain {
  private var first: QueryPart<In, Middle, ItemID>
  private var rest: any QueryChain<Middle, Out, ItemID>
  /// How the rows of the state between them are ranked for later steps, if they are.
  private let ranking: Ranking<Middle, ItemID>?
  /// The step that does so.
  private var ranker: QueryPart<Middle, SingleSection, ItemID>?

  init(
    _ first: any ChainedStep<In, Middle, ItemID>, _ rest: any QueryChain<Middle, Out, ItemID>,
    ranking: Ranking<Middle, ItemID>?
  ) {
    (self.first, self.rest, self.ranking) = (QueryPart(first), rest, ranking)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    rest.kernels(from: first.step.kernels(from: input))
  }

  var alarms: [Alarm] { first.step.alarms + rest.alarms }

  var isSearch: Bool { first.step.isSearch || rest.isSearch }

  var isAbandoned: Bool { first.step.isAbandoned || rest.isAbandoned }

  func rivals(of item: ItemID) -> [ItemID] {
    first.step.rivals(of: item) + rest.rivals(of: item)
  }

  func treeElement<Element>(
    of item: ItemID, in output: Snapshot<Out, ItemID>, as type: Element.Type
  ) -> Element? {
    rest.treeElement(of: item, in: output, as: type)
      ?? first.state.flatMap { first.step.treeElement(of: item, in: $0, as: type) }
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit? {
    var next = try first.advance(input)
    if first.step.isAbandoned { return nil }
    (next.expansion, next.findings) = (input.expansion, input.findings)
    next.timer = input.timer
    next.isSuperseded = input.isSuperseded
    next.ranks = input.ranks
    if let ranking {
      var ranker = ranker ?? QueryPart(ranking(next.snapshot.kernels))
      self.ranker = nil
      defer { self.ranker = ranker }
      next.ranks = RowRanks(try ranker.advance(next))
    }
    return try rest.advance(next, &live)
  }

  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step] {
    var steps = rest.explanation(from: first.state, to: output)
    if let ranks = ranker?.state, !steps.isEmpty {
      steps[0].keepSecondList(ofBytes: ranks.base.bytes(besides: first.state?.base))
    }
    return first.step.explanation(from: input, to: first.state) + steps
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    // If a step is computed again, so is everything after it.
    guard let earlier = earlier as? QuerySequence, first.take(over: earlier.first) else {
      return self
    }
    rest = rest.continuing(earlier.rest)
    if ranking != nil { ranker = earlier.ranker }
    return rest === earlier.rest ? earlier : self
  }

  func followed<Last: Hashable & Sendable>(
    by step: any QueryChain<Out, Last, ItemID>, ranking: Ranking<Out, ItemID>?
  ) -> any QueryChain<In, Last, ItemID> {
    QuerySequence<In, Middle, Last, ItemID>(
      first.step, rest.followed(by: step, ranking: ranking), ranking: self.ranking)
  }
}
