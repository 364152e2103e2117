import Diffable
import DiffableTerminal
import DiffableViews

/// Shows a list what of the processes a search finds.
///
/// The filter is a function of the newest state: writers know nothing of it, and whatever they do while
/// a search is on is there when it ends.
@MainActor
final class ProcessFeed<Host: ListHost> {
  /// What the rows that are shown show.
  private(set) var contents: ProcessTable.Contents?
  /// The newest state, whatever the search finds of it.
  private(set) var newest: ProcessBatch?
  private(set) var query = SearchQuery("")

  private let controller: ListController<String, ProcessID, Host>
  /// The news that the list does not show yet.
  private var next: ProcessTable.Contents?
  private var changed: Set<ProcessID> = []
  /// Counts what the list was shown.
  private var revision: Revision?
  private var hasOtherQuery = false
  private var isShowing = false
  private var isStale = false

  init(controller: ListController<String, ProcessID, Host>) {
    self.controller = controller
  }

  /// Shows what a batch leads to.
  func take(_ batch: ProcessBatch, _ contents: ProcessTable.Contents) async {
    (newest, next) = (batch, contents)
    changed.formUnion(
      batch.difference.itemReconfigures.compactMap(batch.snapshot.itemIdentifier(for:)))
    await showNewest()
  }

  /// Shows what another search finds.
  func search(for query: SearchQuery) async {
    self.query = query
    hasOtherQuery = true
    await showNewest()
  }

  /// What a search finds in a state: the processes that match, in a tree with those above them.
  nonisolated static func found(
    in snapshot: ProcessSnapshot, by query: SearchQuery, _ records: [ProcessID: ProcessRecord]
  ) throws(SnapshotError) -> ProcessSnapshot {
    guard !query.isEmpty else { return snapshot }
    func matches(_ id: ProcessID) -> Bool {
      guard let process = records[id]?.listed else { return false }
      return query.matches("\(process.id.number) \(process.user) \(process.command)")
    }
    var found = snapshot
    for section in snapshot.sectionIdentifiers {
      guard let outline = snapshot.outline(ofSection: section) else {
        found.deleteItems(snapshot.items(inSection: section).filter { !matches($0) })
        if found.items(inSection: section).isEmpty { found.deleteSections([section]) }
        continue
      }
      var kept: Set<ProcessID> = []
      for item in outline.items where matches(item) {
        var next: ProcessID? = item
        while let item = next, kept.insert(item).inserted { next = outline.parent(of: item) }
      }
      found.deleteItems(outline.items.filter { !kept.contains($0) })
      found.expandItems(kept)
    }
    return found
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

  private func showOnce() async {
    guard let newest, let next else { return }
    let before = controller.snapshot
    do throws(SnapshotError) {
      let found = try ProcessFeed.found(in: newest.snapshot, by: query, next.records)
      var marked = found
      try marked.reconfigureItems(
        changed.filter { before.containsItem($0) && found.itemPath(for: $0) != nil })
      var batch = newest
      batch.base = revision
      batch.target = Revision((revision?.number ?? 0) + 1)
      batch.difference = try marked.difference(from: before)
      batch.previousSnapshot = before
      batch.snapshot = found
      // Who searches wants to see what is found, not what goes.
      if hasOtherQuery { batch.presentation = .immediate }
      (hasOtherQuery, changed, revision, contents) = (false, [], batch.target, next)
      await controller.show(batch)
    } catch {
      preconditionFailure("What is marked is among what was found: \(error)")
    }
  }
}
