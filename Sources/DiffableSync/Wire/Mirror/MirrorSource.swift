public import Diffable

/// A source that shows a list of another process by applying its deltas.
///
/// ```swift
/// let mirror = MirrorSource<ModelBatch<String, Note>>()
/// for try await line in lines {
///   try await mirror.apply(line.utf8) { try JSONDecoder().decode(ModelDelta.self, from: Data($0)) }
/// }
/// ```
///
/// ``follow(clock:longestWait:silence:connect:decode:failure:)`` does the same over connections that may break.
/// A mirror is a source like any other: every renderer follows it, and other sources can be derived
/// from it. To change the list, write to the source in the other process, or let the user edit it here:
/// see ``EditableMirror``.
///
/// It guarantees:
///
/// - A delta is applied as a whole or rejected with a ``DeltaError``. After a rejected delta the list is
///   unchanged and ``resumeToken`` is `nil`, which requests a reset. A reset always fits.
/// - A delta that comes late or twice is skipped: the mirror has had the state that it leads to.
/// - Subscribers get minimal batches, also after a reset: the mirror compares it with its list. So rows
///   keep their places when the other process restarts.
/// - The mirror does not trust a delta. It checks size, positions, identifiers and models before the list
///   changes, and computes the difference for its subscribers itself.
///
/// A mirror has its own revisions and tokens, for its subscribers. ``resumeToken`` names the state in the
/// other process.
public actor MirrorSource<Batch: DeltaBatch>: ListSource {
  /// Access to what the source has published.
  public nonisolated let _access: _SourceAccess<Batch.SectionID, Batch.ItemID>
  let list: MirroredList<Batch.SectionID, Batch.ItemID>
  /// The list with the changes of its user; `nil` until it is requested.
  var edited: EditedList<Batch>?
  /// Sends the changes of the user.
  var sender: ProposalSender<Batch>?
  private let expansionHandler:
    (@Sendable (_ item: ItemID, _ isExpanded: Bool) async throws -> Void)?

  /// Creates an empty mirror of a source of identifiers.
  ///
  /// - Parameters:
  ///   - limits: How large a delta and the list may be.
  ///   - options: What all kinds of sources let a program choose.
  ///   - expansionHandler: Asks the other process to expand or collapse a row of an outline. The row
  ///     changes when the delta of that change arrives. Without a handler, a user cannot fold rows.
  @inlinable public init<Section, Item>(
    limits: DeltaLimits = DeltaLimits(), options: SourceOptions = SourceOptions(),
    expansionHandler: (@Sendable (_ item: Item, _ isExpanded: Bool) async throws -> Void)? = nil
  ) where Batch == UpdateBatch<Section, Item> {
    self.init(
      limits, options, expansionHandler, Snapshot<Section, Item>.makeKernels())
  }

  /// Creates an empty mirror of a source of models.
  ///
  /// The parameters are those of a mirror of identifiers.
  @inlinable public init<Section, Model>(
    limits: DeltaLimits = DeltaLimits(), options: SourceOptions = SourceOptions(),
    expansionHandler: (@Sendable (_ item: Model.ID, _ isExpanded: Bool) async throws -> Void)? = nil
  ) where Batch == ModelBatch<Section, Model> {
    self.init(
      limits, options, expansionHandler,
      Snapshot<Section, Model.ID>.makeKernels(models: ElementKernel(models: Model.self)))
  }

  @usableFromInline init(
    _ limits: DeltaLimits, _ options: SourceOptions,
    _ expansionHandler: (@Sendable (ItemID, Bool) async throws -> Void)?, _ kernels: SnapshotKernels
  ) {
    let core = SourceCore<SectionID, ItemID>(
      options.showing(), kernels: kernels, children: nil)
    _access = SourceAccess(RevisionReader(hub: core.hub))
    list = MirroredList(core, limits: limits)
    self.expansionHandler = expansionHandler
  }

  /// Applies a delta.
  ///
  /// Cancelling the task has no effect.
  ///
  /// - Returns: The revision of this source that has the state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: ``DeltaError`` if the delta starts from another state and leads to one that the mirror has
  ///   not had, contradicts itself or the list, lacks the model of an item, or is too large, and if the
  ///   mirror has finished. Then the list is unchanged, and ``resumeToken`` is `nil` until a delta is applied.
  /// - Complexity: O(c · log n) for c changes among n items, given good hashes. The items of inserted and
  ///   deleted sections count as changes. O(m) more for a list of m items that becomes an outline or
  ///   was one, and O(n) for a reset.
  @discardableResult
  public func apply(_ delta: Batch.Delta) throws(DeltaError) -> Revision {
    try apply { () throws(DeltaError) in delta }
  }

  /// Reads a delta from JSON text and applies it.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8.
  ///   - decode: Decodes the text. This package has no JSON decoder of its own.
  /// - Returns: As ``apply(_:)``.
  /// - Throws: As ``apply(_:)``, and what `ListDelta.read(_:limits:decode:)` throws.
  /// - Complexity: The cost of ``apply(_:)``, and O(b) for b bytes besides the decoder.
  @discardableResult
  public func apply<Text: Sequence<UInt8> & SendableMetatype>(
    _ text: Text, decode: sending (Text) throws -> Batch.Delta
  ) throws(DeltaError) -> Revision {
    let limits = list.limits
    return try apply { () throws(DeltaError) in
      try Batch.Delta.read(text, limits: limits, decode: decode)
    }
  }

  private func apply(
    _ read: () throws(DeltaError) -> Batch.Delta
  ) throws(DeltaError) -> Revision {
    guard let edited else { return try list.apply(read) }
    defer { sender?.wake() }
    return try edited.apply(read)
  }

  /// Ends the source: streams end, and deltas are rejected.
  ///
  /// Changes of an ``EditableMirror`` that are pending are no longer sent; they can still be stored. A
  /// second call does nothing.
  public func finish() {
    list.core.finish()
    edited?.finish()
    sender?.finish()
  }

  /// Passes the request of a renderer's user to the `expansionHandler`.
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

extension MirrorSource {
  /// The token of the current state, to resume from in the other process.
  ///
  /// `nil` before the first delta and after a rejected one. Connect without a token then, and the next
  /// delta is a reset.
  ///
  /// - Complexity: O(1).
  public var resumeToken: ResumeToken? { list.token }

  /// The list and its revision in this process, read together.
  ///
  /// - Complexity: O(1).
  public var current: (snapshot: Snapshot<SectionID, ItemID>, revision: Revision) {
    (snapshot, revision)
  }

  /// The list.
  ///
  /// - Complexity: O(1).
  public var snapshot: Snapshot<SectionID, ItemID> { list.snapshot }

  /// The revision of the current state, in this process.
  ///
  /// - Complexity: O(1).
  public var revision: Revision { list.core.revision }

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
