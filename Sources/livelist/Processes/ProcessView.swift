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
  let controller: ListController<String, ProcessID, TerminalList>
  let feed: SearchFeed<String, ProcessID, ProcessTable.Contents>
  /// The cores that totals refer to.
  let cores: Int
  /// What the source has done so far.
  let metrics: @MainActor () -> DataSourceMetrics
  /// Is called when the screen looks different.
  var changeHandler: @MainActor () -> Void = {}
  /// Does what the user wants of the list; answers what to say about it.
  var wishHandler: @MainActor (ProcessWish) async -> String? = { _ in nil }
  var field = SearchField()
  /// What the user did last, until the next key.
  private(set) var message: String?
  /// What the user wanted last; wishes are fulfilled one after the other.
  private(set) var lastWish: Task<Void, Never>?

  init(
    grouping: ProcessArrangement.Grouping, cores: Int,
    metrics: @escaping @MainActor () -> DataSourceMetrics,
    now: (@MainActor () -> ContinuousClock.Instant)? = nil
  ) {
    self.cores = cores
    self.metrics = metrics
    let list = TerminalList(
      size: TerminalSize(columns: 0, rows: 0),
      layout: .rows(headerKind: grouping == .users ? ProcessView.headerKind : nil), now: now)
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
    let source = Source()
    controller = ListController(host: list) { cells, path, item in
      let row = source.view?.row(of: item, cells.disclosure)
      return try row.map {
        try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: $0)
      }
    }
    feed = SearchFeed(controller: controller) { $2.found(in: $0, by: $1) }
    source.view = self
    controller.supplementaryProviders[ProcessView.headerKind] = {
      [weak self] views, path, section in
      try views.dequeueConfiguredReusableSupplementary(
        using: headers, for: path,
        model: { self?.header(of: section, $0) ?? StyledText() })
    }
    controller.expansionHandler = { [weak self] item, isExpanded in
      guard let self else { return }
      // What a search has found is folded for itself: the tree behind it stays as it is.
      if feed.isSearching { return await feed.setExpanded(isExpanded, item) }
      wish(isExpanded ? .expand(item) : .collapse(item))
    }
    list.changeHandler = { [weak self] in self?.changeHandler() }
    feed.changeHandler = { [weak self] in self?.changeHandler() }
  }

  /// Whom the cell provider asks; it is made before the view is complete.
  private final class Source {
    weak var view: ProcessView?
  }

  /// Shows what a batch leads to.
  func take(_ batch: ProcessBatch, _ contents: ProcessTable.Contents) async {
    let changed = batch.difference.itemReconfigures.compactMap(batch.snapshot.itemIdentifier(for:))
    await feed.take(batch, changed: changed, contents)
  }

  func search(for query: SearchQuery) async { await feed.search(for: query) }

  // MARK: Keys

  func keyWillBePressed() {
    guard message != nil else { return }
    message = nil
    changeHandler()
  }

  func act(_ key: Key) -> Bool {
    switch key {
    case .character("u"): wish(.undo)
    case .character("U"): wish(.redo)
    case .character("c"): wish(.sort(.cpu))
    case .character("m"): wish(.sort(.memory))
    case .character("p"): wish(.sort(.pid))
    case .character("K"): move(isUp: true)
    case .character("J"): move(isUp: false)
    case .enter: return toggle()
    default: return false
    }
    return true
  }

  private func wish(_ wish: ProcessWish) {
    lastWish = Task { [lastWish] in
      await lastWish?.value
      message = await wishHandler(wish)
      changeHandler()
    }
  }

  private func move(isUp: Bool) {
    guard let item = focusedItem else { return }
    guard !feed.isSearching else {
      // Its neighbours may not be among what was found.
      message = "rows are moved when no search is on"
      return changeHandler()
    }
    wish(.move(item, isUp: isUp))
  }

  private var focusedItem: ProcessID? {
    list.focusedItemPath.flatMap(controller.itemIdentifier(for:))
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
