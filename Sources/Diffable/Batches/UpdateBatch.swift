/// One step for a renderer: what changed since the state that it shows, and the state to show now.
///
/// A batch either starts from scratch (``base`` is `nil`: show ``snapshot``), or leads from the
/// revision that this subscriber took last to a newer one. There may be any number of revisions in
/// between.
public struct UpdateBatch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The epoch of the revisions ``base`` and ``target``.
  public var epoch: Epoch {
    get { contents.fields.epoch }
    set { change { $0.epoch = newValue } }
  }
  /// The revision that the difference starts from; if `nil`, show ``snapshot`` from scratch.
  public var base: Revision? {
    get { contents.fields.base }
    set { change { $0.base = newValue } }
  }
  /// The revision of ``snapshot``.
  public var target: Revision {
    get { contents.fields.target }
    set { change { $0.target = newValue } }
  }
  /// What changed; empty in a reset.
  public var difference: SnapshotDifference {
    get { contents.fields.difference }
    set { change { $0.difference = newValue } }
  }
  /// The state before this batch, for renderers that show what is deleted; `nil` in a reset.
  public var previousSnapshot: Snapshot<SectionID, ItemID>? {
    get { contents.fields.previousSnapshot }
    set { change { $0.previousSnapshot = newValue } }
  }
  /// The state after this batch.
  public var snapshot: Snapshot<SectionID, ItemID> {
    get { contents.fields.snapshot }
    set { change { $0.snapshot = newValue } }
  }
  /// The strongest presentation among the revisions of this batch.
  public var presentation: Presentation {
    get { contents.fields.presentation }
    set { change { $0.presentation = newValue } }
  }
  /// The items that writers gave other identifiers; in a reset as well.
  ///
  /// If ``snapshot`` has the new identifier of an entry and not the old one, the row is the same,
  /// and what a renderer keeps by identifier continues under the new one. Ignore other entries: the
  /// row has been deleted since, or the old identifier is in use again.
  public var renamedItems: [ItemRename<ItemID>] {
    get { contents.fields.renamedItems }
    set { change { $0.renamedItems = newValue } }
  }
  /// The items that the duplicates policy dropped, one entry for each place.
  public var droppedItems: [ItemID] {
    get { contents.fields.droppedItems }
    set { change { $0.droppedItems = newValue } }
  }
  /// The sections that the duplicates policy dropped, one entry for each place.
  public var droppedSections: [SectionID] {
    get { contents.fields.droppedSections }
    set { change { $0.droppedSections = newValue } }
  }
  /// The items that show a change which the log has not accepted yet, in an ``OptimisticSource``.
  ///
  /// An item that becomes confirmed is reconfigured, so that a renderer can show the difference.
  public var unconfirmedItems: Set<ItemID> {
    get { contents.fields.unconfirmedItems }
    set { change { $0.unconfirmedItems = newValue } }
  }

  /// Shared by all copies: a batch goes through many tasks, and by value it takes more than half a
  /// KiB in each.
  private var contents: Contents

  package init(
    epoch: Epoch, base: Revision?, target: Revision, difference: SnapshotDifference,
    previousSnapshot: Snapshot<SectionID, ItemID>?, snapshot: Snapshot<SectionID, ItemID>,
    presentation: Presentation, renamedItems: [ItemRename<ItemID>] = [],
    droppedItems: [ItemID] = [], droppedSections: [SectionID] = [],
    unconfirmedItems: Set<ItemID> = []
  ) {
    contents = Contents(
      Fields(
        epoch: epoch, base: base, target: target, difference: difference,
        previousSnapshot: previousSnapshot, snapshot: snapshot, presentation: presentation,
        renamedItems: renamedItems, droppedItems: droppedItems, droppedSections: droppedSections,
        unconfirmedItems: unconfirmedItems))
  }

  private mutating func change(_ body: (inout Fields) -> Void) {
    var fields = contents.fields
    body(&fields)
    contents = Contents(fields)
  }

  private struct Fields: Sendable, Equatable {
    var epoch: Epoch
    var base: Revision?
    var target: Revision
    var difference: SnapshotDifference
    var previousSnapshot: Snapshot<SectionID, ItemID>?
    var snapshot: Snapshot<SectionID, ItemID>
    var presentation: Presentation
    var renamedItems: [ItemRename<ItemID>]
    var droppedItems: [ItemID]
    var droppedSections: [SectionID]
    var unconfirmedItems: Set<ItemID>
  }

  private final class Contents: Sendable, Equatable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }

    static func == (left: Contents, right: Contents) -> Bool {
      left === right || left.fields == right.fields
    }
  }
}

extension UpdateBatch {
  /// The name of the state that this batch leads to, outside the process.
  ///
  /// Store it, or pass it to the process that shows the state. To resume after that state, use
  /// ``ListSource/updates(_:after:)``.
  public var token: ResumeToken { ResumeToken(epoch: epoch, revision: target) }

  /// The name of the state that the difference starts from; `nil` in a reset.
  ///
  /// A renderer in another process that keeps the token of what it shows can tell whether a batch
  /// continues from there.
  public var baseToken: ResumeToken? {
    base.map { ResumeToken(epoch: epoch, revision: $0) }
  }
}
