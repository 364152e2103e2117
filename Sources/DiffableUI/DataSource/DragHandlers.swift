public import Diffable

/// What an app has to say about items that the user drags in a list.
///
/// The members have Apple's names, and are asked and told on the main actor.
public struct DragHandlers<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
  /// Answers whether an item may be dragged; without it, none may.
  public var canReorderItem: (@MainActor (ItemIdentifierType) -> Bool)?
  /// Is told of a drop that the source has taken over: the place to change the model.
  public var didReorder:
    (@MainActor (Transaction<SectionIdentifierType, ItemIdentifierType>) -> Void)?

  /// Creates handlers that let nothing be dragged.
  public init() {}
}
