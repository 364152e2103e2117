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
  /// Apply deltas in the order in which they were sent. One that starts from another state is refused, but a reset
  /// fits any state: an old one takes the list back. Cancelling the task has no effect.
  ///
  /// - Returns: The revision of this source that has the state: a new one, or the live one if nothing
  ///   changed.
  /// - Throws: ``DeltaError`` if the delta starts from another state and leads to one that the mirror has
  ///   not had, contradicts itself or the list, lacks the model of an item, or is too large, if it is called inside
  ///   a change of the mirror or an edit of its ``EditableMirror``, and if the mirror has finished. Then the list is
  ///   unchanged, and ``resumeToken`` is `nil` until a delta is applied.
  /// - Complexity: O(c · log n) for c changes among n items, given good hashes. The items of inserted and
  ///   deleted sections count as changes. O(m) more for a list of m items that becomes an outline or
  ///   was one, and O(n) for a reset. Changes of an ``EditableMirror`` that wait are made again.
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
    guard let edited else { return try list.apply(read).revision }
    defer { sender?.wake() }
    return try edited.apply(read)
  }

  /// Ends the source: streams end, and deltas are rejected.
  ///
  /// Changes of an ``EditableMirror`` whose outcomes are not known fail, and are no longer sent; they can
  /// still be stored, see ``EditableMirror/pending``, and their outcomes arrive after the next launch. A second
  /// call does nothing.
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
  /// `nil` before the first delta and after a rejected one, and if the owner does not know the state any more that
  /// its answer to a proposal has brought. Connect without a token then, and the next delta is a reset.
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
  public var wholeState: Batch.Delta? { list.whole.map { Batch($0).delta } }
}

