/// One step of a renderer: what changed since the state it shows, and the state to show now.
///
/// A batch either starts from scratch (``base`` is `nil`: show ``snapshot``) or leads from the
/// revision that this subscriber took last to a newer one, however many revisions lie between.
public struct UpdateBatch<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The life of the source that ``base`` and ``target`` are revisions of.
  public var epoch: Epoch
  /// The revision the difference starts from; `nil` says: show ``snapshot`` from scratch.
  public var base: Revision?
  /// The revision that ``snapshot`` is.
  public var target: Revision
  /// What changed; empty in a reset.
  public var difference: SnapshotDifference
  /// The state before this batch, for whoever wants to show what leaves; `nil` in a reset.
  public var previousSnapshot: Snapshot<SectionID, ItemID>?
  /// The state after this batch.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// The strongest presentation that a writer asked for among the revisions of this batch.
  public var presentation: Presentation
  /// The items that have got other identifiers, as writers said, in a reset as well.
  ///
  /// Where ``snapshot`` has the new identifier of an entry and not the old one, it is the same row, and
  /// what a renderer keeps by identifier goes on under the new one. Other entries mean nothing: the row
  /// has gone since, or others use the old identifier again.
  public var renamedItems: [ItemRename<ItemID>]
  /// The items that the duplicates policy dropped, one entry for each place.
  public var droppedItems: [ItemID]
  /// The sections that the duplicates policy dropped, one entry for each place.
  public var droppedSections: [SectionID]

  package init(
    epoch: Epoch, base: Revision?, target: Revision, difference: SnapshotDifference,
    previousSnapshot: Snapshot<SectionID, ItemID>?, snapshot: Snapshot<SectionID, ItemID>,
    presentation: Presentation, renamedItems: [ItemRename<ItemID>] = [],
    droppedItems: [ItemID] = [], droppedSections: [SectionID] = []
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
  }
}

extension UpdateBatch {
  /// The name of the state that this batch leads to, outside of the process.
  ///
  /// Store it, or give it to whoever shows the state, to resume after it with
  /// ``ListSource/updates(_:after:)``.
  public var token: ResumeToken { ResumeToken(epoch: epoch, revision: target) }

  /// The name of the state that the difference starts from; `nil` in a reset.
  ///
  /// A renderer elsewhere that keeps the token of what it shows can tell whether a batch goes on
  /// from there.
  public var baseToken: ResumeToken? {
    base.map { ResumeToken(epoch: epoch, revision: $0) }
  }
}
