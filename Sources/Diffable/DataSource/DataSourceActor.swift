/// A list that any task may change and any number of renderers may follow.
///
/// Writers hand over snapshots with ``apply(_:presentation:ifRevision:)`` or edit the live one with
/// ``update(presentation:_:)->Revision``; the actor puts the changes in order and numbers them. Renderers
/// follow ``updates(_:after:)``, an `AsyncStream` of batches, each with what changed, the state
/// before and the state after.
///
/// ```swift
/// let source = try DataSourceActor<String, Int>()
/// let renderer = Task { @MainActor in
///   for await batch in source.updates() { show(batch) }
/// }
/// try await source.update { snapshot in
///   snapshot.appendSections(["Inbox"])
///   try snapshot.appendItems([1, 2, 3])
/// }
/// ```
///
/// What it guarantees:
///
/// - A change happens wholly or not at all, and no other writer comes in between. A change that is
///   refused throws and changes nothing.
/// - Every subscriber gets an unbroken chain of batches that ends at the live state, however slow it
///   is and however many writers there are. One that is slow, stops reading or goes away holds up
///   nobody and costs nothing but the state it shows.
/// - Differences are computed neither on the main executor nor on that of a subscriber.
///
/// The actor runs on the default executor. Under a task executor preference it follows the task
/// that calls it, as every actor does: a writer that prefers an executor of the main thread has its
/// snapshots checked and compared there.
///
/// A source that nobody holds any longer ends its streams.
public actor DataSourceActor<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The live state.
  ///
  /// - Complexity: O(1).
  ///
  /// Read inside an update by way of `assumeIsolated`, it is the state before the update.
  public internal(set) var snapshot: Snapshot<SectionID, ItemID>

  /// The number of the live state.
  ///
  /// - Complexity: O(1).
  public internal(set) var revision: Revision

  /// The same state, with what it takes to replace it.
  ///
  /// Accessed exclusively while it changes, so nothing that code of the user can reach in the
  /// meantime may read it.
  var live: LiveState<SectionID, ItemID>
  /// A change is under way, and code of the user may run inside it.
  var isWriting = false
  var isFinished = false
  let duplicates: DuplicatePolicy
  nonisolated let hub: Hub
  nonisolated let engine: LiveEngine<SectionID, ItemID>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - initial: The first state. If it is not empty, it is revision 1.
  ///   - duplicates: What to do with an identifier that stands twice in a snapshot, this one
  ///     included.
  ///   - history: The number of revisions that are kept besides the live one, for subscribers that
  ///     want every revision or resume after one. A negative number means none. They cost little,
  ///     since related states share storage.
  /// - Throws: ``SnapshotError`` if the snapshot is not valid and the policy is to reject it.
  @inlinable
  public init(
    _ initial: Snapshot<SectionID, ItemID> = Snapshot(), duplicates: DuplicatePolicy = .reject,
    history: Int = 64
  ) throws(SnapshotError) {
    try self.init(initial, duplicates: duplicates, history: history, engine: .specialised())
  }

  @usableFromInline
  init(
    _ initial: Snapshot<SectionID, ItemID>, duplicates: DuplicatePolicy, history: Int,
    engine: LiveEngine<SectionID, ItemID>
  ) throws(SnapshotError) {
    self.engine = engine
    var live = LiveState<SectionID, ItemID>()
    let empty = TypedRevisionState(snapshot: Snapshot<SectionID, ItemID>(), difference: nil)
    let commit = try engine.apply(&live, initial, duplicates).get()
    self.duplicates = duplicates
    self.live = live
    // Not the live snapshot itself: its lookup table is edited in place and must have one holder.
    snapshot = commit?.snapshot ?? Snapshot()
    revision = .empty
    hub = Hub(historyLength: history, empty: empty)
    if let commit {
      revision = revision.next
      hub.publish(commit, presentation: .reset)
    }
  }

  deinit {
    // Whoever drops the source may be the main actor: what is large is released by a task.
    hub.perform(hub.close(), releasing: .elsewhere)
    let remains = Handover((live, snapshot))
    let weight = snapshot.numberOfItems + snapshot.numberOfSections
    live = LiveState()
    snapshot = Snapshot()
    bury(remains, weight: weight)
  }
}
