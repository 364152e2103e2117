/// What a derived source makes of the sources that it follows, before its query.
protocol SourceFront<SectionID, ItemID>: AnyObject {
  associatedtype SectionID: Hashable & Sendable
  associatedtype ItemID: Hashable & Sendable

  /// What the states that it makes know of their identifiers and models.
  var kernels: SnapshotKernels { get }

  /// Lets what is made follow one of the sources.
  ///
  /// - Returns: The input of the query; `nil` if that has not changed, or some source has no state yet.
  func advance<Section, Item>(
    _ input: StepInput<Section, Item>, ofFeed index: Int
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>?

  /// What was made last, as the input of steps that have not been worked out; `nil` before that.
  var present: StepInput<SectionID, ItemID>? { get }
}

/// One source, as it is.
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
}

/// A step before a query, with what it made last.
struct FrontStep<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  let step: QueryStep<SectionID, SectionID, ItemID>
  private var made: (live: LiveState<SectionID, ItemID>, state: Snapshot<SectionID, ItemID>)?
  /// Whether a change could not be made, so that the next one is made from scratch.
  private var isBroken = false

  init(_ step: QueryStep<SectionID, SectionID, ItemID>) { self.step = step }

  /// Lets what it makes follow a change; `nil` if it makes the same.
  mutating func advance(
    _ input: StepInput<SectionID, ItemID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    var input = input
    let kernels = step.kernels(from: input.snapshot.kernels)
    var made = made ?? (LiveState(kernels), Snapshot(kernels))
    self.made = nil
    defer { self.made = made }
    let before = made.state
    var isFromScratch = step.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    if isBroken || isFromScratch {
      (input, isFromScratch) = (StepInput(input.snapshot, .unknown), true)
    }
    isBroken = true
    let commit = try step.advance(input, &made.live)
    isBroken = false
    guard let commit else { return isFromScratch ? StepInput(made.state, .unknown) : nil }
    made.state = commit.snapshot
    return StepInput(
      commit.snapshot, isFromScratch ? .unknown : .changed(from: before, commit.difference))
  }

  var present: StepInput<SectionID, ItemID>? {
    isBroken ? nil : made.map { StepInput($0.state, .same) }
  }
}

extension StepInput {
  /// The same, where the index of a feed tells its types.
  func typed<Section, Item>(as _: Section.Type, _: Item.Type) -> StepInput<Section, Item> {
    guard let input = self as? StepInput<Section, Item> else {
      preconditionFailure("the input of another source")
    }
    return input
  }
}
