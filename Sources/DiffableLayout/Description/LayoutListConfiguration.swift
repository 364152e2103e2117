/// The description of a list section (Apple: `UICollectionLayoutListConfiguration`).
///
/// The insets and estimates come from UIKit on the Mac; the iPhone's values are not recorded.
/// Separators, swipe actions and accessories belong to views, not to the layout.
public struct LayoutListConfiguration: Hashable, Sendable {
  /// The appearance of a list.
  public enum Appearance: String, Hashable, Sendable, CaseIterable {
    /// Rows from edge to edge, pinned headers.
    case plain
    /// Rows from edge to edge, in groups.
    case grouped
    /// Rows in groups with margins at the sides.
    case insetGrouped
    /// Rows of a sidebar.
    case sidebar
    /// Rows of a sidebar, pinned headers.
    case sidebarPlain
  }

  /// The header of a section.
  public enum HeaderMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// A supplementary view.
    case supplementary
    /// The first item of the section.
    case firstItemInSection
  }

  /// The footer of a section.
  public enum FooterMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// A supplementary view.
    case supplementary
  }

  /// The element kind of list headers.
  public static let headerKind = "header"

  /// The element kind of list footers.
  public static let footerKind = "footer"

  /// The appearance of the list.
  public var appearance: Appearance

  /// The header of a section.
  public var headerMode: HeaderMode

  /// The footer of a section.
  public var footerMode: FooterMode

  /// The height of a row until it has been measured, in points.
  public var estimatedRowHeight: Double

  /// Creates the description of a list without headers and footers.
  public init(
    appearance: Appearance, headerMode: HeaderMode = .none, footerMode: FooterMode = .none
  ) {
    self.appearance = appearance
    self.headerMode = headerMode
    self.footerMode = footerMode
    self.estimatedRowHeight = 44
  }
}
