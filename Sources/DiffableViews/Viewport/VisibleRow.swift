public import Diffable

/// A row in the visible part of a list, and its place in the content.
///
/// A row is an item, also in a grid, where several rows begin at the same place.
public struct VisibleRow: Hashable, Sendable {
  /// The path of the item.
  public var path: ItemPath
  /// From where to where the row is in the content, in units of the host.
  public var span: Range<Double>

  /// Creates a row at a place in the content.
  public init(path: ItemPath, span: Range<Double>) {
    self.path = path
    self.span = span
  }
}

extension Range<Double> {
  var length: Double { upperBound - lowerBound }
}
