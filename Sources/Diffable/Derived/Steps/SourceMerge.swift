/// Two lists as one, on their way into a query.
///
/// Sections of the first come first. A section that both have is one section, with the rows of the first
/// before those of the second. A row that both have is where the first has it, and shows what that says.
final class SourceMerge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias State = Snapshot<SectionID, ItemID>

  private let step: QueryStep<SectionID, SectionID, ItemID>
  /// What was made last.
  private var merged: (live: LiveState<SectionID, ItemID>, state: State)?

  /// - Parameter element: The type of what both show for a row.
  init(element: any Any.Type) {
    step = QueryStep(StepRules(element: element, sections: .same(SameSections())))
  }

  /// The input of a query after one of the two has changed; `nil` if that changes nothing.
  ///
  /// - Parameters:
  ///   - input: What has changed.
  ///   - other: The other one, as it was.
  func advance(
    _ input: StepInput<SectionID, ItemID>, _ other: OtherInput<SectionID, ItemID>
  ) throws(SnapshotError) -> StepInput<SectionID, ItemID>? {
    let kernels = input.snapshot.kernels
    var merged = merged ?? (LiveState(kernels), State(kernels))
    self.merged = nil
    defer { self.merged = merged }
    let before = merged.state
    var isFromScratch = step.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    step.other = other
    defer { step.other = nil }
    guard let commit = try step.advance(input, &merged.live) else {
      return isFromScratch ? StepInput(merged.state, .unknown) : nil
    }
    merged.state = commit.snapshot
    return StepInput(
      commit.snapshot, isFromScratch ? .unknown : .changed(from: before, commit.difference))
  }

  /// What was made last, as the input of steps that have not been worked out.
  var present: StepInput<SectionID, ItemID>? {
    merged.map { StepInput($0.state, .same) }
  }
}
