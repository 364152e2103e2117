public import Diffable

/// What an app has to say about rows of an outline that the user folds and unfolds.
///
/// The members have Apple's names, and are asked and told on the main actor.
public struct ExpansionHandlers<ItemIdentifierType: Hashable & Sendable> {
  /// Answers whether an item may be expanded; without it, every item may.
  public var shouldExpandItem: ((ItemIdentifierType) -> Bool)?
  /// Is told of an item that is about to be expanded.
  public var willExpandItem: ((ItemIdentifierType) -> Void)?
  /// Answers whether an item may be collapsed; without it, every item may.
  public var shouldCollapseItem: ((ItemIdentifierType) -> Bool)?
  /// Is told of an item that is about to be collapsed.
  public var willCollapseItem: ((ItemIdentifierType) -> Void)?
  /// Answers what an item that is about to be expanded holds, given what it holds now.
  public var snapshotForExpandingParent:
    ((ItemIdentifierType, Outline<ItemIdentifierType>) -> Outline<ItemIdentifierType>)?

  /// Creates handlers that let everything happen.
  public init() {}
}
