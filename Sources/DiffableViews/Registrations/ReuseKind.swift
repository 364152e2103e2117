/// A kind of views that a list can reuse for one another.
///
/// A host stores views that have left the screen by ``identifier`` and returns them again for the
/// same kind. A registration makes its kind; only a host has to read it.
@MainActor
public struct ReuseKind {
  /// The name of the kind, different from that of every other registration.
  public let identifier: String
  /// The kind of supplementary view, such as `header`; `nil` for cells.
  public let elementKind: String?
  /// The type of the views.
  public let viewType: any AnyObject.Type
  /// Makes a view, if the type alone is not enough.
  public let make: (@MainActor () -> AnyObject)?

  private static var count = 0

  init(
    elementKind: String? = nil, viewType: any AnyObject.Type, make: (@MainActor () -> AnyObject)?
  ) {
    Self.count += 1
    identifier = "\(viewType)-\(Self.count)"
    self.elementKind = elementKind
    self.viewType = viewType
    self.make = make
  }
}
