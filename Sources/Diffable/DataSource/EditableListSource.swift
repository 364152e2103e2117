/// A source that any task may change.
///
/// What ``DataSourceActor`` and ``ModelSource`` have in common: both are actors, which put all changes
/// in order.
public protocol EditableListSource<SectionID, ItemID>: Actor, ListSource {
  /// What an edit changes: the snapshot, or a draft of order and models.
  associatedtype Draft

  /// The live state and all that changes it; for this package alone.
  var core: SourceCore<SectionID, ItemID> { get }
  /// What is reached without waiting for the actor; for this package alone.
  nonisolated var entrance: SourceEntrance<SectionID, ItemID> { get }

  /// Runs an edit on a state, and on what is given in it; for this package alone.
  static func edit<Result>(
    _ snapshot: inout Snapshot<SectionID, ItemID>,
    _ given: inout GivenContent<SectionID, ItemID>,
    _ body: (inout Draft) throws -> sending Result
  ) rethrows -> sending Result
}

extension EditableListSource {
  /// The live state.
  ///
  /// Read inside an update by way of `assumeIsolated`, it is the state before the update.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  /// The number of the live state.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { core.revision }

  /// Ends the source: changes throw from now on, and streams end.
  ///
  /// What was enqueued before is applied, and what is enqueued later rejected. A subscriber that has
  /// not taken the last state yet is handed it before its stream ends. Asked
  /// for from inside an update, the end comes after the update. A second call does nothing.
  public func finish() {
    core.finish()
  }
}
