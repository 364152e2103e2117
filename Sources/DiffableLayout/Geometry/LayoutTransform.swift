/// An affine transform that a visible-items handler gives an element (Apple: `CGAffineTransform`).
///
/// A point is mapped to `(a·x + c·y + tx, b·x + d·y + ty)`, relative to the centre of the element.
public struct LayoutTransform: Hashable, Sendable {
  /// The factor from x to x.
  public var a: Double

  /// The factor from x to y.
  public var b: Double

  /// The factor from y to x.
  public var c: Double

  /// The factor from y to y.
  public var d: Double

  /// The distance added to x.
  public var tx: Double

  /// The distance added to y.
  public var ty: Double

  /// The transform that changes nothing.
  public static let identity = LayoutTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// Creates a transform from its six numbers.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The mirror image of the transform.
  var mirrored: LayoutTransform {
    LayoutTransform(a: a, b: -b, c: -c, d: d, tx: -tx, ty: ty)
  }

  /// Creates a transform that scales about the centre.
  public init(scale: Double) {
    self.init(a: scale, b: 0, c: 0, d: scale, tx: 0, ty: 0)
  }

  /// Creates a transform that moves elements.
  public init(translationX x: Double, y: Double) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }
}
