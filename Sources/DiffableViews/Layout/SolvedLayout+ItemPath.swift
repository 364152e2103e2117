public import Diffable
public import DiffableLayout

extension LayoutPath {
  /// The layout element of an item's cell.
  public init(_ path: ItemPath) {
    self.init(section: path.section, item: path.item)
  }
}

extension LayoutElement {
  /// The path of the item whose cell the element is; `nil` for any other view.
  public var itemPath: ItemPath? {
    guard case .item(let path) = self else { return nil }
    return ItemPath(section: path.section, item: path.item)
  }
}

extension SolvedLayout {
  /// The frame of an item's cell; `nil` if there is no such item, or no room for any.
  ///
  /// - Parameter path: A path of the state of this layout.
  /// - Complexity: O(log sections + log measured groups).
  public func frame(for path: ItemPath) -> LayoutRect? {
    frame(for: LayoutPath(path))
  }

  /// All attributes of an item's cell, without scrolling and pinning.
  ///
  /// - Parameter path: A path of the state of this layout.
  /// - Complexity: O(log sections + log measured groups).
  public func attributes(for path: ItemPath) -> LayoutAttributes? {
    attributes(for: .item(LayoutPath(path)))
  }

  /// The size proposal for an item's cell; `nil` if its size does not depend on the measured size.
  ///
  /// - Parameter path: A path of the state of this layout.
  /// - Complexity: O(log sections + log measured groups).
  public func sizeProposal(for path: ItemPath) -> SizeProposal? {
    sizeProposal(for: .item(LayoutPath(path)))
  }

  /// Applies the measured size of an item's cell.
  ///
  /// - Parameters:
  ///   - size: The measured size. Only the lengths on estimated axes are used; `nil` restores the
  ///     estimate.
  ///   - path: A path of the state of this layout.
  ///   - anchor: What must not move on the screen.
  /// - Returns: What has changed, with the scroll correction for the anchor.
  /// - Throws: ``/DiffableLayout/LayoutError`` if there is no such item, its size is not estimated,
  ///   the size is not a number, or the content would be too long for numbers. The layout is unchanged then.
  /// - Complexity: O(slots of the group + log groups + log sections); in a waterfall
  ///   O(items after it).
  @discardableResult
  public mutating func setMeasuredSize(
    _ size: LayoutExtent?, of path: ItemPath, anchor: ScrollAnchor = .none
  ) throws(LayoutError) -> LayoutChange {
    try setMeasuredSize(size, of: .item(LayoutPath(path)), anchor: anchor)
  }
}
