/// The view that a frame belongs to.
public enum LayoutElement: Hashable, Sendable {
  /// The cell of an item.
  case item(LayoutPath)

  /// A supplementary view, such as a header, a footer or a badge.
  ///
  /// It belongs to a section, a group, an item or the layout.
  case supplementary(kind: String, LayoutPath)

  /// A view that shows no item.
  case decoration(kind: String, LayoutPath)

  /// The cell of an item.
  public static func item(section: Int, item: Int) -> LayoutElement {
    .item(LayoutPath(section: section, item: item))
  }

  /// The place of the element.
  public var path: LayoutPath {
    switch self {
    case .item(let path), .supplementary(_, let path), .decoration(_, let path): path
    }
  }

  /// The kind of view, `nil` for a cell.
  public var kind: String? {
    switch self {
    case .item: nil
    case .supplementary(let kind, _), .decoration(let kind, _): kind
    }
  }
}

extension LayoutElement: CustomStringConvertible {
  /// A short description of the element: `2.7`, `header 2.0`.
  public var description: String {
    let item = path == .layout ? "layout" : "\(path.item)"
    guard let kind else { return "\(path.section).\(item)" }
    return "\(kind) \(path.section).\(item)"
  }
}
