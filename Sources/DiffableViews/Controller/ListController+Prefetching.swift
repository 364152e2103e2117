public import Diffable

extension ListController {
  /// Tells the prefetch handler which items may soon be on the screen.
  public func prefetchItems(at paths: [ItemPath]) {
    let items = prefetched.add(paths.compactMap(snapshot.itemIdentifier(for:)))
    if !items.isEmpty { prefetchHandler?(items) }
  }

  /// Tells the cancellation handler which of them will not be.
  public func cancelPrefetchingItems(at paths: [ItemPath]) {
    let items = prefetched.remove(paths.compactMap(snapshot.itemIdentifier(for:)))
    if !items.isEmpty { prefetchCancellationHandler?(items) }
  }

  /// Cancels what can no longer be on the screen.
  func forgetPrefetchedItemsThatAreGone() {
    // What a collapsed row hides is not there to be shown.
    let gone = prefetched.removeAll { snapshot.itemPath(for: $0) == nil }
    if !gone.isEmpty { prefetchCancellationHandler?(gone) }
  }
}
