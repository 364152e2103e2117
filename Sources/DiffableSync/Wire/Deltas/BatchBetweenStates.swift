import Diffable

extension UpdateBatch {
  /// What leads from one state of a list to another, in whatever order they were made.
  ///
  /// - Parameters:
  ///   - base: The name of the first state.
  ///   - target: The name of the second state.
  ///   - marks: What was renamed and placed on the way.
  /// - Returns: `nil` if a name is no token.
  /// - Complexity: O(d · log n) for d leaves that differ.
  init?(
    from old: Snapshot<SectionID, ItemID>, named base: ResumeToken,
    to new: Snapshot<SectionID, ItemID>, named target: ResumeToken,
    _ marks: Snapshot<SectionID, ItemID>.Marks, _ presentation: Presentation = .animated
  ) {
    guard let base = base.parts, let target = target.parts else { return nil }
    self.init(
      BatchStep(
        epoch: base.epoch, base: base.place.revision, target: target.place.revision,
        difference: new.difference(fromState: old, marks: marks), previousSnapshot: old.base,
        snapshot: new.base, presentation: presentation, isFromSource: true,
        digests: (base.place.digest, target.place.digest)))
    notes = TypedRevisionNotes(.init(marks: marks))
  }
}
