/// A source that shows a list of another process, as the deltas that arrive from there leave it.
///
/// ```swift
/// let mirror = MirrorSource<ModelBatch<String, Note>>()
/// for try await line in lines {
///   try await mirror.apply(line.utf8) { try JSONDecoder().decode(ModelDelta.self, from: Data($0)) }
/// }
/// ```
///
/// ``follow(clock:longestWait:connect:decode:failure:)`` does the same over a connection that comes and goes.
/// A mirror is a source like any other: every renderer follows it, and other sources can be derived
/// from it. To change the list, write to the source that it mirrors.
///
/// What it guarantees:
///
/// - A delta is applied as a whole or refused with a ``DeltaError``. After one that was refused the
///   list is what it was, and ``resumeToken`` is `nil`: it asks for a reset, which always fits.
/// - Those who follow get minimal batches, after a reset as well: a reset is compared with the list that is
///   held. So rows stay where they are when the other process has started again.
/// - Nothing of a delta is believed. Its size, its positions, its identifiers and its models are
///   checked before the list changes, and the difference that subscribers get is found here.
///
/// A mirror has revisions and tokens of its own, for those who follow it. ``resumeToken`` names the
/// state of the other process.
public actor MirrorSource<Batch: ListBatch>: ListSource
where Batch.Delta: ListDelta<Batch.SectionID, Batch.ItemID> {
  /// What identifies sections.
  public typealias SectionID = Batch.SectionID
  /// What identifies items.
  public typealias ItemID = Batch.ItemID

  /// The way to what the source has published; for this package alone.
  public nonisolated let reader: RevisionReader<Batch.SectionID, Batch.ItemID>
  var list: MirroredList<Batch.SectionID, Batch.ItemID>
  private let expansionHandler:
    (@Sendable (_ item: ItemID, _ isExpanded: Bool) async throws -> Void)?

  /// Creates an empty mirror of a source of identifiers.
  ///
  /// - Parameters:
  ///   - limits: How large a delta and the list may be.
  ///   - history: The number of revisions that are kept besides the live one, for subscribers that
  ///     want every revision or resume after one.
  ///   - clock: The clock of ``UpdatePolicy/coalesced(throttle:)``; a test can pass one that it moves
  ///     itself.
  ///   - observer: Receives what happens; without one, nothing is spent on it.
  ///   - expansionHandler: Asks the other process to expand a row of an outline, or to collapse it.
  ///     What is expanded is part of the list, so the row changes when the delta of that arrives.
  ///     Without a handler, a renderer cannot fold rows.
  @inlinable public init<Section, Item>(
    limits: DeltaLimits = DeltaLimits(), history: Int = 64,
    clock: any Clock<Duration> = ContinuousClock(), observer: DataSourceObserver? = nil,
    expansionHandler: (@Sendable (_ item: Item, _ isExpanded: Bool) async throws -> Void)? = nil
  ) where Batch == UpdateBatch<Section, Item> {
    self.init(
      limits, history, clock, observer, expansionHandler, Snapshot<Section, Item>.makeKernels())
  }

  /// Creates an empty mirror of a source of models.
  ///
  /// - Parameters:
  ///   - limits: How large a delta and the list may be.
  ///   - history: As in a mirror of identifiers.
  ///   - clock: As in a mirror of identifiers.
  ///   - observer: As in a mirror of identifiers.
  ///   - expansionHandler: As in a mirror of identifiers.
  @inlinable public init<Section, Model>(
    limits: DeltaLimits = DeltaLimits(), history: Int = 64,
    clock: any Clock<Duration> = ContinuousClock(), observer: DataSourceObserver? = nil,
    expansionHandler: (@Sendable (_ item: Model.ID, _ isExpanded: Bool) async throws -> Void)? = nil
  ) where Batch == ModelBatch<Section, Model> {
    self.init(
      limits, history, clock, observer, expansionHandler,
      Snapshot<Section, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  @usableFromInline init(
    _ limits: DeltaLimits, _ history: Int, _ clock: any Clock<Duration>,
    _ observer: DataSourceObserver?,
    _ expansionHandler: (@Sendable (ItemID, Bool) async throws -> Void)?, _ kernels: SnapshotKernels
  ) {
    let core = SourceCore<SectionID, ItemID>(
      duplicates: .reject, history: history, epoch: Epoch(), clock: clock, observer: observer,
      kernels: kernels, children: nil)
    reader = RevisionReader(hub: core.hub)
    list = MirroredList(core, limits: limits)
    self.expansionHandler = expansionHandler
  }

  /// Goes on to the state that a delta leads to.
  ///
  /// Cancelling the task has no effect.
  ///
  /// - Returns: The revision of this source that has the state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: ``DeltaError`` if the delta starts from another state, contradicts itself or the list,
  ///   lacks the model of an item, or is too large, and if the mirror has finished. The list is what
  ///   it was then, and ``resumeToken`` is `nil` until a delta is taken.
  /// - Complexity: O(c · log n) for c changes among n items, the items of sections that come or go
  ///   included, given good hashes. O(m) more for a list of m items that becomes an outline or was
  ///   one, and O(n) for a reset.
  @discardableResult
  public func apply(_ delta: Batch.Delta) throws(DeltaError) -> Revision {
    try list.apply { () throws(DeltaError) in delta }
  }

  /// Reads a delta from JSON text, and goes on to the state that it leads to.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8.
  ///   - decode: Decodes the text. This package has no JSON decoder of its own.
  /// - Returns: As ``apply(_:)``.
  /// - Throws: As ``apply(_:)``, and what `ListDelta.read(_:limits:decode:)` throws.
  /// - Complexity: That of ``apply(_:)``, and O(b) for b bytes besides what the decoder needs.
  @discardableResult
  public func apply<Text: Sequence<UInt8>>(
    _ text: Text, decode: (Text) throws -> Batch.Delta
  ) throws(DeltaError) -> Revision {
    let limits = list.limits
    return try list.apply { () throws(DeltaError) in
      try Batch.Delta.read(text, limits: limits, decode: decode)
    }
  }

  /// Ends the source: streams end, and deltas are refused.
  ///
  /// A second call does nothing.
  public func finish() { list.core.finish() }

  /// Passes on what the user of a renderer wants, to the `expansionHandler`.
  public func setExpanded(
    _ isExpanded: Bool, of item: ItemID, named name: String?
  ) async throws(ChildrenError<ItemID>) {
    guard !list.core.isFinished else { throw ChildrenError(item: item, reason: .source(.finished)) }
    do {
      try await expansionHandler?(item, isExpanded)
    } catch {
      throw ChildrenError(item: item, reason: .provider(error))
    }
  }
}
