public import Diffable

/// An app's handlers for rows of an outline that the user expands and collapses.
///
/// The members have Apple's names, and are called on the main actor.
public struct ExpansionHandlers<ItemIdentifierType: Hashable & Sendable> {
  /// Whether an item may be expanded; without it, every item may.
  public var shouldExpandItem: ((ItemIdentifierType) -> Bool)?
  /// Called with an item that is about to be expanded.
  public var willExpandItem: ((ItemIdentifierType) -> Void)?
  /// Whether an item may be collapsed; without it, every item may.
  public var shouldCollapseItem: ((ItemIdentifierType) -> Bool)?
  /// Called with an item that is about to be collapsed.
  public var willCollapseItem: ((ItemIdentifierType) -> Void)?
  /// Returns the new content of an item that is about to be expanded, given its current content.
  public var snapshotForExpandingParent:
    ((ItemIdentifierType, Outline<ItemIdentifierType>) -> Outline<ItemIdentifierType>)?

  /// Creates handlers that allow everything.
  public init() {}
}