/// The state of a mirror, without its actor.
///
/// A delta is checked as a whole before anything is changed. It only says how to get to the new state:
/// the difference is found by comparing the two states.
///
/// The answer to a proposal can bring the list further than its stream. From then on, the states are held that
/// the stream may go on from: where it is, and those that the list has had since, as a new connection begins at
/// one of them. That ends when the stream has come to the list or beyond. A delta that leads to a state that the
/// list has had is skipped, wherever it starts: it is late, or comes twice.
///
/// An owner may lose what it has accepted. If it does not know the state that an answer has led to, the next reset
/// counts, however old it is.
///
/// It is a class for the same reason as ``SourceCore``: decoders and observers of the user run inside
/// its functions, and may read the state through `assumeIsolated`.
///
/// Invariants:
/// 1. No identifier appears twice in the list, and in a list of models each item has one.
/// 2. `held` names the state of the list in the other process.
/// 3. `earlier` are states before the list, of the same epoch, each later than the one before it.
final class MirroredList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Live = LiveState<SectionID, ItemID>

  let core: SourceCore<SectionID, ItemID>
  /// How large a delta and the list may be.
  let limits: DeltaLimits
  /// The token of the current state; `nil` before the first delta.
  private(set) var held: ResumeToken?
  /// Where the stream is, and the states of the list since, if an answer has brought it further.
  private var earlier: [EarlierState] = []
  /// As many of them are held; from another one a stream begins again.
  private static var earlierLimit: Int { 32 }

  /// A state of the list, or one between two of them.
  struct EarlierState {
    let token: ResumeToken
    let snapshot: Snapshot<SectionID, ItemID>
    /// The last revision of the list that is not later.
    let revision: Revision

    func isLater(than other: EarlierState) -> Bool {
      guard let own = token.parts, let other = other.token.parts else { return false }
      return own.epoch == other.epoch && own.place.revision > other.place.revision
    }
  }

  /// The state of the list; `nil` before the first delta.
  var state: EarlierState? {
    held.map { EarlierState(token: $0, snapshot: snapshot, revision: core.revision) }
  }

  /// The same as a reset.
  var whole: UpdateBatch<SectionID, ItemID>? {
    (held?.parts).map { UpdateBatch(showingValid: snapshot, epoch: $0.epoch, at: $0.place) }
  }

  /// Whether the last delta was rejected, or the owner does not know the state of the list.
  private var wantsReset = false
  /// Whether the owner does not know the state of the list, which an answer has brought.
  private var isLost = false

  /// The token to resume from in the other process; `nil` requests a reset.
  var token: ResumeToken? { wantsReset ? nil : held }

  var snapshot: Snapshot<SectionID, ItemID> { core.snapshot }

  init(_ core: SourceCore<SectionID, ItemID>, limits: DeltaLimits) {
    (self.core, self.limits) = (core, limits)
  }

  /// Reads a delta and applies it, unless the list has its changes already.
  ///
  /// - Returns: The revision that has the new state: a new one, or the live one if nothing changed.
  ///   And the delta.
  /// - Throws: ``DeltaError``. Then the list is unchanged, and a reset is requested.
  func apply<Delta: ListDelta<SectionID, ItemID>>(
    _ read: () throws(DeltaError) -> Delta
  ) throws(DeltaError) -> (revision: Revision, delta: Delta) {
    guard !core.isFinished else { throw .finished }
    do throws(DeltaError) {
      let delta = try read()
      return (try follow(delta), delta)
    } catch {
      wantsReset = true
      throw error
    }
  }

  private func follow(_ delta: some ListDelta<SectionID, ItemID>) throws(DeltaError) -> Revision {
    let update = delta.update
    guard let target = update.target.parts else {
      throw .misfit(reason: "“\(update.target)” is not a token")
    }
    guard let baseToken = update.base else { return try begin(with: delta) }
    let index = earlier.lastIndex { $0.token == baseToken }
    let isNext = baseToken == held || index != nil
    guard isNext || has(update.target) else {
      throw .wrongBase(expected: held, found: baseToken)
    }
    guard let base = baseToken.parts, base.epoch == target.epoch,
      base.place.revision <= target.place.revision
    else { throw .misfit(reason: "the target is older than the base, or of another list") }
    // It is late, or has come twice.
    guard isNext else { return core.revision }
    guard let index, baseToken != held else {
      // The stream goes on from the list itself.
      return try core.advance(by: delta, within: limits) { [self] in reach(update.target) }
    }
    if update.target == held {
      reach(update.target)
      return core.revision
    }
    let stream = earlier[index]
    if has(update.target) {
      let state = try core.state(after: delta, from: stream.snapshot, within: limits)
      lag(EarlierState(token: update.target, snapshot: state, revision: stream.revision))
      return core.revision
    }
    return try core.advance(
      by: delta, from: stream.snapshot, since: stream.revision, within: limits
    ) { [self] in reach(update.target) }
  }

  /// Applies a reset.
  ///
  /// If an answer has brought the list further, only the stream begins with it.
  private func begin(with delta: some ListDelta<SectionID, ItemID>) throws(DeltaError) -> Revision {
    let token = delta.target
    if !isLost, let stream = earlier.first, token != held, has(token) {
      let state = try core.state(after: delta, from: nil, within: limits)
      lag(EarlierState(token: token, snapshot: state, revision: stream.revision))
      return core.revision
    }
    return try core.replace(by: delta, within: limits) { [self] in reach(token) }
  }

  /// Whether the list has a state, or has had it.
  private func has(_ token: ResumeToken) -> Bool {
    guard token != held else { return true }
    guard let shown = held?.parts, let other = token.parts else { return false }
    return shown.epoch == other.epoch && other.place.revision < shown.place.revision
  }

  /// Records that the list and its stream have come to a state.
  private func reach(_ token: ResumeToken) {
    (held, earlier, wantsReset, isLost) = (token, [], false, false)
  }

  /// Records that the stream has come to a state before the list.
  private func lag(_ state: EarlierState) {
    earlier.removeAll { !$0.isLater(than: state) }
    earlier.insert(state, at: 0)
    wantsReset = isLost
    _checkInvariants()
  }

  /// Records that the owner does not know a state.
  func lose(_ token: ResumeToken?) {
    guard token == held, !earlier.isEmpty else { return }
    (wantsReset, isLost) = (true, true)
  }

  /// Brings the list to where an answer leads, unless it is there already.
  ///
  /// - Parameters:
  ///   - delta: What the answer says. It starts from an earlier state of the list, or from the list.
  ///   - base: The state that it starts from.
  /// - Throws: ``DeltaError`` if it does not fit. Then the list is unchanged.
  func advance(
    by delta: some ListDelta<SectionID, ItemID>, from base: EarlierState
  ) throws(DeltaError) {
    guard delta.base == base.token else {
      throw .wrongBase(expected: base.token, found: delta.base)
    }
    guard let shown = held?.parts, let target = delta.target.parts, target.epoch == shown.epoch,
      target.place.revision > shown.place.revision
    else { return }
    let before = state
    _ = try core.advance(
      by: delta, from: base.snapshot, since: base.revision, within: limits
    ) { [self] in
      held = delta.target
      if let before { earlier.append(before) }
      if earlier.count > Self.earlierLimit { earlier.remove(at: 1) }
      _checkInvariants()
    }
  }

  private func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    for (state, next) in zip(earlier, earlier.dropFirst() + [state].compactMap(\.self)) {
      precondition(next.isLater(than: state), "3: the states that a stream may be at are in order")
    }
    #endif
  }
}
