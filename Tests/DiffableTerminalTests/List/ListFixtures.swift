import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews

typealias Batches = BatchSequence<Int, Int>
typealias Controller = ListController<Int, Int, TerminalList>

/// Cells that show their numbers, and headers that show those of their sections.
@MainActor
enum Cells {
  static let rows = CellRegistration<TerminalCell, Int> { cell, _, item in
    cell.line = StyledText("\(item)")
  }
  /// As many rows as the last digit says, but one at least.
  static let tall = CellRegistration<TerminalCell, Int> { cell, _, item in
    cell.lines = (0...abs(item) % 3).map { StyledText("\(item).\($0)") }
  }
  static let titles = SupplementaryRegistration<TerminalCell, Int>(elementKind: "header") {
    view, _, section in
    view.line = StyledText("section \(section)")
  }

  static func controller(
    of list: TerminalList, cells registration: CellRegistration<TerminalCell, Int> = rows
  ) -> Controller {
    let controller = Controller(host: list) { cells, path, item in
      try cells.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    }
    controller.supplementaryProviders["header"] = { views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: Self.titles, for: path, model: section)
    }
    return controller
  }
}

/// Layouts of every kind that a list in a terminal has to keep its laws with.
enum Layouts: String, CaseIterable, Sendable {
  case rows
  case headers
  case grid
  case estimated
  case continuous
  case paging
  case centered
  case shelf
  case sideways

  var layout: CompositionalLayout {
    switch self {
    case .rows: return .rows()
    case .headers: return .rows(height: 2, headerKind: "header")
    case .grid: return Self.layout(columns: 3)
    case .estimated: return .rows(estimatedHeight: 1, headerKind: "header")
    case .continuous: return Self.row(width: .absolute(7), .continuous)
    case .paging: return Self.row(width: .fractionalWidth(1), .paging)
    case .centered: return Self.row(width: .fractionalWidth(0.6), .groupPagingCentered)
    case .shelf:
      let item = LayoutItem(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(1)))
      let column = LayoutGroup.vertical(
        layoutSize: LayoutSize(width: .absolute(6), height: .absolute(2)),
        repeatingSubitem: item, count: 2)
      var section = LayoutSection(group: column)
      section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
      section.boundarySupplementaryItems = [.line("header")]
      return CompositionalLayout(section: section)
    case .sideways:
      let size = LayoutSize(width: .absolute(5), height: .fractionalHeight(1))
      var layout = CompositionalLayout(
        section: LayoutSection(
          group: .vertical(layoutSize: size, subitems: [LayoutItem(layoutSize: size)])))
      layout.configuration.scrollDirection = .horizontal
      return layout
    }
  }

  static func layout(columns: Int) -> CompositionalLayout {
    let item = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var section = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(2)), subitem: item,
        count: columns))
    section.boundarySupplementaryItems = [.line("header")]
    return CompositionalLayout(section: section)
  }

  static func row(
    width: LayoutDimension, _ behavior: OrthogonalScrollingBehavior
  ) -> CompositionalLayout {
    let item = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var section = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: width, height: .absolute(1)), subitem: item, count: 1))
    section.orthogonalScrollingBehavior = behavior
    section.boundarySupplementaryItems = [.line("header")]
    return CompositionalLayout(section: section)
  }
}

/// A snapshot of sections that are numbered from 0.
func list(_ sections: [Int]...) throws -> Snapshot<Int, Int> { try list(of: sections) }

func list(of sections: [[Int]]) throws -> Snapshot<Int, Int> {
  var list = Snapshot<Int, Int>()
  for (index, items) in sections.enumerated() {
    list.appendSections([index])
    try list.appendItems(items)
  }
  return list
}

extension BatchSequence<Int, Int> {
  /// The batch to a list of sections that are numbered from 0.
  mutating func next(
    _ sections: [Int]..., presentation: Presentation = .animated
  ) throws -> UpdateBatch<Int, Int> {
    try next(list(of: sections), presentation: presentation)
  }
}

extension TerminalList {
  var texts: [String] { lines.map(\.text) }
}
