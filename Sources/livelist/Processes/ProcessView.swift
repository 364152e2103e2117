import Diffable
import DiffableTerminal
import DiffableViews

/// The processes in a terminal: totals and column titles above the list, a line with keys below it.
@MainActor
final class ProcessView: ListScreen {
  /// How long a row shows what has happened to it.
  static let moment = Duration.milliseconds(1200)
  static let headerKind = "header"

  let list: TerminalList
  let controller: ListController<ProcessGroup, ProcessID, TerminalList>
  /// What the list shows.
  let shown: ProcessList
  /// The cores that totals refer to.
  let cores: Int
  /// What the source has done so far.
  let metrics: @MainActor () -> DataSourceMetrics
  /// Is called when the screen looks different.
  var changeHandler: @MainActor () -> Void = {}
  var field = SearchField()
  private(set) var arrangement: ProcessArrangement
  /// All processes together, whatever is shown of them.
  private(set) var summary = ProcessSummary()
  /// What the user wanted last; wishes are fulfilled one after the other.
  private var lastWish: Task<Void, Never>?

  /// - Parameter shown: What the query of the arrangement makes of the processes.
  init(
    _ shown: ProcessList, _ arrangement: ProcessArrangement, cores: Int,
    metrics: @escaping @MainActor () -> DataSourceMetrics = { DataSourceMetrics() },
    now: (@MainActor () -> ContinuousClock.Instant)? = nil
  ) {
    (self.shown, self.arrangement, self.cores) = (shown, arrangement, cores)
    self.metrics = metrics
    let hasHeaders = arrangement.grouping == .users
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
        record: record, disclosure: cells.disclosure, showsUser: !hasHeaders)
      return try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: row)
    }
    controller.supplementaryProviders[ProcessView.headerKind] = {
      [weak self] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: headers, for: path,
        model: { self?.header(of: section, $0) ?? StyledText() })
    }
    controller.expansionHandler = { item, isExpanded in
      // Rows that are hidden have not gone.
      try await isExpanded
        ? shown.expandItems([item], presentation: .immediate)
        : shown.collapseItems([item], presentation: .immediate)
    }
    list.changeHandler = { [weak self] in self?.changeHandler() }
  }

  /// Waits until a revision is on the screen, and shows the totals beside it.
  func show(_ revision: Revision, _ summary: ProcessSummary) async {
    await controller.displayed(revision)
    self.summary = summary
    changeHandler()
  }

  func search(for query: SearchQuery) async {
    // Who searches wants to see what there is then, not what goes.
    await arrange(.immediate) { $0.search = query }.value
  }

  // MARK: Keys

  func act(_ key: Key) -> Bool {
    switch key {
    case .character("c"): arrange { $0.order = .cpu }
    case .character("m"): arrange { $0.order = .memory }
    case .character("p"): arrange { $0.order = .pid }
    case .character("i"): arrange(.immediate) { $0.showsIdleKernelThreads.toggle() }
    case .enter: return toggle()
    default: return false
    }
    return true
  }

  /// Shows the processes in another way.
  @discardableResult private func arrange(
    _ presentation: Presentation = .animated, _ change: (inout ProcessArrangement) -> Void
  ) -> Task<Void, Never> {
    change(&arrangement)
    changeHandler()
    let wish = Task { [lastWish, shown, arrangement] in
      await lastWish?.value
      // A list that has finished shows its last state.
      try? await shown.setQuery(presentation: presentation) { arrangement.query($0) }
    }
    lastWish = wish
    return wish
  }

  /// Folds the focused row, or unfolds it, as the arrows of the list do.
  private func toggle() -> Bool {
    guard let path = list.focusedItemPath, let disclosure = controller.disclosure(ofItemAt: path),
      disclosure.isExpandable
    else { return false }
    controller.setExpanded(!disclosure.isExpanded, ofItemAt: path)
    return true
  }
}
