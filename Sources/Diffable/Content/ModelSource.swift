/// A list of models that any task may change and any number of renderers may follow.
///
/// The identity of a row is the `id` of its model; its content is the model. The source keeps both in
/// the same revision, and finds by itself which rows have to be shown anew because their content
/// changed:
///
/// ```swift
/// let source = ModelSource<String, Note>()
/// try await source.apply(notes, section: \.folder)
/// for await batch in source.updates() {
///   for (id, note) in batch.models { … }     // what came and what shows something else
/// }
/// ```
///
/// It is ``DataSourceActor`` with something beside the order: revisions, subscribers, policies and
/// errors are the same. ``updates(_:after:)`` hands out a ``ModelBatch``, which is an ``UpdateBatch``
/// with the models.
///
/// What it guarantees besides:
///
/// - There is a model for each item of ``snapshot``, those that an outline hides included, and for no
///   other.
/// - An item whose model differs, by `==`, from what a subscriber shows is reconfigured in the next
///   batch. Equal models mark nothing, and an apply of equal models makes no revision.
/// - Copies are never made of all models: a change costs what it changes, and revisions share the
///   rest.
public actor ModelSource<
  SectionID: Hashable & Sendable, Model: Identifiable & Equatable & Sendable
> where Model.ID: Sendable {
  /// The live order.
  ///
  /// - Complexity: O(1).
  ///
  /// Read inside an update by way of `assumeIsolated`, it is the order before the update.
  public var snapshot: Snapshot<SectionID, Model.ID> { core.snapshot }

  /// The number of the live state.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { core.revision }

  let core: SourceCore<SectionID, Model.ID>
  nonisolated let queue: WriteQueue<QueuedWrite<SectionID, Model.ID>>
  nonisolated let reordering: ReorderingHandlers<SectionID, Model.ID>
  nonisolated let hub: Hub
  nonisolated let reader: RevisionReader<SectionID, Model.ID>
  /// What the source knows of its identifiers.
  nonisolated let kernels: SnapshotKernels

  /// Creates an empty source.
  ///
  /// - Parameters:
  ///   - duplicates: What to do with an identifier that stands twice. The content of the place that
  ///     is kept counts.
  ///   - history: The number of revisions that are kept besides the live one, as in
  ///     ``DataSourceActor``.
  ///   - epoch: The life that this source goes on with, as in ``DataSourceActor``.
  ///   - clock: The clock of ``UpdatePolicy/coalesced(throttle:)``; a test can pass one that it moves
  ///     itself.
  ///   - observer: Is told what happens; without one, nothing is spent on it.
  ///   - reordering: What the app has to say about reordering by the user.
  @inlinable public init(
    duplicates: DuplicatePolicy = .reject, history: Int = 64, epoch: Epoch = Epoch(),
    clock: any Clock<Duration> = ContinuousClock(), observer: DataSourceObserver? = nil,
    reordering: ReorderingHandlers<SectionID, Model.ID> = ReorderingHandlers()
  ) {
    self.init(
      duplicates: duplicates, history: history, epoch: epoch, clock: clock, observer: observer,
      reordering: reordering,
      kernels: Snapshot<SectionID, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  @usableFromInline init(
    duplicates: DuplicatePolicy, history: Int, epoch: Epoch, clock: any Clock<Duration>,
    observer: DataSourceObserver?, reordering: ReorderingHandlers<SectionID, Model.ID>,
    kernels: SnapshotKernels
  ) {
    core = SourceCore(
      duplicates: duplicates, history: history, epoch: epoch, clock: clock, observer: observer,
      kernels: kernels)
    self.reordering = reordering
    queue = core.queue
    hub = core.hub
    self.kernels = kernels
    reader = RevisionReader(hub: hub)
  }

  /// The live model of an item, or `nil` for an unknown one.
  ///
  /// - Complexity: O(log n) for n items, given a good hash.
  public func model(for item: Model.ID) -> Model? {
    snapshot.model(of: item, as: Model.self)
  }
}

extension ModelSource where SectionID: ModelledSection {
  /// The live model of a section, or `nil` if it has none or is not there.
  ///
  /// - Complexity: O(log s) for s sections, given a good hash.
  public func sectionModel(for section: SectionID) -> SectionID.SectionModel? {
    snapshot.content(ofSection: section)?.model as? SectionID.SectionModel
  }
}
