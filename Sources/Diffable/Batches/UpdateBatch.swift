/// One step for a renderer: what changed since the state that it shows, and the state to show now.
///
/// A batch either starts from scratch (``base`` is `nil`: show ``snapshot``), or leads from the
/// revision that this subscriber took last to a newer one. There may be any number of revisions in
/// between.
public struct UpdateBatch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// The epoch of the revisions ``base`` and ``target``.
  public package(set) var epoch: Epoch {
    get { step.read { $0.pointee.epoch } }
    set { step.value.epoch = newValue }
  }
  /// The revision that the difference starts from; if `nil`, show ``snapshot`` from scratch.
  public package(set) var base: Revision? {
    get { step.read { $0.pointee.base } }
    set { step.value.base = newValue }
  }
  /// The revision of ``snapshot``.
  public package(set) var target: Revision {
    get { step.read { $0.pointee.target } }
    set { step.value.target = newValue }
  }
  /// What changed; empty in a reset.
  public package(set) var difference: SnapshotDifference {
    get { step.read { $0.pointee.difference } }
    set { change { $0.difference = newValue } }
  }
  /// The state before this batch, for renderers that show what is deleted; `nil` in a reset.
  public package(set) var previousSnapshot: Snapshot<SectionID, ItemID>? {
    get { step.read { $0.pointee.previousSnapshot }.map { Snapshot($0) } }
    set { change { $0.previousSnapshot = newValue?.base } }
  }
  /// The state after this batch.
  public package(set) var snapshot: Snapshot<SectionID, ItemID> {
    get { Snapshot(step.read { $0.pointee.snapshot }) }
    set { change { $0.snapshot = newValue.base } }
  }
  /// The strongest presentation among the revisions of this batch.
  public package(set) var presentation: Presentation {
    get { step.read { $0.pointee.presentation } }
    set { step.value.presentation = newValue }
  }
  /// The items that writers gave other identifiers; in a reset as well.
  ///
  /// If ``snapshot`` has the new identifier of an entry and not the old one, and the state before had
  /// no item of the new one, the row is the same, and what a renderer keeps by identifier continues
  /// under the new one. Ignore other entries: the row has been deleted since, or one of the
  /// identifiers names another row, as before.
  public package(set) var renamedItems: [ItemRename<ItemID>] {
    get { notes?.marks.renames.inOrder ?? [] }
    set {
      note {
        $0.marks.forgetRenames()
        $0.marks.rename(newValue)
      }
    }
  }
  /// The renamed items that are the same rows in ``snapshot``.
  package var renamedRows: [ItemRename<ItemID>] {
    let renamed = renamedItems
    guard !renamed.isEmpty else { return [] }
    let (old, new) = (previousSnapshot, snapshot)
    // An identifier in both states names the same item, whatever was said.
    return renamed.filter {
      new.containsItem($0.new) && !new.containsItem($0.old) && old?.containsItem($0.new) != true
    }
  }
  /// The rows of the sources behind a derived source that received other identifiers, also if its
  /// query hides them.
  ///
  /// They stay in the process: whoever follows a derived source elsewhere learns of its own rows only.
  package var baseRenames: [ItemRename<ItemID>] {
    notes?.contents.baseRenames.inOrder ?? []
  }
  /// Whether the subscriber had no state before, or none that the source still knows.
  package var isStart: Bool { step.read { $0.pointee.isStart } }
  /// What writers have marked, renamed and placed.
  package var marks: Snapshot<SectionID, ItemID>.Marks { notes?.marks ?? .init() }
  /// What writers have placed.
  package var placed: PlacedRows<SectionID, ItemID> { marks.placed }
  /// The items that the duplicates policy dropped, one entry for each place.
  public package(set) var droppedItems: [ItemID] {
    get { notes?.contents.droppedItems ?? [] }
    set { note { $0.droppedItems = newValue } }
  }
  /// The sections that the duplicates policy dropped, one entry for each place.
  public package(set) var droppedSections: [SectionID] {
    get { notes?.contents.droppedSections ?? [] }
    set { note { $0.droppedSections = newValue } }
  }
  /// The proposals of followers that have become part of the list by this change.
  ///
  /// A follower in another process learns by them that its own proposal is in the state that it shows.
  package var proposals: [WriteID] {
    get { notes?.contents.proposals ?? [] }
    set { note { $0.proposals = newValue } }
  }
  /// The items that show a change which others have not accepted yet: in an `OptimisticSource`, in an
  /// `EditableMirror`, and in sources that are derived from them.
  ///
  /// An item that becomes confirmed is reconfigured, so that a renderer can show the difference.
  public package(set) var unconfirmedItems: Set<ItemID> {
    get { notes?.contents.unconfirmedItems ?? [] }
    set { note { $0.unconfirmedItems = newValue } }
  }

  /// What is in the states, without their types.
  ///
  /// One reference: a batch goes through many tasks, and by value it takes more than half a KiB in
  /// each.
  package private(set) var step: CopyOnWrite<BatchStep>
  /// What is not in the states, as its writer has noted it; `nil` in most batches.
  package var notes: TypedRevisionNotes<SectionID, ItemID>?

  package init(
    epoch: Epoch, base: Revision?, target: Revision, difference: SnapshotDifference,
    previousSnapshot: Snapshot<SectionID, ItemID>?, snapshot: Snapshot<SectionID, ItemID>,
    presentation: Presentation
  ) {
    self.init(
      BatchStep(
        epoch: epoch, base: base, target: target, difference: difference,
        previousSnapshot: previousSnapshot?.base, snapshot: snapshot.base,
        presentation: presentation))
  }

  /// Creates a batch without notes.
  package init(_ step: BatchStep) {
    self.step = CopyOnWrite(step)
  }

  /// Changes the step by hand, so that it may no longer fit.
  private mutating func change(_ body: (inout BatchStep) -> Void) {
    body(&step.value)
    step.value.isFromSource = false
  }

  /// Changes the notes by hand.
  private mutating func note(
    _ change: (inout TypedRevisionNotes<SectionID, ItemID>.Contents) -> Void
  ) {
    var contents = notes?.contents ?? .init()
    change(&contents)
    notes = TypedRevisionNotes(contents)
  }
}

