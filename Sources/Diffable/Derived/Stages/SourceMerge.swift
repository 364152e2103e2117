/// Two lists as one, on their way into a query.
///
/// Sections of the first come first. A section that both have is one section, with the rows of the first
/// before those of the second. A row that both have is where the first has it, and shows what that says.
final class SourceMerge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias State = Snapshot<SectionID, ItemID>

  private let stage = QueryStage<SectionID, SectionID, ItemID>(
    StageRules(sections: .same(SameSections())))
  /// What was made last.
  private var merged: (live: LiveState<SectionID, ItemID>, state: State)?

  /// The input of a query after one of the two has changed; `nil` if that changes nothing.
  ///
  /// - Parameters:
  ///   - input: What has changed.
  ///   - other: The other one, as it was.
  func advance(
    _ input: StageInput<SectionID, ItemID>, _ other: OtherInput<SectionID, ItemID>
  ) throws(SnapshotError) -> StageInput<SectionID, ItemID>? {
    let kernels = input.snapshot.kernels
    var merged = merged ?? (LiveState(kernels), State(kernels))
    self.merged = nil
    defer { self.merged = merged }
    let before = merged.state
    var isFromScratch = stage.isFresh
    if case .unknown = input.origin { isFromScratch = true }
    stage.other = other
    defer { stage.other = nil }
    guard let commit = try stage.advance(input, &merged.live) else {
      return isFromScratch ? StageInput(merged.state, .unknown) : nil
    }
    merged.state = commit.snapshot
    return StageInput(
      commit.snapshot, isFromScratch ? .unknown : .changed(from: before, commit.difference))
  }

  /// What was made last, as the input of stages that have not been worked out.
  var present: StageInput<SectionID, ItemID>? {
    merged.map { StageInput($0.state, .same) }
  }
}
