/// The description of a list section (Apple: `UICollectionLayoutListConfiguration`).
///
/// The insets and estimates are those that UIKit uses on the Mac; the ones of the iPhone are not
/// recorded. Separators, swipe actions and accessories are a matter of views, not of layout.
public struct LayoutListConfiguration: Hashable, Sendable {
  /// The look of a list.
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

  /// What stands at the top of a section.
  public enum HeaderMode: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// A supplementary view.
    case supplementary
    /// The first item of the section.
    case firstItemInSection
  }

  /// What stands at the bottom of a section.
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

  /// The look of the list.
  public var appearance: Appearance

  /// What stands at the top of a section.
  public var headerMode: HeaderMode

  /// What stands at the bottom of a section.
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
