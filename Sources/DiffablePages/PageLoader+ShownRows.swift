public import Diffable

/// The rows that renderers show, if that is another list than the one that is loaded.
struct ShownRows<ItemID: Hashable & Sendable>: Sendable {
  /// Returns where items are in the list now.
  ///
  /// `nil` if none of the items is in the list, or the list is gone.
  let reach: @Sendable (_ items: [ItemID]) -> ShownReach<ItemID>?
  /// Waits until the list shows everything that was written; unless somebody follows it, it rests afterwards.
  private let catchUp: @Sendable () async -> Void

  init<List: ListSource>(of list: List) where List.ItemID == ItemID {
    reach = { [weak list] items in
      (list?.publishedSnapshot).flatMap { ShownReach(of: items, in: $0) }
    }
    catchUp = { [weak list] in
      guard let upstream = list?.reader.hub.upstream else { return }
      await upstream.catchUp()
      upstream.rest()
    }
  }

  /// The ends of the list that items are near to, once it shows everything that was written.
  func nearEnds(_ items: [ItemID], _ distance: Int) async -> EndPair<Bool>? {
    await catchUp()
    return reach(items).map { reach in
      EndPair(start: reach.beyond.start <= distance, end: reach.beyond.end <= distance)
    }
  }
}

/// Where items are in a list that renderers show.
struct ShownReach<ItemID: Hashable & Sendable>: Sendable {
  /// The numbers of rows of the list beyond the items; 0 in an empty list.
  let beyond: EndPair<Int>
  /// Whether the list has a row.
  let hasRow: @Sendable (ItemID) -> Bool

  fileprivate init?<SectionID>(of items: [ItemID], in list: Snapshot<SectionID, ItemID>) {
    hasRow = { list.itemPath(for: $0) != nil }
    guard list.numberOfItems > 0 else {
      beyond = EndPair(start: 0, end: 0)
      return
    }
    let paths = items.compactMap { list.itemPath(for: $0) }
    guard let first = paths.min(), let last = paths.max() else { return nil }
    func count(before path: ItemPath) -> Int {
      (0..<path.section).reduce(path.item) { $0 + list.itemCount(ofSectionAt: $1) }
    }
    beyond = EndPair(
      start: count(before: first), end: list.numberOfItems - 1 - count(before: last))
  }
}

extension PageLoader {
  /// Reports what a renderer shows of another list, such as a filtered one that is derived from the source.
  ///
  /// Rows that the list hides count as no distance to an end. So pages are loaded until there are enough
  /// rows in the list, or the backend has no more, and stay as long as they are needed for that:
  ///
  /// ```swift
  /// let open = notes.derived { $0.filter(\.isOpen) }
  /// controller.displayHandler = { _ in loader.willShow(controller.visibleItems, of: open) }
  /// ```
  ///
  /// Report at least once, also if the list has no rows yet. The list counts until another one is named,
  /// for reports without a list too. The loader does not hold it.
  ///
  /// - Parameters:
  ///   - items: What the renderer shows, or will show soon, as for ``willShow(_:)``.
  ///   - list: A list that contains rows of the source under their identifiers.
  /// - Complexity: O(v) for v items, for the caller. After each report and each page, the loader takes
  ///   O(v · log n + s) for n rows in s sections of the list, off the executor of the source. With a maximum
  ///   count, each page takes as long once more, on that executor.
  public nonisolated func willShow<List: ListSource>(
    _ items: some Sequence<Model.ID>, of list: List
  ) where List.ItemID == Model.ID {
    named.put(ShownRows(of: list))
    words.yield(Array(items))
  }

  /// Loads what is near to the reported items in the list that renderers show.
  ///
  /// One task looks at a time; what happens meanwhile makes it look again.
  func lookAtShownRows() {
    guard shownRows != nil, !machine.isFinished else { return }
    isLookDue = true
    guard look == nil else { return }
    let distance = options.distance
    look = Task.detached { [weak self] in
      while let (rows, items) = await self?.nextLook() {
        guard let near = await rows.nearEnds(items, distance) else { continue }
        await self?.step { $0.follow(near) }
      }
    }
  }

  private func nextLook() -> (rows: ShownRows<Model.ID>, items: [Model.ID])? {
    guard isLookDue, let shownRows, !machine.isFinished, !Task.isCancelled else {
      look = nil
      return nil
    }
    isLookDue = false
    return (shownRows, shown)
  }
}
