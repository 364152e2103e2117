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

  /// Whether a step has not been computed yet.
  var isFresh: Bool { get }

  /// The next time at which rows expire, for each step with such rows.
  var alarms: [Alarm] { get }

  /// Whether a step shows what it finds in trees.
  var isSearch: Bool { get }

  /// Whether a step was given up during the last change, since a newer query waits.
  ///
  /// Nothing of what it shows has changed then, and the steps after it have not been computed.
  var isAbandoned: Bool { get }

  /// The ranks of the rows after the last change, if later steps need them.
  var ranks: RowRanks<ItemID>? { get }

  /// Rows that would be shown in place of a shown row if they were before it.
  func rivals(of item: ItemID) -> [ItemID]

  /// How often it has been worked out from scratch.
  var beginnings: Int { get }

  /// Whether rows name each other in a circle, so that it is worked out from scratch each time.
  var hasCircles: Bool { get }

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

  /// What the writers of an input that it has followed have marked, renamed and placed, in the sections of its
  /// result.
  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks

  /// Takes what an earlier step of the same kind has learnt, although it did something else.
  func takeMemory(of earlier: any QueryChain<In, Out, ItemID>)

  /// This chain, or as much as possible of an earlier one that is declared to do the same.
  func continuing(_ earlier: any QueryChain<In, Out, ItemID>) -> any QueryChain<In, Out, ItemID>
}

extension QueryChain {
  var isFresh: Bool { beginnings == 0 }

  var alarms: [Alarm] { [] }

  var isSearch: Bool { false }

  var isAbandoned: Bool { false }

  var ranks: RowRanks<ItemID>? { nil }

  func rivals(of item: ItemID) -> [ItemID] { [] }

  func takeMemory(of earlier: any QueryChain<In, Out, ItemID>) {}

  var hasCircles: Bool { false }

  // What a single step does is known to the one that meters it.

  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step] { [] }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> { self }
}

extension QueryChain where In == Out {
  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks { input.marks }
}

/// A part of a query, or a step beside it, with its last result.
struct QueryPart<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  private(set) var chain: any QueryChain<In, Out, ItemID>
  private var made: (live: LiveState<Out, ItemID>, state: Snapshot<Out, ItemID>)?
  /// Whether a change failed, so that the next one is computed from scratch.
  private var isBroken = false

  init(_ chain: any QueryChain<In, Out, ItemID>) { self.chain = chain }

  /// Updates its result after a change, and returns the input of what comes next.
  mutating func advance(
    _ input: StepInput<In, ItemID>
  ) throws(SnapshotError) -> StepInput<Out, ItemID> {
    let kernels = chain.kernels(from: input.snapshot.kernels)
    var made = made ?? (LiveState(kernels), Snapshot(kernels))
    self.made = nil
    // An earlier chain may have made models of another type there.
    if made.state.kernels.models?.type != kernels.models?.type {
      made = (LiveState(kernels), Snapshot(kernels))
    }
    defer { self.made = made }
    var input = input
    if isBroken { input.origin = .unknown }
    var isFromScratch = chain.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    let before = made.state
    isBroken = true
    let commit = try chain.advance(input, &made.live)
    isBroken = false
    if let commit { made.state = commit.snapshot }
    // What writers have marked does not depend on how this is worked out.
    let marks = chain.marks(of: input)
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

  /// Continues with the result of an earlier part, and with as much of its chain as possible.
  ///
  /// - Returns: Whether the chain is the earlier one.
  mutating func take(over earlier: QueryPart) -> Bool {
    var next = earlier
    next.chain = chain.continuing(earlier.chain)
    self = next
    return chain === earlier.chain
  }
}

/// Two parts of a query with the state between them.
final class QuerySequence<
  In: Hashable & Sendable, Middle: Hashable & Sendable, Out: Hashable & Sendable,
  ItemID: Hashable & Sendable
