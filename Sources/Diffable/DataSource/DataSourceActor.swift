/// A list that any task may change and any number of renderers may follow.
///
/// Writers hand over snapshots with ``EditableListSource/apply(_:presentation:ifRevision:)`` or
/// edit the live one with ``EditableListSource/update(named:presentation:_:)->Revision``; the actor
/// puts the changes in order and numbers them. Renderers follow ``ListSource/updates(_:after:)``,
/// an `AsyncStream` of batches, each with what changed, the state before and the state after.
///
/// ```swift
/// let source = DataSourceActor<String, Int>()
/// let renderer = Task { @MainActor in
///   for await batch in source.updates() { show(batch) }
/// }
/// try await source.update { snapshot in
///   snapshot.appendSections(["Inbox"])
///   try snapshot.appendItems([1, 2, 3])
/// }
/// ```
///
/// Code that cannot wait hands snapshots over with ``EditableListSource/enqueue(_:presentation:)``,
/// whoever has worked on a copy for a while merges it with
/// ``EditableListSource/merge(_:basedOn:named:presentation:)``, and
/// ``EditableListSource/undo(_:presentation:)`` takes changes back. Lists that show models are
/// better kept in a ``ModelSource``.
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
public actor DataSourceActor<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  EditableListSource
{
  /// Hands out what changed in the order.
  public typealias Batch = UpdateBatch<SectionID, ItemID>
  /// Lets you edit the order.
  public typealias Draft = Snapshot<SectionID, ItemID>

  /// The live state and all that changes it; for this package alone.
  public let core: SourceCore<SectionID, ItemID>
  /// What is reached without waiting for the actor; for this package alone.
  public nonisolated let entrance: SourceEntrance<SectionID, ItemID>
  /// The way to what the source has published; for this package alone.
  public nonisolated let reader: RevisionReader<SectionID, ItemID>

  /// Creates an empty source.
  ///
  /// - Parameters:
  ///   - duplicates: What to do with an identifier that stands twice in a snapshot.
  ///   - history: The number of revisions that are kept besides the live one: for undo, for merging,
  ///     and for subscribers that want every revision or resume after one. A negative number means
  ///     none. They cost little, since related states share storage.
  ///   - epoch: The life that this source goes on with; a new one unless you pass one. Pass the epoch
  ///     of an earlier source only to one that goes through the same revisions again: from the same
  ///     first state, by all the same writes in the same order, before anybody resumes. If some
  ///     revision may be another than before, leave it out; then whoever resumes gets a reset.
  ///   - clock: The clock of ``UpdatePolicy/coalesced(throttle:)`` and of the times in
  ///     ``ListSource/metrics``; a test can pass one that it moves itself.
  ///   - observer: Is told what happens; without one, nothing is spent on it.
  ///   - reordering: What the app has to say about reordering by the user.
  ///   - childrenProvider: Answers the children of an item that is expanded while they are not
  ///     loaded, see ``Outline/setHasUnloadedChildren(_:_:)``. It is asked once, in a task of its own,
  ///     away from every actor. Collapsing or deleting the item cancels that task, and so does the
  ///     end of the source. What it answers is a revision of its own; where it throws, the item is
  ///     collapsed, and ``EditableListSource/childrenError(of:)`` says why.
  @inlinable public init(
    duplicates: DuplicatePolicy = .reject, history: Int = 64, epoch: Epoch = Epoch(),
    clock: any Clock<Duration> = ContinuousClock(), observer: DataSourceObserver? = nil,
    reordering: ReorderingHandlers<SectionID, ItemID> = ReorderingHandlers(),
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)? = nil
  ) {
    self.init(
      duplicates: duplicates, history: history, epoch: epoch, clock: clock, observer: observer,
      reordering: reordering, childrenProvider: childrenProvider,
      kernels: Snapshot<SectionID, ItemID>.makeKernels())
  }

  /// Creates a source with a first state.
  ///
  /// - Parameters:
  ///   - initial: The first state. If it is not empty, it is revision 1.
  ///   - duplicates: As in an empty source; this snapshot is looked at as well.
  ///   - history: As in an empty source.
  ///   - epoch: As in an empty source.
  ///   - clock: As in an empty source.
  ///   - observer: As in an empty source.
  ///   - reordering: As in an empty source.
  ///   - childrenProvider: As in an empty source.
  /// - Throws: ``SnapshotError`` if the snapshot is not valid and the policy is to reject it.
  @inlinable public init(
    _ initial: Snapshot<SectionID, ItemID>, duplicates: DuplicatePolicy = .reject,
    history: Int = 64, epoch: Epoch = Epoch(), clock: any Clock<Duration> = ContinuousClock(),
    observer: DataSourceObserver? = nil,
    reordering: ReorderingHandlers<SectionID, ItemID> = ReorderingHandlers(),
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)? = nil
  ) throws(SnapshotError) {
    try self.init(
      initial, duplicates: duplicates, history: history, epoch: epoch, clock: clock,
      observer: observer, reordering: reordering, childrenProvider: childrenProvider,
      kernels: Snapshot<SectionID, ItemID>.makeKernels())
  }

  @usableFromInline init(
    duplicates: DuplicatePolicy, history: Int, epoch: Epoch, clock: any Clock<Duration>,
    observer: DataSourceObserver?, reordering: ReorderingHandlers<SectionID, ItemID>,
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?,
    kernels: SnapshotKernels
  ) {
    self.init(
      SourceCore(
        duplicates: duplicates, history: history, epoch: epoch, clock: clock, observer: observer,
        kernels: kernels, children: ChildrenLoading(childrenProvider)), reordering)
  }

  @usableFromInline init(
    _ initial: Snapshot<SectionID, ItemID>, duplicates: DuplicatePolicy, history: Int,
    epoch: Epoch, clock: any Clock<Duration>, observer: DataSourceObserver?,
    reordering: ReorderingHandlers<SectionID, ItemID>,
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?,
    kernels: SnapshotKernels
  ) throws(SnapshotError) {
    let core = SourceCore<SectionID, ItemID>(
      duplicates: duplicates, history: history, epoch: epoch, clock: clock, observer: observer,
      kernels: kernels, children: ChildrenLoading(childrenProvider))
    try core.begin(with: initial)
    self.init(core, reordering)
  }

  private init(
    _ core: sending SourceCore<SectionID, ItemID>,
    _ reordering: ReorderingHandlers<SectionID, ItemID>
  ) {
    entrance = SourceEntrance(core, reordering)
    reader = RevisionReader(hub: core.hub)
    let loadsChildren = core.children != nil
    self.core = core
    if loadsChildren { followLoads() }
  }

  /// Runs an edit; for this package alone.
  public static func edit<Result>(
    _ snapshot: inout Snapshot<SectionID, ItemID>,
    _ given: inout GivenContent<SectionID, ItemID>,
    _ body: (inout Snapshot<SectionID, ItemID>) throws -> sending Result
  ) rethrows -> sending Result {
    try body(&snapshot)
  }
}
