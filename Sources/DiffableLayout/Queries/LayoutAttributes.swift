/// The attributes of one element (Apple: `UICollectionViewLayoutAttributes`).
public struct LayoutAttributes: Hashable, Sendable {
  /// The element.
  public let element: LayoutElement

  /// The frame in content coordinates.
  public var frame: LayoutRect

  /// The drawing order: higher is nearer.
  public var zIndex: Int

  /// The opacity, from 0 to 1.
  public var alpha: Double

  /// The transform of the element about the centre of its frame.
  public var transform: LayoutTransform

  /// Whether the element is not drawn at all.
  public var isHidden: Bool

  init(element: LayoutElement, frame: LayoutRect, zIndex: Int) {
    self.element = element
    self.frame = frame
    self.zIndex = zIndex
    self.alpha = 1
    self.transform = .identity
    self.isHidden = false
  }
}