>: QueryChain {
  private var first: QueryPart<In, Middle, ItemID>
  private var second: any QueryChain<Middle, Out, ItemID>
  /// How the rows of the state between them are ranked for later steps, if they are.
  private let ranking: RankRule?
  /// The step that does so.
  private var ranker: QueryPart<Middle, SingleSection, ItemID>?
  private(set) var ranks: RowRanks<ItemID>?

  init(
    _ first: any QueryChain<In, Middle, ItemID>, _ second: any QueryChain<Middle, Out, ItemID>,
    ranking: RankRule? = nil
  ) {
    (self.first, self.second, self.ranking) = (QueryPart(first), second, ranking)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    second.kernels(from: first.chain.kernels(from: input))
  }

  var isFresh: Bool { first.chain.isFresh || second.isFresh }

  var beginnings: Int { first.chain.beginnings + second.beginnings }

  var alarms: [Alarm] { first.chain.alarms + second.alarms }

  var isSearch: Bool { first.chain.isSearch || second.isSearch }

  var isAbandoned: Bool { first.chain.isAbandoned || second.isAbandoned }

  func rivals(of item: ItemID) -> [ItemID] {
    first.chain.rivals(of: item) + second.rivals(of: item)
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit? {
    var next = try first.advance(input)
    if first.chain.isAbandoned { return nil }
    (next.expansion, next.findings) = (input.expansion, input.findings)
    next.timer = input.timer
    next.isSuperseded = input.isSuperseded
    next.ranks = first.chain.ranks
    ranks = next.ranks
    if let ranking {
      var ranker = ranker ?? ranking.step(next.snapshot.kernels, Snapshot<Middle, ItemID>.self)
      self.ranker = nil
      defer { self.ranker = ranker }
      ranks = RowRanks(try ranker.advance(next))
    }
    return try second.advance(next, &live)
  }

  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step] {
    var steps = second.explanation(from: first.state, to: output)
    if let ranks = ranker?.state, !steps.isEmpty {
      steps[0].keepSecondList(ofBytes: ranks.base.bytes(besides: first.state?.base))
    }
    return first.chain.explanation(from: input, to: first.state) + steps
  }

  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks {
    guard !input.marks.isEmpty, let middle = first.present else { return .init() }
    let marks = first.chain.marks(of: input)
    return second.marks(of: StepInput(middle.snapshot, .same, marks: marks))
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    guard let earlier = earlier as? QuerySequence, stepCount == earlier.stepCount else {
      if let earlier = earlier as? any StepSequence { takeFirst(of: earlier) }
      return self
    }
    // If a part is computed again, so is everything after it.
    guard first.take(over: earlier.first) else { return self }
    second = second.continuing(earlier.second)
    if ranking != nil { ranker = earlier.ranker }
    let ranksAlike = (ranking == nil) == (earlier.ranking == nil)
    return second === earlier.second && ranksAlike ? earlier : self
  }
}

extension QuerySequence: StepSequence {
  var stepCount: Int { (beginning?.stepCount ?? 1) + 1 }

  var beginning: (any StepSequence)? { first.chain as? any StepSequence }

  func takeBeginning(of earlier: any StepSequence) {
    if let earlier = earlier.firstPart as? QueryPart<In, Middle, ItemID> {
      _ = first.take(over: earlier)
    } else if let beginning, let earlier = earlier.beginning {
      beginning.takeBeginning(of: earlier)
    }
  }

  var firstPart: Any { first }
}

/// Two or more steps of a query, whatever sections they make.
protocol StepSequence: AnyObject {
  var stepCount: Int { get }

  /// All steps but the last, if they are several.
  var beginning: (any StepSequence)? { get }

  /// Takes over the steps before the last from a sequence of as many, as far as they do the same.
  func takeBeginning(of earlier: any StepSequence)

  /// The `QueryPart` of all steps but the last.
  var firstPart: Any { get }
}

extension StepSequence {
  /// Takes over the first steps of a sequence that may have more or fewer.
  ///
  /// ```
  /// earlier   sort  group  outline  search        new   sort  group  outline
  /// new       sort  group  outline                taken sort  group
  /// ```
  ///
  /// The last step of the shorter one is worked out again. The source has its result if it was the last,
  /// and needs it if it is the last now; between steps, a result belongs to its part.
  func takeFirst(of earlier: any StepSequence) {
    let (count, earlierCount) = (stepCount, earlier.stepCount)
    if count < earlierCount, let shorter = earlier.beginning {
      takeFirst(of: shorter)
    } else if count > earlierCount, let beginning {
      beginning.takeFirst(of: earlier)
    } else {
      takeBeginning(of: earlier)
    }
  }
}
