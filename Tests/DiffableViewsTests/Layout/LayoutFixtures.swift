import Diffable
import DiffableLayout
import Synchronization

/// Full-width rows of estimated height under a header that is measured too.
func list() -> LayoutSection {
  let row = LayoutSize(width: .fractionalWidth(1), height: .estimated(44))
  var section = LayoutSection(
    group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
  section.boundarySupplementaryItems = [
    LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .estimated(20)),
      elementKind: "header", alignment: .top)
  ]
  return section
}

/// Rows of two, which are as high as the higher one.
func pairs() -> LayoutSection {
  let cell = LayoutSize(width: .fractionalWidth(0.5), height: .estimated(44))
  let row = LayoutSize(width: .fractionalWidth(1), height: .estimated(44))
  var section = LayoutSection(
    group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: cell)]))
  section.boundarySupplementaryItems = list().boundarySupplementaryItems
  return section
}

/// Columns of two that scroll across the list, which is as high as the highest one there.
func shelf() -> LayoutSection {
  let cell = LayoutSize(width: .fractionalWidth(1), height: .estimated(44))
  let column = LayoutSize(width: .absolute(90), height: .estimated(88))
  var section = LayoutSection(
    group: .vertical(
      layoutSize: column, repeatingSubitem: LayoutItem(layoutSize: cell), count: 2))
  section.orthogonalScrollingBehavior = .groupPaging
  section.boundarySupplementaryItems = list().boundarySupplementaryItems
  return section
}

let phone = LayoutEnvironment(width: 320, height: 480, scale: 2)

func header(_ section: Int) -> LayoutElement {
  .supplementary(kind: "header", LayoutPath(section: section, item: 0))
}

extension SolvedLayout {
  /// The frames of all elements.
  var frames: [LayoutElement: LayoutRect] {
    let everywhere = LayoutRect(x: -1e7, y: -1e7, width: 2e7, height: 2e7)
    return Dictionary(uniqueKeysWithValues: elements(in: everywhere).map { ($0.element, $0.frame) })
  }
}

/// Counts calls, from any thread.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func count() { number.add(1, ordering: .relaxed) }
}
