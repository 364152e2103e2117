public import Diffable

/// The position of an item in the visible part of a list, so that it can be restored.
public struct ListAnchor: Hashable, Sendable {
  /// The item's path, in the state that the anchor is for.
  public var path: ItemPath
  /// The distance from the start of the visible part to the item, in units of the host.
  ///
  /// It is negative if the item begins before the visible part.
  public var position: Double

  /// Creates an anchor of an item and its position.
  public init(path: ItemPath, position: Double) {
    self.path = path
    self.position = position
  }
}
