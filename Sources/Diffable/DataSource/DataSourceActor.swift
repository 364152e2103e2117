/// A list that any task may change and any number of renderers may follow.
///
/// Writers replace the list with ``EditableListSource/apply(_:presentation:ifRevision:)`` or edit
/// the live snapshot with ``EditableListSource/update(named:presentation:_:)``. The actor
/// orders the changes and numbers them. Renderers follow ``ListSource/updates(_:after:)``, an
/// `AsyncStream` of batches. Each batch holds what changed, the state before and the state after.
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
/// Code that cannot wait hands over snapshots with ``EditableListSource/enqueue(_:presentation:)``.
/// A writer that has worked on a copy for a while merges it with
/// ``EditableListSource/merge(_:basedOn:named:presentation:)``.
/// ``EditableListSource/undo(_:presentation:)`` reverts changes. For lists that show models, prefer
/// a ``ModelSource``.
///
/// The source guarantees:
///
/// - A change happens as a whole or not at all, and no other write happens in between. A rejected
///   change throws and changes nothing.
/// - Every subscriber receives an unbroken chain of batches that ends at the live state, however
///   slow it is and however many writers there are. A subscriber that is slow, stops reading or
///   ends does not delay other subscribers. It costs only the memory of the state that it shows, and
///   of the marks that it has not seen.
/// - Differences are never computed on the executor of a subscriber.
///
/// The actor runs on the default executor, and not on the main executor. There is one exception: like
/// every actor, it follows the task executor preference of its caller. If a writer prefers an
/// executor of the main thread, its snapshots are checked and compared there.
///
/// The streams end when the source is deallocated.
public actor DataSourceActor<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  EditableListSource
{
  /// The batches that subscribers receive: what changed in the order.
  public typealias Batch = UpdateBatch<SectionID, ItemID>

  /// The live state and everything that changes it.
  public let _core: _SourceCore<SectionID, ItemID>
  /// What can be used without waiting for the actor.
  public nonisolated let _entrance: _SourceEntrance<SectionID, ItemID>
  /// Access to what the source has published.
  public nonisolated let _access: _SourceAccess<SectionID, ItemID>

  /// Creates an empty source.
  ///
  /// - Parameters:
  ///   - options: What all kinds of sources let a program choose.
  ///   - reordering: The app's handlers for reordering by the user.
  ///   - childrenProvider: Returns the children of an item that is expanded before they are loaded,
  ///     see ``Outline/setChildrenUnloaded(of:_:)``. It is called once, in a separate task, off
  ///     every actor. The task is cancelled if the item is collapsed or deleted, if its children are
  ///     set, or if the source ends. An answer that comes later changes nothing. The result is
  ///     applied as a separate revision. If the provider throws, the item is collapsed, and
  ///     ``EditableListSource/childrenError(of:)`` returns the reason.
  @inlinable public init(
    options: SourceOptions = SourceOptions(),
    reordering: ReorderingHandlers<SectionID, ItemID> = ReorderingHandlers(),
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)? = nil
  ) {
    self.init(
      options, reordering, childrenProvider, kernels: Snapshot<SectionID, ItemID>.makeKernels())
  }

  /// Creates a source with a first state.
  ///
  /// A first state that is not empty is revision 1, which no undo takes back. The other parameters are those
  /// of an empty source.
  ///
  /// - Throws: ``SnapshotError`` if the snapshot is not valid and ``SourceOptions/duplicates`` is to
  ///   reject it.
  @inlinable public init(
    _ initial: Snapshot<SectionID, ItemID>, options: SourceOptions = SourceOptions(),
    reordering: ReorderingHandlers<SectionID, ItemID> = ReorderingHandlers(),
    childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)? = nil
  ) throws(SnapshotError) {
    try self.init(
      initial, options, reordering, childrenProvider,
      kernels: Snapshot<SectionID, ItemID>.makeKernels())
  }

  @usableFromInline init(
    _ options: SourceOptions, _ reordering: ReorderingHandlers<SectionID, ItemID>,
    _ childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?,
    kernels: SnapshotKernels
  ) {
    self.init(
      SourceCore(options, kernels: kernels, children: ChildrenLoading(childrenProvider)), reordering
    )
  }

  @usableFromInline init(
    _ initial: Snapshot<SectionID, ItemID>, _ options: SourceOptions,
    _ reordering: ReorderingHandlers<SectionID, ItemID>,
    _ childrenProvider: (@Sendable (ItemID) async throws -> Outline<ItemID>)?,
    kernels: SnapshotKernels
  ) throws(SnapshotError) {
    let core = SourceCore<SectionID, ItemID>(
      options, kernels: kernels, children: ChildrenLoading(childrenProvider))
    try core.begin(with: initial)
    self.init(core, reordering)
  }

  private init(
    _ core: sending SourceCore<SectionID, ItemID>,
    _ reordering: ReorderingHandlers<SectionID, ItemID>
  ) {
    _entrance = SourceEntrance(core)
    _access = SourceAccess(RevisionReader(hub: core.hub), DropRules(reordering))
    let answers = core.children?.answers
    _core = core
    if let answers { insertChildren(from: answers) }
  }
}