extension UpdateBatch: Equatable {
  /// Compares everything except marks and placed rows: these are hints, and the difference follows them already.
  ///
  /// - Complexity: O(n) for n items, less if the states share storage.
  public static func == (left: UpdateBatch, right: UpdateBatch) -> Bool {
    left.epoch == right.epoch && left.base == right.base && left.target == right.target
      && left.presentation == right.presentation && left.difference == right.difference
      && left.renamedItems == right.renamedItems && left.baseRenames == right.baseRenames
      && left.droppedItems == right.droppedItems && left.droppedSections == right.droppedSections
      && left.unconfirmedItems == right.unconfirmedItems && left.proposals == right.proposals
      && left.snapshot == right.snapshot
      && left.previousSnapshot == right.previousSnapshot
  }
}

/// What a batch has besides its notes, in code that does not know the types of identifiers.
package struct BatchStep: Sendable {
  // What somebody else names is no longer the state of a log.
  var epoch: Epoch { didSet { if epoch != oldValue { digests = (.none, .none) } } }
  package var base: Revision? { didSet { if base != oldValue { digests.base = .none } } }
  var target: Revision { didSet { if target != oldValue { digests.target = .none } } }
  package internal(set) var difference: SnapshotDifference
  var previousSnapshot: UntypedSnapshot?
  package internal(set) var snapshot: UntypedSnapshot
  package internal(set) var presentation: Presentation
  /// Whether a source has found the difference between these states.
  var isFromSource: Bool
  /// Whether the subscriber had no state before: not every reset is a start.
  let isStart: Bool
  /// The digests of a shared log up to the base and up to the target.
  package var digests: (base: HistoryDigest, target: HistoryDigest)

  package init(
    epoch: Epoch, base: Revision?, target: Revision, difference: SnapshotDifference,
    previousSnapshot: UntypedSnapshot?, snapshot: UntypedSnapshot, presentation: Presentation,
    isFromSource: Bool = false, isStart: Bool = false,
    digests: (base: HistoryDigest, target: HistoryDigest) = (.none, .none)
  ) {
    (self.epoch, self.base, self.target, self.difference) = (epoch, base, target, difference)
    (self.previousSnapshot, self.snapshot) = (previousSnapshot, snapshot)
    (self.presentation, self.isFromSource) = (presentation, isFromSource)
    self.isStart = isStart
    self.digests = digests
  }

  /// The name of the state before; `nil` in a reset.
  package var baseToken: ResumeToken? {
    base.map {
      ResumeToken(epoch: epoch, place: HistoryPlace(revision: $0, digest: digests.base))
    }
  }

  /// The name of the state after.
  package var targetToken: ResumeToken {
    ResumeToken(epoch: epoch, place: HistoryPlace(revision: target, digest: digests.target))
  }

  /// Whether there is a state before, and the difference names only positions of both states.
  ///
  /// - Complexity: O(1) for what a source has made, otherwise O(r · log s) for r ranges and moves in
  ///   s sections.
  package var fits: Bool {
    guard let previousSnapshot else { return false }
    return isFromSource || difference.misplacedPosition(from: previousSnapshot, to: snapshot) == nil
  }
}

