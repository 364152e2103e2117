// compiles
import DiffableLayout

nonisolated enum Style: Hashable { case rows, grid }

nonisolated func section(_ style: Style) -> LayoutSection {
  let width: LayoutDimension = style == .grid ? .fractionalWidth(0.5) : .fractionalWidth(1)
  let item = LayoutItem(layoutSize: LayoutSize(width: width, height: .fractionalHeight(1)))
  let size = LayoutSize(width: .fractionalWidth(1), height: .absolute(44))
  return LayoutSection(group: .horizontal(layoutSize: size, subitems: [item]))
}

final class Catalogue {
  var styles: [Style] = [.rows, .grid]
  var frames: [LayoutRect] = []

  var layout: CompositionalLayout {
    let styles = styles
    return CompositionalLayout(id: styles) { index, _ in section(styles[index]) }
  }

  func show(width: Double) throws {
    let environment = LayoutEnvironment(width: width, height: 800, scale: 2)
    let solved = try layout.solve(itemCounts: [3, 4], in: environment)
    let screen = LayoutRect(x: 0, y: 0, width: width, height: 800)
    frames = solved.elements(in: screen).map(\.frame)
  }
}
