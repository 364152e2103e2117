public import DiffableLayout

extension CompositionalLayout {
  /// Describes what lists in a terminal usually are: one item below the other, each of some rows, and
  /// a line above each section if it is to have a header.
  ///
  /// A point is a character here: layouts for a ``TerminalList`` count columns and rows.
  ///
  /// - Parameters:
  ///   - height: The rows of an item.
  ///   - headerKind: The kind of the line above each section; `nil` for no such line. It stays in
  ///     sight as long as something of its section does.
  public static func rows(height: Int = 1, headerKind: String? = nil) -> CompositionalLayout {
    let size = LayoutSize(width: .fractionalWidth(1), height: .absolute(Double(max(1, height))))
    var section = LayoutSection(
      group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
    if let headerKind {
      section.boundarySupplementaryItems = [.line(headerKind)]
    }
    return CompositionalLayout(section: section)
  }
}

extension LayoutBoundarySupplementaryItem {
  /// Describes a header of one line that stays in sight as long as something of its section does.
  public static func line(_ elementKind: String) -> LayoutBoundarySupplementaryItem {
    var header = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(1)),
      elementKind: elementKind, alignment: .top)
    header.pinToVisibleBounds = true
    return header
  }
}