extension UpdateBatch {
  /// The name of the state that this batch leads to, outside the process.
  ///
  /// Store it, or pass it to the process that shows the state. To resume after that state, use
  /// ``ListSource/updates(_:after:)``.
  public var token: ResumeToken { step.read { $0.pointee.targetToken } }

  /// The name of the state that the difference starts from; `nil` in a reset.
  ///
  /// A renderer in another process that keeps the token of what it shows can tell whether a batch
  /// continues from there.
  package var baseToken: ResumeToken? { step.read { $0.pointee.baseToken } }
}

extension UpdateBatch {
  /// Creates the batch that a source would make of a change, for tests and for hosts of your own.
  ///
  /// The marks of the new state are in the difference, and its renames in ``renamedItems``.
  ///
  /// - Parameters:
  ///   - previous: The state before.
  ///   - snapshot: The state after.
  ///   - epoch: The epoch of the revisions. All batches created without one share an epoch, so one
  ///     can continue another.
  ///   - base: The revision of the state before.
  ///   - presentation: How to show the change.
  /// - Throws: ``SnapshotError`` if an identifier appears twice in one of the states.
  /// - Complexity: The same as ``Snapshot/difference(from:)``.
  public init(
    from previous: Snapshot<SectionID, ItemID>, to snapshot: Snapshot<SectionID, ItemID>,
    epoch: Epoch? = nil, base: Revision = Revision(1),
    presentation: Presentation = .animated
  ) throws(SnapshotError) {
    let difference = try snapshot.difference(from: previous)
    self.init(
      epoch: epoch ?? Epoch(high: 0, low: 0), base: base, target: base.next, difference: difference,
      previousSnapshot: previous, snapshot: snapshot, presentation: presentation)
    let notes = snapshot.marks.rowNotes
    if !notes.isEmpty { self.notes = TypedRevisionNotes(.init(marks: notes)) }
  }
}

extension UpdateBatch: CustomStringConvertible {
  /// The batch in compact notation: its revisions, what changed, and the new state.
  ///
  /// For example `r3→r4 -0:1 +0:3 ⇒ main[a c d e]`, or `reset→r4 ⇒ main[a]`.
  public var description: String {
    let start = base.map { "\($0)" } ?? "reset"
    let changes = base == nil ? "" : " \(difference)"
    return "\(start)→\(target)\(changes) ⇒ \(snapshot)\(names)\(drops)"
  }

  private var names: String {
    renamedItems.isEmpty
      ? "" : ", renamed: " + renamedItems.map(\.description).joined(separator: " ")
  }

  private var drops: String {
    let dropped = droppedSections.map { "§\($0)" } + droppedItems.map { "\($0)" }
    return dropped.isEmpty ? "" : ", dropped: " + dropped.joined(separator: " ")
  }
}

extension UpdateBatch: ListBatch {
  /// The batch itself.
  public var update: Self { self }

  /// The item itself, if it is there.
  public static func element(
    for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>
  ) -> ItemID? {
    snapshot.containsItem(item) ? item : nil
  }

  /// The same batch.
  public init(_ update: Self) { self = update }

  /// Runs an edit, which has no models to give.
  public static func _edit<Result>(
    _ snapshot: inout Snapshot<SectionID, ItemID>,
    _ given: inout _GivenContent<SectionID, ItemID>, renamed: [ItemRename<ItemID>],
    _ body: (inout Snapshot<SectionID, ItemID>) throws -> Result
  ) throws -> Result {
    guard !renamed.isEmpty else { return try body(&snapshot) }
    return try snapshot.edit(renamed: renamed, body)
  }
}
