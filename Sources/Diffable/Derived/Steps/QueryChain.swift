/// One step of a query or several, one after the other: makes one state of another.
///
/// A derived source owns its chain and is its only user, so a chain needs no protection.
protocol QueryChain<In, Out, ItemID>: AnyObject {
  associatedtype In: Hashable & Sendable
  associatedtype Out: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// What the states that it makes know of their identifiers and models.
  ///
  /// - Parameter input: What the states know that they are made of.
  func kernels(from input: SnapshotKernels) -> SnapshotKernels

  /// Whether a step has not been worked out yet.
  var isFresh: Bool { get }

  /// When rows expire next, for each step that has such rows.
  var alarms: [Alarm] { get }

  /// Lets the live state follow the input; `nil` if nothing changed.
  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit?

  /// This chain, or as much as possible of an earlier one that is declared to do the same.
  func continuing(_ earlier: any QueryChain<In, Out, ItemID>) -> any QueryChain<In, Out, ItemID>
}

/// Two parts of a query with the state between them.
final class QuerySequence<
  In: Hashable & Sendable, Middle: Hashable & Sendable, Out: Hashable & Sendable,
  ItemID: Hashable & Sendable
>: QueryChain {
  private var first: any QueryChain<In, Middle, ItemID>
  private var second: any QueryChain<Middle, Out, ItemID>
  /// What the first part makes, once it has made anything.
  private var middle: (live: LiveState<Middle, ItemID>, state: Snapshot<Middle, ItemID>)?

  init(
    _ first: any QueryChain<In, Middle, ItemID>, _ second: any QueryChain<Middle, Out, ItemID>
  ) {
    (self.first, self.second) = (first, second)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels {
    second.kernels(from: first.kernels(from: input))
  }

  var isFresh: Bool { first.isFresh || second.isFresh }

  var alarms: [Alarm] { first.alarms + second.alarms }

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
    return try second.advance(StepInput(middle.state, origin, input.expansion), &live)
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    guard let earlier = earlier as? QuerySequence else { return self }
    first = first.continuing(earlier.first)
    middle = earlier.middle
    // What follows a part that is worked out again is worked out again.
    guard first === earlier.first else { return self }
    second = second.continuing(earlier.second)
    return second === earlier.second ? earlier : self
  }
}
