/// The place where dragged items would be dropped.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// Before another item, in its section.
  case before(ItemID)
  /// After another item, in its section.
  case after(ItemID)
  /// Below an item of an outline, after its other children.
  case into(ItemID)
  /// At the end of a section.
  case end(of: SectionID)
}

/// An app's handlers for the reordering of its list by the user.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// Whether items may be moved to a destination or, without a destination, be dragged at all.
  ///
  /// It receives the state that the list would have. It is called when a drag begins, for every
  /// proposed place, and before a drop is committed. The caller is the task of the drag, which can
  /// run on the main actor.
  public var canReorder: CanReorder

  /// Whether some items may be dragged so that a state results.
  public typealias CanReorder =
    @Sendable (
      _ items: [ItemID], _ destination: ReorderDestination<SectionID, ItemID>?,
      _ proposed: Snapshot<SectionID, ItemID>
    ) -> Bool

  /// Called for each drop that was made, by the task that committed it.
  ///
  /// To change models with the drop, see `dropHandler` of a ``ModelSource``.
  public var didReorder: @Sendable (Transaction<SectionID, ItemID>) -> Void

  /// Creates the handlers; by default everything may be reordered.
  public init(
    canReorder: @escaping CanReorder = { _, _, _ in true },
    didReorder: @escaping @Sendable (Transaction<SectionID, ItemID>) -> Void = { _ in }
  ) {
    self.canReorder = canReorder
    self.didReorder = didReorder
  }
}
