import Diffable
import DiffableQueries
import DiffableTerminal
import DiffableViews
import Foundation

/// The processes in a terminal: totals and column titles above the list, a line with keys below it.
@MainActor
final class ProcessView: SearchScreen {
  /// How long a row shows a recent change.
  static let moment = Duration.milliseconds(1200)
  static let headerKind = "header"

  let list: TerminalList
  let controller: ListController<ProcessGroup, ProcessID, TerminalList>
  /// The source that the list shows.
  let shown: ProcessList
  /// The number of cores that totals refer to, if it is known.
  let cores: Int?
  /// The metrics of the source.
  let metrics: @MainActor () -> DataSourceMetrics
  var field = SearchField()
  var keyPage: KeyPage?
  /// When each machine that says nothing any longer said its last word.
  var silentMachines: [String: Date] = [:] {
    didSet { setNeedsDisplay() }
  }
  private(set) var arrangement: ProcessArrangement
  /// The sums over all processes, whatever is shown.
  private(set) var summary = ProcessSummary()
  /// The last request of the user; requests are processed one after another.
  private var lastWish: Task<Void, Never>?

  /// - Parameter shown: The source with the query of the arrangement.
  init(
    _ shown: ProcessList, _ arrangement: ProcessArrangement, cores: Int?,
    metrics: @escaping @MainActor () -> DataSourceMetrics = { DataSourceMetrics() },
    now: (@MainActor () -> ContinuousClock.Instant)? = nil
  ) {
    (self.shown, self.arrangement, self.cores) = (shown, arrangement, cores)
    self.metrics = metrics
    let hasHeaders = [.users, .machines].contains(arrangement.grouping)
    let list = TerminalList(
      size: TerminalSize(columns: 0, rows: 0),
      layout: .rows(headerKind: hasHeaders ? ProcessView.headerKind : nil), now: now)
    list.changeMarkDuration = ProcessView.moment
    self.list = list
    let rows = CellRegistration<TerminalCell, ProcessRow> { cell, _, row in
      cell.drawing = { size, state in [row.line(size, state)] }
    }
    let headers = SupplementaryRegistration<TerminalCell, @MainActor (ChangeMark?) -> StyledText>(
      elementKind: ProcessView.headerKind
    ) { view, _, line in
      view.drawing = { _, state in [line(state.mark)] }
    }
    controller = ListController(host: list, following: shown) { cells, path, record in
      let row = ProcessRow(
        record: record, disclosure: cells.disclosure, showsUser: arrangement.grouping != .users)
      return try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: row)
    }
    controller.supplementaryProviders[ProcessView.headerKind] = {
      [weak self] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: headers, for: path,
        model: { self?.header(of: section, $0) ?? StyledText() })
    }
    controller.expansionHandler = { item, isExpanded in
      // Hidden rows are not deleted.
      try await isExpanded
        ? shown.expandItems([item], presentation: .immediate)
        : shown.collapseItems([item], presentation: .immediate)
    }
  }

  /// Waits until a revision is on the screen, and shows the totals for it.
  func show(_ revision: Revision, _ summary: ProcessSummary) async {
    await controller.displayed(revision)
    self.summary = summary
    setNeedsDisplay()
  }

  func search(for query: SearchQuery) async {
    // The user wants to see the results, not the deletions.
    await arrange(.immediate) { $0.search = query }.value
  }

  /// Changes how the processes are shown.
  @discardableResult func arrange(
    _ presentation: Presentation = .animated, _ change: (inout ProcessArrangement) -> Void
  ) -> Task<Void, Never> {
    change(&arrangement)
    setNeedsDisplay()
    let wish = Task { [lastWish, shown, arrangement] in
      await lastWish?.value
      // A list that has finished keeps its last state.
      try? await shown.setQuery(presentation: presentation) { arrangement.query($0) }
    }
    lastWish = wish
    return wish
  }

  /// Expands or collapses the focused row, as the arrows of the list do.
  func toggle() -> Bool {
    guard let path = list.focusedItemPath, let disclosure = controller.disclosure(ofItemAt: path),
      disclosure.isExpandable
    else { return false }
    controller.setExpanded(!disclosure.isExpanded, ofItemAt: path)
    return true
  }
}
