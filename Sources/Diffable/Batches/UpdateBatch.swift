/// One step for a renderer: what changed since the state that it shows, and the state to show now.
///
/// A batch either starts from scratch (``base`` is `nil`: show ``snapshot``), or leads from the
/// revision that this subscriber took last to a newer one. There may be any number of revisions in
/// between.
public struct UpdateBatch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The epoch of the revisions ``base`` and ``target``.
  public var epoch: Epoch
  /// The revision that the difference starts from; if `nil`, show ``snapshot`` from scratch.
  public var base: Revision?
  /// The revision of ``snapshot``.
  public var target: Revision
  /// What changed; empty in a reset.
  public var difference: SnapshotDifference
  /// The state before this batch, for renderers that show what is deleted; `nil` in a reset.
  public var previousSnapshot: Snapshot<SectionID, ItemID>?
  /// The state after this batch.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// The strongest presentation among the revisions of this batch.
  public var presentation: Presentation
  /// The items that writers gave other identifiers; in a reset as well.
  ///
  /// If ``snapshot`` has the new identifier of an entry and not the old one, the row is the same,
  /// and what a renderer keeps by identifier continues under the new one. Ignore other entries: the
  /// row has been deleted since, or the old identifier is in use again.
  public var renamedItems: [ItemRename<ItemID>]
  /// The items that the duplicates policy dropped, one entry for each place.
  public var droppedItems: [ItemID]
  /// The sections that the duplicates policy dropped, one entry for each place.
  public var droppedSections: [SectionID]
  /// The items that show a change which the log has not accepted yet, in an ``OptimisticSource``.
  ///
  /// An item that becomes confirmed is reconfigured, so that a renderer can show the difference.
  public var unconfirmedItems: Set<ItemID>

  package init(
    epoch: Epoch, base: Revision?, target: Revision, difference: SnapshotDifference,
    previousSnapshot: Snapshot<SectionID, ItemID>?, snapshot: Snapshot<SectionID, ItemID>,
    presentation: Presentation, renamedItems: [ItemRename<ItemID>] = [],
    droppedItems: [ItemID] = [], droppedSections: [SectionID] = [],
    unconfirmedItems: Set<ItemID> = []
  ) {
    self.epoch = epoch
    self.base = base
    self.target = target
    self.difference = difference
    self.previousSnapshot = previousSnapshot
    self.snapshot = snapshot
    self.presentation = presentation
    self.renamedItems = renamedItems
    self.droppedItems = droppedItems
    self.droppedSections = droppedSections
    self.unconfirmedItems = unconfirmedItems
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
