package import Diffable

extension ListController {
  /// Passes items that may soon be on the screen to the prefetch handler.
  package func prefetchItems(at paths: [ItemPath]) {
    let items = prefetched.add(paths.compactMap(snapshot.itemIdentifier(for:)))
    if !items.isEmpty { prefetchHandler?(items) }
  }

  /// Passes items that will not be on the screen after all to the cancellation handler.
  package func cancelPrefetchingItems(at paths: [ItemPath]) {
    let items = prefetched.remove(paths.compactMap(snapshot.itemIdentifier(for:)))
    if !items.isEmpty { prefetchCancellationHandler?(items) }
  }

  /// Cancels the prefetching of items that can no longer appear on the screen.
  func forgetPrefetchedItemsThatAreGone() {
    // Items hidden by a collapsed row cannot appear either.
    let gone = prefetched.removeAll { snapshot.itemPath(for: $0) == nil }
    if !gone.isEmpty { prefetchCancellationHandler?(gone) }
  }
}
