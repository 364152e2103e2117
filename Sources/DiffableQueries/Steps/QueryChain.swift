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

  /// The ranks of the rows after the last change, if later steps need them.
  var ranks: RowRanks<ItemID>? { get }

  /// Updates the live state after a change of the input; `nil` if nothing changed.
  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit?

  /// This chain, or as much as possible of an earlier one that is declared to do the same.
  func continuing(_ earlier: any QueryChain<In, Out, ItemID>) -> any QueryChain<In, Out, ItemID>
}

extension QueryChain {
  var isSearch: Bool { false }
}

/// Two parts of a query with the state between them.
final class QuerySequence<
  In: Hashable & Sendable, Middle: Hashable & Sendable, Out: Hashable & Sendable,
  ItemID: Hashable & Sendable
>: QueryChain {
  private var first: any QueryChain<In, Middle, ItemID>
  private var second: any QueryChain<Middle, Out, ItemID>
  /// The result of the first part, once there is one.
  private var middle: (live: LiveState<Middle, ItemID>, state: Snapshot<Middle, ItemID>)?
  /// How the rows of that state are ranked for later steps, if they are.
  private let ranking: RankRule?
  /// The step that does so.
  private var ranker: FrontStep<Middle, SingleSection, ItemID>?
  private(set) var ranks: RowRanks<ItemID>?

  init(
    _ first: any QueryChain<In, Middle, ItemID>, _ second: any QueryChain<Middle, Out, ItemID>,
    ranking: RankRule? = nil
  ) {
    (self.first, self.second, self.ranking) = (first, second, ranking)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    second.kernels(from: first.kernels(from: input))
  }

  var isFresh: Bool { first.isFresh || second.isFresh }

  var alarms: [Alarm] { first.alarms + second.alarms }

  var isSearch: Bool { first.isSearch || second.isSearch }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit? {
    let kernels = first.kernels(from: input.snapshot.kernels)
    var middle = self.middle ?? (LiveState(kernels), Snapshot(kernels))
    self.middle = nil
    // An earlier query may have made models of another type there.
    if middle.state.kernels.models?.type != kernels.models?.type {
      middle = (LiveState(kernels), Snapshot(kernels))
    }
    defer { self.middle = middle }
    var isFromScratch = first.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    let before = middle.state
    let commit = try first.advance(input, &middle.live)
    if let commit { middle.state = commit.snapshot }
    var origin = StepInput<Middle, ItemID>.Origin.same
    if isFromScratch {
      origin = .unknown
    } else if let commit {
      origin = .changed(from: before, commit.difference)
    }
    var next = StepInput(middle.state, origin, input.expansion)
    next.ranks = first.ranks
    next.findings = input.findings
    ranks = next.ranks
    if let ranking {
      var ranker = ranker ?? ranking.step(middle.state.kernels, Snapshot<Middle, ItemID>.self)
      self.ranker = nil
      defer { self.ranker = ranker }
      ranks = (try ranker.advance(next) ?? ranker.present).map(RowRanks.init)
    }
    return try second.advance(next, &live)
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    guard let earlier = earlier as? QuerySequence else { return self }
    first = first.continuing(earlier.first)
    middle = earlier.middle
    // If a part is computed again, so is everything after it.
    guard first === earlier.first else { return self }
    second = second.continuing(earlier.second)
    if ranking != nil { ranker = earlier.ranker }
    let ranksAlike = (ranking == nil) == (earlier.ranking == nil)
    return second === earlier.second && ranksAlike ? earlier : self
  }
}

/// A step before a query or beside it, with its last result.
struct FrontStep<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
> {
  let step: QueryStep<In, Out, ItemID>
  private var made: (live: LiveState<Out, ItemID>, state: Snapshot<Out, ItemID>)?
  /// Whether a change failed, so that the next one is computed from scratch.
  private var isBroken = false

  init(_ step: QueryStep<In, Out, ItemID>) { self.step = step }

  /// Updates its result after a change; `nil` if the result is the same.
  mutating func advance(
    _ input: StepInput<In, ItemID>
  ) throws(SnapshotError) -> StepInput<Out, ItemID>? {
    var input = input
    let kernels = step.kernels(from: input.snapshot.kernels)
    var made = made ?? (LiveState(kernels), Snapshot(kernels))
    self.made = nil
    defer { self.made = made }
    let before = made.state
    var isFromScratch = step.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    if isBroken || isFromScratch {
      let ranks = input.ranks
      (input, isFromScratch) = (StepInput(input.snapshot, .unknown), true)
      input.ranks = ranks
    }
    isBroken = true
    let commit = try step.advance(input, &made.live)
    isBroken = false
    guard let commit else { return isFromScratch ? StepInput(made.state, .unknown) : nil }
    made.state = commit.snapshot
    return StepInput(
      commit.snapshot, isFromScratch ? .unknown : .changed(from: before, commit.difference))
  }

  var present: StepInput<Out, ItemID>? {
    isBroken ? nil : made.map { StepInput($0.state, .same) }
  }

  var isPresent: Bool { !isBroken && made != nil }
}
