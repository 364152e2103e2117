import DiffableLayout
import DiffableTerminal

/// Where the exhibits hang: banners that page, a grid of three columns, and a row that scrolls.
enum GalleryLayout {
  static let headerKind = "header"
  static let pagerKind = "pager"

  static let layout = CompositionalLayout {
    banners
    photos
    films
  }

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

  private static var photos: LayoutSection {
    var row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(4)), subitem: slot,
      count: 3)
    row.interItemSpacing = .fixed(1)
    var section = LayoutSection(group: row)
    section.contentInsets = LayoutInsets(leading: 1, bottom: 1, trailing: 1)
    section.supplementariesFollowContentInsets = false
    section.boundarySupplementaryItems = [.line(headerKind)]
    return section
  }

  private static var films: LayoutSection {
    var section = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .absolute(24), height: .absolute(4)), subitem: slot, count: 1)
    )
    section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    section.interGroupSpacing = 1
    section.contentInsets = LayoutInsets(leading: 1, bottom: 1, trailing: 1)
    section.supplementariesFollowContentInsets = false
    section.boundarySupplementaryItems = [.line(headerKind)]
    return section
  }
}
