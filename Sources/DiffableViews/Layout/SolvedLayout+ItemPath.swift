public import Diffable
public import DiffableLayout

extension LayoutPath {
  /// The place of an item's cell.
  public init(_ path: ItemPath) {
    self.init(section: path.section, item: path.item)
  }
}

extension LayoutElement {
  /// The path of the item that the element is the cell of; `nil` for any other view.
  public var itemPath: ItemPath? {
    guard case .item(let path) = self else { return nil }
    return ItemPath(section: path.section, item: path.item)
  }
}

extension SolvedLayout {
  /// The frame of an item's cell; `nil` where there is no such item, or no room for any.
  ///
  /// - Parameter path: A path of the state that this is the layout of.
  /// - Complexity: O(log sections + log measured groups).
  public func frame(for path: ItemPath) -> LayoutRect? {
    frame(for: LayoutPath(path))
  }

  /// Everything the layout says about an item's cell, where it is when nothing is scrolled or pinned.
  ///
  /// - Parameter path: A path of the state that this is the layout of.
  /// - Complexity: O(log sections + log measured groups).
  public func attributes(for path: ItemPath) -> LayoutAttributes? {
    attributes(for: .item(LayoutPath(path)))
  }

  /// What an item's cell is to be asked; `nil` when its size does not depend on what it answers.
  ///
  /// - Parameter path: A path of the state that this is the layout of.
  /// - Complexity: O(log sections + log measured groups).
  public func sizeProposal(for path: ItemPath) -> SizeProposal? {
    sizeProposal(for: .item(LayoutPath(path)))
  }

  /// Takes over the size that an item's cell has answered.
  ///
  /// - Parameters:
  ///   - size: The answer. Only the lengths on estimated axes are taken from it; `nil` goes back to
  ///     the estimate.
  ///   - path: A path of the state that this is the layout of.
  ///   - anchor: What must not move on the screen.
  /// - Returns: What has changed, with the scroll correction for the anchor.
  /// - Throws: ``/DiffableLayout/LayoutError`` when there is no such item, when its size is not
  ///   estimated, or when the size is not a number. The layout is as it was.
  /// - Complexity: O(slots of the group + log groups + log sections); in a waterfall O(items behind).
  @discardableResult
  public mutating func setMeasuredSize(
    _ size: LayoutExtent?, of path: ItemPath, anchor: ScrollAnchor = .none
  ) throws(LayoutError) -> LayoutChange {
    try setMeasuredSize(size, of: .item(LayoutPath(path)), anchor: anchor)
  }
}
