/// A view behind a section that belongs to no datum (Apple: `NSCollectionLayoutDecorationItem`).
public struct LayoutDecorationItem: Hashable, Sendable {
  /// The name of the kind of view.
  public var elementKind: String

  /// The distances by which the view is smaller than the section.
  public var contentInsets: LayoutInsets

  /// The order of drawing, 0 unless set.
  ///
  /// Cells of a section with decorations are drawn at 1.
  public var zIndex: Int

  /// Describes a view behind a whole section, its insets, header and footer included.
  public static func background(
    elementKind: String, contentInsets: LayoutInsets = .zero, zIndex: Int = 0
  ) -> LayoutDecorationItem {
    LayoutDecorationItem(elementKind: elementKind, contentInsets: contentInsets, zIndex: zIndex)
  }
}
