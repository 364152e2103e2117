/// Which views of a list can stand in for one another.
///
/// A host keeps views that have left the screen by ``identifier`` and hands them out again for
/// others of the same kind. A registration makes its kind; only a host has to look inside.
@MainActor
public struct ReuseKind {
  /// What names the kind, different from that of every other registration.
  public let identifier: String
  /// What kind of supplementary view it is, such as `header`; `nil` for cells.
  public let elementKind: String?
  /// The type of the views.
  public let viewType: any AnyObject.Type
  /// Makes a view, where the type alone does not say how.
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
