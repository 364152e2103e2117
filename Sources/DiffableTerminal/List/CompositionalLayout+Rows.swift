public import DiffableLayout

extension CompositionalLayout {
  /// Describes a list in a terminal: items one below the other, with optional section headers.
  ///
  /// A point is a character here: layouts for a ``TerminalList`` count columns and rows.
  ///
  /// - Parameters:
  ///   - height: The number of rows of an item.
  ///   - headerKind: The kind of the line above each section; `nil` for no such line. It stays
  ///     visible as long as a part of its section is visible.
  public static func rows(height: Int = 1, headerKind: String? = nil) -> CompositionalLayout {
    rows(.absolute(Double(max(1, height))), headerKind)
  }

  /// Describes a list of items that are as high as their cells have lines.
  ///
  /// - Parameters:
  ///   - estimatedHeight: The number of rows of an item that was not on the screen yet.
  ///   - headerKind: The kind of the line above each section; `nil` for no such line.
  public static func rows(
    estimatedHeight: Int, headerKind: String? = nil
  ) -> CompositionalLayout {
    rows(.estimated(Double(max(1, estimatedHeight))), headerKind)
  }

  private static func rows(_ height: LayoutDimension, _ headerKind: String?) -> CompositionalLayout
  {
    let size = LayoutSize(width: .fractionalWidth(1), height: height)
    var section = LayoutSection(
      group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
    if let headerKind {
      section.boundarySupplementaryItems = [.line(headerKind)]
    }
    return CompositionalLayout(section: section)
  }
}

extension LayoutBoundarySupplementaryItem {
  /// Describes a header of one line that stays visible as long as a part of its section is visible.
  public static func line(_ elementKind: String) -> LayoutBoundarySupplementaryItem {
    var header = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(1)),
      elementKind: elementKind, alignment: .top)
    header.pinToVisibleBounds = true
    return header
  }
}
