import DiffableLayout

/// Shorthand for the descriptions of these tests.
func size(_ width: LayoutDimension, _ height: LayoutDimension) -> LayoutSize {
  LayoutSize(width: width, height: height)
}

/// An item that fills a fraction of the width and all of the height.
func cell(_ fraction: Double) -> LayoutItem {
  LayoutItem(layoutSize: size(.fractionalWidth(fraction), .fractionalHeight(1)))
}

/// A section of full-width rows whose height is estimated.
func list(_ estimate: Double = 44) -> LayoutSection {
  let row = size(.fractionalWidth(1), .estimated(estimate))
  return LayoutSection(group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: row)]))
}

/// A section of rows of equal cells.
func grid(columns: Int, height: Double = 40, spacing: Double = 0) -> LayoutSection {
  var row = LayoutGroup.horizontal(
    layoutSize: size(.fractionalWidth(1), .absolute(height)), subitem: cell(1), count: columns)
  row.interItemSpacing = .fixed(spacing)
  var section = LayoutSection(group: row)
  section.interGroupSpacing = spacing
  return section
}

/// A header or footer of full width.
func bar(_ kind: String, _ alignment: RectAlignment, height: Double = 30, pinned: Bool = false)
  -> LayoutBoundarySupplementaryItem
{
  var bar = LayoutBoundarySupplementaryItem(
    layoutSize: size(.fractionalWidth(1), .absolute(height)), elementKind: kind,
    alignment: alignment)
  bar.pinToVisibleBounds = pinned
  return bar
}

let phone = LayoutEnvironment(width: 320, height: 480, scale: 2)

/// Sections of one kind, solved.
func solve(
  _ section: LayoutSection, _ itemCounts: [Int], in environment: LayoutEnvironment = phone
) throws(LayoutError) -> SolvedLayout {
  try CompositionalLayout(section: section).solve(itemCounts: itemCounts, in: environment)
}

extension SolvedLayout {
  /// All elements, wherever they are.
  var everything: [LayoutAttributes] {
    elements(in: LayoutRect(x: -1e7, y: -1e7, width: 2e7, height: 2e7))
  }

  /// All frames by element.
  var frames: [LayoutElement: LayoutRect] {
    Dictionary(uniqueKeysWithValues: everything.map { ($0.element, $0.frame) })
  }
}
