public import Diffable

extension ReplicatedSource {
  /// The list, as far as this participant knows the log.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { list.core.snapshot }

  /// The revision of ``snapshot``, the same number for all participants.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { list.revision }

  /// The element of an item, its identifier or its model; `nil` if the item is unknown.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func element(for item: ItemID) -> Batch.Element? {
    Batch.element(for: item, in: snapshot)
  }

  /// Waits until this participant shows a revision, or a later one.
  ///
  /// Use it to read what another participant has written: let that one pass on the revision that its
  /// write returned.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, `DataSourceError.finished`, and the
  ///   ``ReplicationError`` that has stopped the source.
  public func waitFor(_ revision: Revision) async throws {
    await waitWhile { $0.list.revision < revision && !$0.isOver }
    guard list.revision < revision else { return }
    try Task.checkCancellation()
    throw failure ?? DataSourceError.finished as any Error
  }
}

extension ReplicatedSource where SectionID: ModelledSection {
  /// The model of a section, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    snapshot.sectionModel(of: section)
  }
}
