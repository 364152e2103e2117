extension UpdateBatch {
  private typealias TypedState = TypedRevisionState<SectionID, ItemID>
  private typealias TypedNotes = TypedRevisionNotes<SectionID, ItemID>

  /// Works out the batch that a transition stands for.
  init(
    _ transition: HubTransition, memo: DifferenceMemo, engine: LiveEngine<SectionID, ItemID>
  ) async {
    let findings = await Self.findings(of: transition, memo: memo, engine: engine)
    let notes = findings.notes.map(TypedNotes.of)
    let base = transition.isReset ? nil : transition.base
    self.init(
      base: base?.revision,
      target: transition.target.revision,
      difference: findings.difference,
      previousSnapshot: base.map { TypedState.of($0.state).snapshot },
      snapshot: TypedState.of(transition.target.state).snapshot,
      presentation: transition.presentation,
      droppedItems: notes?.droppedItems ?? [],
      droppedSections: notes?.droppedSections ?? [])
  }

  /// What happened on the way of a transition.
  ///
  /// A single step was computed by its writer and is answered as it is; anything else is computed in
  /// a task that subscribers share.
  static func findings(
    of transition: HubTransition, memo: DifferenceMemo, engine: LiveEngine<SectionID, ItemID>
  ) async -> Findings {
    let target = TypedState.of(transition.target.state)
    let stored =
      transition.isReset
      ? SnapshotDifference() : transition.isSingleStep ? target.difference : nil
    if let stored, transition.notes.count < 2 {
      return Findings(difference: stored, notes: transition.notes.first)
    }
    return await memo.findings(of: transition) {
      let notes = transition.notes.first?.joined(with: transition.notes.dropFirst())
      guard !transition.isReset, let base = transition.base else {
        return Findings(difference: SnapshotDifference(), notes: notes)
      }
      let difference = engine.difference(
        TypedState.of(base.state).snapshot, target.snapshot,
        notes.map { TypedNotes.of($0).marks } ?? .init())
      return Findings(difference: difference, notes: notes)
    }
  }
}
