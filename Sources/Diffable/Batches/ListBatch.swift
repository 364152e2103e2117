/// One step for a renderer of any source: an ``UpdateBatch``, with or without models.
public protocol ListBatch<SectionID, ItemID>: Sendable {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable

  /// What the list shows for an item: its identifier, or its model.
  associatedtype Element: Sendable
  /// What an edit of such a list changes: the snapshot, or a draft of order and models.
  associatedtype Draft

  /// The changes of the order, the rows and headers that show something else, and both states.
  var update: UpdateBatch<SectionID, ItemID> { get }

  /// What a state of a source of this kind shows for an item, or `nil` if the item does not exist.
  ///
  /// Ask for a state that a source has given. A copy that was edited since has the models of some rows only.
  ///
  /// - Complexity: The same as ``Snapshot/itemPath(for:)``.
  static func element(for item: ItemID, in snapshot: Snapshot<SectionID, ItemID>) -> Element?

  /// Creates the batch for an update of a source of this kind, such as a preview of a drag.
  init(_ update: UpdateBatch<SectionID, ItemID>)

  /// Runs an edit on a state and on the models given in it.
  ///
  /// The edit knows items under the old names of these renames.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  static func _edit<Result>(
    _ snapshot: inout Snapshot<SectionID, ItemID>,
    _ given: inout _GivenContent<SectionID, ItemID>, renamed: [ItemRename<ItemID>],
    _ body: (inout Draft) throws -> Result
  ) throws -> Result
}

extension ListBatch {
  /// The revision that the difference starts from; if `nil`, show ``snapshot`` from scratch.
  public var base: Revision? { update.base }
  /// The revision of ``snapshot``.
  public var target: Revision { update.target }
  /// The name of the state that this batch leads to, see ``UpdateBatch/token``.
  public var token: ResumeToken { update.token }
  /// What changed; empty in a reset.
  public var difference: SnapshotDifference { update.difference }
  /// The state before this batch; `nil` in a reset.
  public var previousSnapshot: Snapshot<SectionID, ItemID>? { update.previousSnapshot }
  /// The state after this batch.
  public var snapshot: Snapshot<SectionID, ItemID> { update.snapshot }
  /// The strongest presentation among the revisions of this batch.
  public var presentation: Presentation { update.presentation }
}
