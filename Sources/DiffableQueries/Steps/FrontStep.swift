import Diffable

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
