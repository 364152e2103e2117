public import Diffable

extension MirrorSource {
  /// The token of the current state, to resume from in the other process.
  ///
  /// `nil` before the first delta and after a rejected one. Connect without a token then, and the next
  /// delta is a reset.
  ///
  /// - Complexity: O(1).
  public var resumeToken: ResumeToken? { list.token }

  /// The list.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { list.snapshot }

  /// The revision of the current state, in this process.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { list.core.revision }

  /// The element of an item, its identifier or its model; `nil` if the item is unknown.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func element(for item: ItemID) -> Batch.Element? {
    Batch.element(for: item, in: list.snapshot)
  }

  /// The current state as a reset; `nil` before the first delta.
  ///
  /// Store it, and apply it to a new mirror after a restart. That one resumes from there.
  ///
  /// - Complexity: O(n) for n items.
  public var wholeState: Batch.Delta? {
    guard let parts = list.held?.parts else { return nil }
    return Batch(
      UpdateBatch(showingValid: list.snapshot, epoch: parts.epoch, at: parts.place)
    ).delta
  }
}

extension MirrorSource where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    list.snapshot.sectionModel(of: section)
  }
}
