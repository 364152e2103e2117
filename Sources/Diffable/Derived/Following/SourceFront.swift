/// Combines the followed sources into the input of the query.
protocol SourceFront<SectionID, ItemID>: AnyObject {
  associatedtype SectionID: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// The kernels of the states that it makes.
  var kernels: SnapshotKernels { get }

  /// Updates the combined state after a change of one of the sources.
  ///
  /// - Returns: The input of the query; `nil` if it has not changed, or some source has no state
  ///   yet.
  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>?

  /// The last result, as the input of steps that have not been computed; `nil` before that.
  var present: StepInput<SectionID, ItemID>? { get }

  /// Whether there is a last result.
  var isPresent: Bool { get }
}

/// A single source, unchanged.
final class OneSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: SourceFront {
  let kernels: SnapshotKernels
  private var state: Snapshot<SectionID, ItemID>?

  init(_ kernels: SnapshotKernels) { self.kernels = kernels }

  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) -> StepInput<SectionID, ItemID>? {
    let input = input.typed(as: SectionID.self, ItemID.self)
    state = input.snapshot
    return input
  }

  var present: StepInput<SectionID, ItemID>? { state.map { StepInput($0, .same) } }

  var isPresent: Bool { state != nil }
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

extension StepInput {
  /// The same input, where the index of a feed determines its types.
  func typed<Section, Item>(as _: Section.Type, _: Item.Type) -> StepInput<Section, Item> {
    guard let input = self as? StepInput<Section, Item> else {
      preconditionFailure("the input of another source")
    }
    return input
  }
}
