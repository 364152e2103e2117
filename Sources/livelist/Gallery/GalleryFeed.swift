import Diffable
import DiffableTerminal
import DiffableViews

/// Shows a list what of the live state a search finds.
///
/// The filter is a function of the newest state: writers write to the source and know nothing of it,
/// and whatever they do while a search is on is there when it ends.
@MainActor
final class GalleryFeed<Host: ListHost> {
  /// What the list shows the models of.
  private(set) var shown: GalleryBatch?
  /// What is searched for.
  private(set) var query = SearchQuery("")

  private let controller: ListController<GallerySection, ExhibitID, Host>
  private var newest: GalleryBatch?
  /// What has other models than the list shows.
  private var changed: Set<ExhibitID> = []
  /// Counts what the list was shown.
  private var revision = Revision(0)
  /// Whether the list shows what another search has found.
  private var hasOtherQuery = false
  private var isShowing = false
  private var isStale = false

  init(controller: ListController<GallerySection, ExhibitID, Host>) {
    self.controller = controller
  }

  /// Shows what a batch leads to.
  func take(_ batch: GalleryBatch) async {
    newest = batch
    changed.formUnion(batch.models.keys)
    await showNewest()
  }

  /// Shows what another search finds.
  func search(for query: SearchQuery) async {
    self.query = query
    hasOtherQuery = true
    await showNewest()
  }

  /// What a search finds in a state.
  static func found(
    in snapshot: GallerySnapshot, by query: SearchQuery, model: (ExhibitID) -> Exhibit?
  ) -> GallerySnapshot {
    guard !query.isEmpty else { return snapshot }
    var found = snapshot
    found.deleteItems(
      snapshot.itemIdentifiers.filter { item in
        !(model(item).map { query.matches($0.text) } ?? false)
      })
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
    guard let newest else { return }
    let before = controller.snapshot
    let found = GalleryFeed.found(in: newest.update.snapshot, by: query, model: newest.model(for:))
    let renewed = changed.filter { before.containsItem($0) && found.containsItem($0) }
    changed = []
    var marked = found
    do throws(SnapshotError) {
      try marked.reconfigureItems(Array(renewed))
      var batch = newest.update
      batch.base = shown == nil ? nil : revision
      batch.target = Revision(revision.number + 1)
      batch.difference = try marked.difference(from: before)
      batch.previousSnapshot = before
      batch.snapshot = found
      // Who searches wants to see what is found, not what goes.
      if hasOtherQuery { batch.presentation = .immediate }
      hasOtherQuery = false
      (revision, shown) = (batch.target, newest)
      await controller.show(batch)
    } catch {
      preconditionFailure("What is renewed is among what was found: \(error)")
    }
  }
}
