import Diffable

/// A step of a query, with its operations and what it has done so far.
///
/// It decides which step of an earlier query goes on, and measures: two looks at the clock and an addition for each
/// change of the step. What can be read off the states is not kept, see ``explanation(from:to:)``.
final class MeteredStep<
  In: Hashable & Sendable, Out: Hashable & Sendable, ItemID: Hashable & Sendable
>: ChainedStep {
  private let step: any ChainedStep<In, Out, ItemID>
  private let identity: StepIdentity
  private var work = StepWork()

  init(_ step: any ChainedStep<In, Out, ItemID>, _ identity: StepIdentity) {
    (self.step, self.identity) = (step, identity)
  }

  func kernels(from input: SnapshotKernels) -> SnapshotKernels { step.kernels(from: input) }

  var alarms: [Alarm] { step.alarms }
  var isSearch: Bool { step.isSearch }
  var isAbandoned: Bool { step.isAbandoned }
  var beginnings: Int { step.beginnings }

  func rivals(of item: ItemID) -> [ItemID] { step.rivals(of: item) }

  func treeElement<Element>(
    of item: ItemID, in output: Snapshot<Out, ItemID>, as type: Element.Type
  ) -> Element? { step.treeElement(of: item, in: output, as: type) }

  func marks(of input: StepInput<In, ItemID>) -> Snapshot<Out, ItemID>.Marks {
    step.marks(of: input)
  }

  func advance(
    _ input: StepInput<In, ItemID>, _ live: inout LiveState<Out, ItemID>
  ) throws(SnapshotError) -> LiveState<Out, ItemID>.Commit? {
    let (beginnings, isExpected) = (step.beginnings, step.isFresh || step.hasCircles)
    let elapsed = input.timer?.startTimer()
    let commit = try step.advance(input, &live)
    // What was given up is no change.
    if step.isAbandoned { return nil }
    let isFromScratch = step.beginnings != beginnings
    var isTooLarge = isFromScratch && !isExpected && !step.hasCircles
    switch input.origin {
    case .same where commit == nil && !isFromScratch: return nil
    case .same: break
    case .changed(let change): isTooLarge = isTooLarge && step.isTooLarge(change)
    case .unknown: isTooLarge = false
    }
    work.note(isFromScratch: isFromScratch, isTooLarge: isTooLarge, elapsed?() ?? .zero)
    return commit
  }

  func continuing(
    _ earlier: any QueryChain<In, Out, ItemID>
  ) -> any QueryChain<In, Out, ItemID> {
    guard let earlier = earlier as? MeteredStep else { return self }
    if identity.doesSame(as: earlier.identity) { return earlier }
    if identity.mightDoSame(as: earlier.identity) {
      work.replacements = earlier.work.replacements + 1
    }
    step.takeMemory(of: earlier.step)
    return self
  }

  func explanation(
    from input: Snapshot<In, ItemID>?, to output: Snapshot<Out, ItemID>?
  ) -> [QueryExplanation.Step] {
    [
      QueryExplanation.Step(
        identity.shown, rowsIn: input?.numberOfItems ?? 0, rowsOut: output?.numberOfItems ?? 0,
        sectionsOut: output?.numberOfSections ?? 0,
        bytes: output?.base.bytes(besides: input?.base) ?? 0, work, hasCircles: step.hasCircles)
    ]
  }
}
