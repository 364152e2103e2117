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
