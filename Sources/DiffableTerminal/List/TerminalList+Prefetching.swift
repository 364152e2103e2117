import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// Performs an action of the user, and prefetches items for the new scroll position.
  func scrolling<Result>(_ act: () -> Result) -> Result {
    let offset = viewport.offset
    let result = act()
    prefetching.didScroll(from: offset, to: viewport.offset)
    prefetch()
    return result
  }

  /// Reports to the content which items may soon be visible, and which will not be after all.
  ///
  /// - Complexity: O(v log n) for the v items of a screen, of n.
  func prefetch() {
    guard let content else { return }
    let (new, gone) = prefetching.expect(
      pathsAhead.compactMap { path in
        visible[path] == nil ? content.identity(ofItemAt: path).map { (path, $0) } : nil
      })
    let former = gone.compactMap(content.itemPath(withIdentity:)).sorted()
    if !former.isEmpty { content.cancelPrefetchingItems(at: former) }
    if !new.isEmpty { content.prefetchItems(at: new) }
  }

  /// Reports to the content which of the announced items a stage deletes.
  ///
  /// This must happen before the stage: afterwards their paths do not exist.
  func cancelPrefetching(before map: PositionMap) {
    guard let content else { return }
    var gone: [ItemPath] = []
    for identity in prefetching.announced {
      guard let path = content.itemPath(withIdentity: identity), map.newPath(forOld: path) == nil
      else { continue }
      prefetching.forget(identity)
      gone.append(path)
    }
    if !gone.isEmpty { content.cancelPrefetchingItems(at: gone.sorted()) }
  }

  /// Records that an item was requested from the content.
  func wasAsked(for path: ItemPath) {
    guard !prefetching.announced.isEmpty, let identity = content?.identity(ofItemAt: path)
    else { return }
    prefetching.forget(identity)
  }

  /// The items of the next screen, and of the next page of sections that scroll across the list.
  ///
  /// The nearest ones are first.
  private var pathsAhead: [ItemPath] {
    // At either end there is only one direction left.
    let isForward =
      viewport.isAtStart || prefetching.isForward && !viewport.isAtEnd
    var screen = visibleBounds
    let length = viewport.length
    screen.move(axis, to: screen.start(axis) + (isForward ? length : -length))
    let across = elements(in: visibleBounds, pagesAhead: 1)
      .compactMap { arrangement.item(of: $0.element) }.sorted()
    let along = elements(in: screen).compactMap { arrangement.item(of: $0.element) }.sorted()
    return across + (isForward ? along : along.reversed())
  }
}
