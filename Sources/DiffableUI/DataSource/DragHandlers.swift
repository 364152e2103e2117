public import Diffable

/// An app's handlers for items that the user drags in a list.
///
/// The members have Apple's names, and are called on the main actor.
public struct DragHandlers<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// Whether an item may be dragged; without it, no item may be dragged.
  public var canReorderItem: (@MainActor (ItemIdentifierType) -> Bool)?
  /// Called after the source has made the change of a drop: the place to change the model.
  public var didReorder:
    (@MainActor (Transaction<SectionIdentifierType, ItemIdentifierType>) -> Void)?

  /// Called with the reason if an item cannot be moved to where the user drags it.
  ///
  /// The item moves back. The description of the reason is a sentence for the user.
  public var didRefuse: (@MainActor (ReorderRefusal) -> Void)?

  /// Creates handlers that let no item be dragged.
  public init() {}
}
