import DiffableLayout
import DiffableTerminal

/// The layout of the gallery: banners in pages, a grid of up to three columns, and a scrolling row.
enum GalleryLayout {
  static let headerKind = "header"
  static let pagerKind = "pager"

  static let layout = CompositionalLayout(id: "gallery") { index, environment in
    switch GallerySection(rawValue: index) {
    case .banners: banners
    case .photos: photos(width: environment.container.contentSize.width)
    case .films: films
    case nil: nil
    }
  }
  /// The minimum width of a photograph, in characters.
  private static let photoWidth = 18.0

  private static let slot = LayoutItem(
    layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))

  private static var banners: LayoutSection {
    var section = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(5)), subitem: slot,
        count: 1))
    section.orthogonalScrollingBehavior = .paging
    var pager = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(1)),
      elementKind: pagerKind, alignment: .bottom)
    pager.zIndex = 2
    section.boundarySupplementaryItems = [.line(headerKind), pager]
    return section
  }

  private static func photos(width: Double) -> LayoutSection {
    var row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(4)), subitem: slot,
      count: Int(max(1, min(3, width / photoWidth))))
    row.interItemSpacing = .fixed(1)
    return boxes(row)
  }

  private static var films: LayoutSection {
    var section = boxes(
      .horizontal(
        layoutSize: LayoutSize(width: .absolute(24), height: .absolute(4)), subitem: slot, count: 1)
    )
    section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    section.interGroupSpacing = 1
    return section
  }

  /// A section below a header, with a margin.
  private static func boxes(_ group: LayoutGroup) -> LayoutSection {
    var section = LayoutSection(group: group)
    section.contentInsets = LayoutInsets(leading: 1, bottom: 1, trailing: 1)
    section.supplementariesFollowContentInsets = false
    section.boundarySupplementaryItems = [.line(headerKind)]
    return section
  }
}
