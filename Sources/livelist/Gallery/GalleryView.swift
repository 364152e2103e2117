import Diffable
import DiffableQueries
import DiffableTerminal
import DiffableViews

/// The gallery in a terminal: a search field above the list, and a line with keys below it.
@MainActor
final class GalleryView: SearchScreen {
  /// How long an exhibit shows a recent change.
  static let moment = Duration.milliseconds(1200)

  let list: TerminalList
  let controller: ListController<GallerySection, ExhibitID, TerminalList>
  /// The source that the list shows.
  let found: FoundGallery
  var field = SearchField()
  var keyPage: KeyPage?

  nonisolated static let keyTables: [KeyTable<GalleryView>] = [
    KeyTable(
      "Keys", if: { !$0.field.isEditing },
      [
        .quit(), .help, .search,
        .list(
          [.left, .down, .up, .right], or: Key.typing("hjkl"), hint: KeyHint(5, "focus"),
          help: "move the focus; banners and films scroll with it"),
        .list(
          [.enter], hint: KeyHint(6, "select"), help: "select the exhibit (★), or no longer"),
      ] + KeyBinding<GalleryView>.far() + [.escape]),
    .search,
  ]

  init(_ source: GallerySource, now: (@MainActor () -> ContinuousClock.Instant)? = nil) {
    let list = TerminalList(
      size: TerminalSize(columns: 0, rows: 0), layout: GalleryLayout.layout, now: now)
    list.changeMarkDuration = GalleryView.moment
    self.list = list
    let found = source.derived { $0.found(by: SearchQuery("")) }
    self.found = found
    let cells = ExhibitCells()
    controller = ListController(host: list, following: found) { dequeuer, path, exhibit in
      switch exhibit.content {
      case .banner(let banner):
        try dequeuer.dequeueConfiguredReusableCell(using: cells.banners, for: path, item: banner)
      case .photo(let photo):
        try dequeuer.dequeueConfiguredReusableCell(using: cells.photos, for: path, item: photo)
      case .film(let film):
        try dequeuer.dequeueConfiguredReusableCell(using: cells.films, for: path, item: film)
      }
    }
    controller.supplementaryProviders[GalleryLayout.headerKind] = {
      [weak self] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: cells.headers, for: path,
        model: { self?.header(of: section) ?? StyledText() })
    }
    controller.supplementaryProviders[GalleryLayout.pagerKind] = { [weak list] views, path, _ in
      try views.dequeueConfiguredReusableSupplementary(
        using: cells.pagers, for: path,
        model: { list?.orthogonalPage(ofSection: path.section) })
    }
  }

  /// Shows the results of a search, now and while others write.
  func search(for query: SearchQuery) async {
    // The user wants to see the results, not the deletions. A finished gallery keeps its last
    // state.
    try? await found.setQuery(presentation: .immediate) { $0.found(by: query) }
  }

  /// Waits until the newest exhibits are on the screen.
  func showNewest() async {
    _ = await found.snapshot
    await controller.displayed(found.revision)
  }

  // MARK: Drawing

  /// The screen for a size; the list gets the space that title, field and keys leave.
  func screen(_ size: TerminalSize) -> Screen {
    let line = field.line(columns: size.columns, placeholder: "/ search the gallery")
    let least = 6
    let notice = notice(
      ofMany: "exhibits", found: controller.snapshot.numberOfItems, columns: size.columns)
    return screen(size, below: [title(size), line], from: least, notice: notice) {
      // What is searched is seen somewhere.
      size.rows < least && (field.isEditing || !field.text.isEmpty)
        ? line : hints.line(columns: size.columns)
    }
  }

  private func title(_ size: TerminalSize) -> StyledText {
    var line = StyledText(" livelist gallery ", TextStyle(color: .cyan, isBold: true))
    let all = GallerySection.allCases.reduce(0) { $0 + (controller.sectionModel(for: $1) ?? 0) }
    let found = controller.snapshot.numberOfItems
    line.append(field.query.isEmpty ? "  \(all) exhibits" : "  \(found) of \(all) exhibits")
    if let revision = controller.revision { line.append("   \(revision)", .dim) }
    return line
  }

  private func header(of section: GallerySection) -> StyledText {
    var line = StyledText(" \(section.title)", TextStyle(color: .blue, isBold: true))
    let found = controller.snapshot.items(inSection: section).count
    let all = controller.sectionModel(for: section) ?? 0
    line.append(found == all ? "  \(all)" : "  \(found) of \(all)", .dim)
    return line
  }
}

/// The three types of cells, and the lines between them.
@MainActor
private struct ExhibitCells {
  let banners = CellRegistration<TerminalCell, Banner> { cell, _, banner in
    cell.drawing = { ExhibitDrawing.lines(banner, $0, $1) }
  }
  let photos = CellRegistration<TerminalCell, Photo> { cell, _, photo in
    cell.drawing = { ExhibitDrawing.lines(photo, $0, $1) }
  }
  let films = CellRegistration<TerminalCell, Film> { cell, _, film in
    cell.drawing = { ExhibitDrawing.lines(film, $0, $1) }
  }
  let headers = SupplementaryRegistration<TerminalCell, @MainActor () -> StyledText>(
    elementKind: GalleryLayout.headerKind
  ) { view, _, line in
    view.drawing = { _, _ in [line()] }
  }
  let pagers = SupplementaryRegistration<TerminalCell, @MainActor () -> OrthogonalPage?>(
    elementKind: GalleryLayout.pagerKind
  ) { view, _, page in
    view.drawing = { size, _ in [ExhibitCells.dots(page(), size)] }
  }

  /// One dot for each page.
  private static func dots(_ page: OrthogonalPage?, _ size: TerminalSize) -> StyledText {
    guard let page, page.count > 1 else { return StyledText() }
    var dots = StyledText()
    for index in 0..<page.count {
      dots.append(index == page.index ? "● " : "○ ", index == page.index ? .bold : .dim)
    }
    let margin = max(0, size.columns - dots.columnCount) / 2
    return StyledText(String(repeating: " ", count: margin)) + dots
  }
}
