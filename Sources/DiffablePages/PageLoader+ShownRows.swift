public import Diffable

/// The rows that renderers show, if that is another list than the one that is loaded.
struct ShownRows<ItemID: Hashable & Sendable>: Sendable {
  /// Returns the ends of the list that items are near to, once it shows everything that was written.
  ///
  /// `nil` if none of the items is in the list, or the list is gone.
  let nearEnds: @Sendable (_ items: [ItemID], _ distance: Int) async -> EndPair<Bool>?

  init<List: ListSource>(of list: List) where List.ItemID == ItemID {
    nearEnds = { [weak list] items, distance in
      await list?.reader.hub.upstream?.catchUp()
      var snapshot = list?.publishedSnapshot
      while let list, snapshot == nil { snapshot = list.publishedSnapshot }
      return snapshot.flatMap { Self.nearEnds(items, in: $0, distance) }
    }
  }

  private static func nearEnds<SectionID>(
    _ items: [ItemID], in list: Snapshot<SectionID, ItemID>, _ distance: Int
  ) -> EndPair<Bool>? {
    guard list.numberOfItems > 0 else { return .both }
    let paths = items.compactMap { list.itemPath(for: $0) }
    guard let first = paths.min(), let last = paths.max() else { return nil }
    func count(before path: ItemPath) -> Int {
      (0..<path.section).reduce(path.item) { $0 + list.itemCount(ofSectionAt: $1) }
    }
    return EndPair(
      start: count(before: first) <= distance,
      end: list.numberOfItems - 1 - count(before: last) <= distance)
  }
}

extension PageLoader {
  /// Reports what a renderer shows of another list, such as a filtered one that is derived from the source.
  ///
  /// Rows that the list hides count as no distance to an end. So pages are loaded until there are enough
  /// rows in the list, or the backend has no more:
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
  ///   O(v · log n + s) for n rows in s sections of the list, off the executor of the source.
  public nonisolated func willShow<List: ListSource>(
    _ items: some Sequence<Model.ID>, of list: List
  ) where List.ItemID == Model.ID {
    words.yield((Array(items), ShownRows(of: list)))
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
