public import Diffable

/// Where an item is in the visible part of a list, so that it can be put there again.
public struct ListAnchor: Hashable, Sendable {
  /// The item's path, in the state that the anchor is for.
  public var path: ItemPath
  /// How far the item begins behind the start of the visible part, in units of the host; negative
  /// for an item that begins before it.
  public var position: Double

  /// Creates an anchor of an item and its position.
  public init(path: ItemPath, position: Double) {
    self.path = path
    self.position = position
  }
}
