import Diffable
import DiffableTerminal
import DiffableViews

/// Shows a list what a search finds in the newest state.
///
/// The filter is a function of the newest state: writers write to their source and know nothing of it,
/// and whatever they do while a search is on is there when it ends. Rows that are folded in what was found
/// are folded there alone.
@MainActor
final class SearchFeed<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Contents> {
  typealias State = Snapshot<SectionID, ItemID>
  typealias Batch = UpdateBatch<SectionID, ItemID>
  /// What a search finds in a state.
  typealias Find = (State, SearchQuery, Contents) -> State

  /// What the rows that are shown show.
  private(set) var contents: Contents?
  /// The newest state, whatever the search finds of it.
  private(set) var newest: Batch?
  /// What the search has found of it.
  private(set) var found: State?
  private(set) var query = SearchQuery("")

  /// Is called when the newest state is shown, also if no row looks different for it.
  var changeHandler: @MainActor () -> Void = {}

  private let controller: ListController<SectionID, ItemID, TerminalList>
  private let find: Find
  /// The news that the list does not show yet.
  private var next: Contents?
  /// What shows something else by now than the list does.
  private var changed: Set<ItemID> = []
  /// What is folded of what the search has found.
  private var folded: Set<ItemID> = []
  /// Counts what the list was shown.
  private var revision: Revision?
  /// The states that this feed shows are its own, and not those of the source.
  private let epoch = Epoch()
  /// Whether what is shown next is to be there at once.
  private var isImmediate = false
  private var isShowing = false
  private var isStale = false

  init(controller: ListController<SectionID, ItemID, TerminalList>, find: @escaping Find) {
    self.controller = controller
    self.find = find
  }

  var isSearching: Bool { !query.isEmpty }

  /// Shows what a batch leads to.
  ///
  /// - Parameters:
  ///   - changed: The items that show something else now.
  ///   - contents: What there is to show.
  func take(_ batch: Batch, changed: some Sequence<ItemID>, _ contents: Contents) async {
    (newest, next) = (batch, contents)
    self.changed.formUnion(changed)
    await showNewest()
  }

  /// Shows what another search finds, all of it unfolded.
  func search(for query: SearchQuery) async {
    self.query = query
    (isImmediate, folded) = (true, [])
    await showOnceAndGoOn()
  }

  /// Unfolds a row of what the search has found, or folds it, until there is another search.
  func setExpanded(_ isExpanded: Bool, _ item: ItemID) async {
    if isExpanded { folded.remove(item) } else { folded.insert(item) }
    isImmediate = true
    await showOnceAndGoOn()
  }

  /// Brings the list up to date.
  ///
  /// While it is being brought there, others only say that it has to go on: it ends on the newest
  /// state and the newest search, and nothing piles up.
  private func showNewest() async {
    isStale = true
    guard !isShowing else { return }
    isShowing = true
    defer { isShowing = false }
    while isStale {
      isStale = false
      await showOnce()
    }
  }

  /// Brings the list up to date for a key, which waits for this.
  ///
  /// The next key is not to wait for as long as news keep coming: a task shows these.
  private func showOnceAndGoOn() async {
    isStale = true
    guard !isShowing else { return }
    (isShowing, isStale) = (true, false)
    await showOnce()
    isShowing = false
    if isStale { Task { await showNewest() } }
  }

  private func showOnce() async {
    guard let newest, let next else { return }
    let before = controller.snapshot
    var found = isSearching ? find(newest.snapshot, query, next) : newest.snapshot
    found.collapseItems(folded)
    do throws(SnapshotError) {
      var marked = found
      try marked.reconfigureItems(
        changed.filter { before.containsItem($0) && found.itemPath(for: $0) != nil })
      var batch = newest
      batch.epoch = epoch
      batch.base = revision
      batch.target = Revision((revision?.number ?? 0) + 1)
      batch.difference = try marked.difference(from: before)
      batch.previousSnapshot = before
      batch.snapshot = found
      // Who searches or folds wants to see what there is then, not what goes.
      if isImmediate { batch.presentation = .immediate }
      (isImmediate, changed, revision) = (false, [], batch.target)
      (self.found, contents) = (found, next)
      await controller.show(batch)
      changeHandler()
    } catch {
      preconditionFailure("What is marked is among what was found: \(error)")
    }
  }
}
