/// A view behind a section that shows no item (Apple: `NSCollectionLayoutDecorationItem`).
public struct LayoutDecorationItem: Hashable, Sendable {
  /// The name of the kind of view.
  public var elementKind: String

  /// The distances by which the view is smaller than the section.
  public var contentInsets: LayoutInsets

  /// The drawing order, 0 by default.
  ///
  /// Cells of a section with decorations are drawn at 1.
  public var zIndex: Int

  /// Describes a view behind a whole section, including its insets, header and footer.
  public static func background(
    elementKind: String, contentInsets: LayoutInsets = .zero, zIndex: Int = 0
  ) -> LayoutDecorationItem {
    LayoutDecorationItem(elementKind: elementKind, contentInsets: contentInsets, zIndex: zIndex)
  }
}
