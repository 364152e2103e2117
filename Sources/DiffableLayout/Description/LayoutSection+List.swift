extension LayoutSection {
  /// Describes a list: rows of full width whose height is measured.
  public static func list(using configuration: LayoutListConfiguration) -> LayoutSection {
    let row = LayoutSize(
      width: .fractionalWidth(1), height: .estimated(configuration.estimatedRowHeight))
    var section = LayoutSection(
      group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
    section.contentInsets = configuration.contentInsets
    section.contentInsetsReference = .none
    if configuration.headerMode == .supplementary {
      section.boundarySupplementaryItems.append(
        configuration.boundaryItem(LayoutListConfiguration.headerKind, alignment: .top))
    }
    if configuration.footerMode == .supplementary {
      section.boundarySupplementaryItems.append(
        configuration.boundaryItem(LayoutListConfiguration.footerKind, alignment: .bottom))
    }
    return section
  }
}

extension LayoutListConfiguration {
  /// The margin of a sidebar: 10 points of the iPad idiom, which the Mac draws at 77 %.
  private static let sidebarMargin = 10 / 0.77

  /// Whether headers and footers are pinned.
  private var isPlain: Bool { appearance == .plain || appearance == .sidebarPlain }

  /// The insets of a section with this appearance, as recorded from UIKit.
  fileprivate var contentInsets: LayoutInsets {
    let side = Self.sidebarMargin
    switch appearance {
    case .plain:
      return LayoutInsets(top: headerMode == .firstItemInSection ? 22 : 0)
    case .grouped, .insetGrouped:
      let margin: Double = appearance == .grouped ? 0 : 16
      return LayoutInsets(
        top: headerMode == .none ? 35 : 0, leading: margin,
        bottom: footerMode == .none ? 20 : 0, trailing: margin)
    case .sidebar:
      return LayoutInsets(
        leading: side, bottom: footerMode == .none ? 10 : 0, trailing: side)
    case .sidebarPlain:
      return LayoutInsets(leading: side, trailing: side)
    }
  }

  /// The header or footer of a section with this appearance.
  fileprivate func boundaryItem(
    _ kind: String, alignment: RectAlignment
  ) -> LayoutBoundarySupplementaryItem {
    var item = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(
        width: .fractionalWidth(1), height: .estimated(isPlain ? 28 : 17.5)),
      elementKind: kind, alignment: alignment)
    item.pinToVisibleBounds = isPlain
    item.zIndex = 200
    return item
  }
}
