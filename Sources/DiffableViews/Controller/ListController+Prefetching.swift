public import Diffable

extension ListController {
  /// Tells the prefetch handler which items may soon be on the screen.
  public func prefetchItems(at paths: [ItemPath]) {
    let items = paths.compactMap(snapshot.itemIdentifier(for:)).filter {
      prefetching.insert($0).inserted
    }
    if !items.isEmpty { prefetchHandler?(items) }
  }

  /// Tells the cancellation handler which of them will not be.
  public func cancelPrefetchingItems(at paths: [ItemPath]) {
    let items = paths.compactMap(snapshot.itemIdentifier(for:)).filter {
      prefetching.remove($0) != nil
    }
    if !items.isEmpty { prefetchCancellationHandler?(items) }
  }

  /// Cancels what can no longer be on the screen.
  func forgetPrefetchedItemsThatAreGone() {
    let gone = prefetching.filter { !snapshot.containsItem($0) }
    guard !gone.isEmpty else { return }
    prefetching.subtract(gone)
    prefetchCancellationHandler?(Array(gone))
  }
}
