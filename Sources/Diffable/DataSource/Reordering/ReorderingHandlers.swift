/// Where items that the user drags would go.
public enum ReorderDestination<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Hashable, Sendable
{
  /// Before another item, to its section.
  case before(ItemID)
  /// Behind another item, to its section.
  case after(ItemID)
  /// Below an item of an outline, behind its other children.
  case into(ItemID)
  /// Behind the last item of a section.
  case end(of: SectionID)
}

/// What an app has to say about the reordering of its list by the user.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable
{
  /// Answers whether items may go somewhere, or, without a destination, be dragged at all.
  ///
  /// It is given the state that the list would have then. It is asked when a drag begins, for every
  /// place on the way, and before the drop counts; by whoever drags, which can be the main actor.
  public var canReorder: CanReorder

  /// Answers whether a state may come about by a drag of some items.
  public typealias CanReorder =
    @Sendable (
      _ items: [ItemID], _ destination: ReorderDestination<SectionID, ItemID>?,
      _ proposed: Snapshot<SectionID, ItemID>
    ) -> Bool

  /// Is told of a drop that was made, by the task that committed it.
  ///
  /// To change models with the drop, see `dropHandler` of a ``ModelSource``.
  public var didReorder: @Sendable (Transaction<SectionID, ItemID>) -> Void

  /// Creates the handlers; without any, everything may be reordered and nobody is told.
  public init(
    canReorder: @escaping CanReorder = { _, _, _ in true },
    didReorder: @escaping @Sendable (Transaction<SectionID, ItemID>) -> Void = { _ in }
  ) {
    self.canReorder = canReorder
    self.didReorder = didReorder
  }
}
