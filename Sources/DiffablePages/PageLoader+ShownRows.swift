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
  /// Also counts the prefetch distance in the rows of another list, which renderers show.
  ///
  /// Use it if renderers show a list that is derived from the source, such as a filtered one. Without
  /// it, rows that the list hides count as distance to an end, and loading stops while the renderer has
  /// space for more. With it, pages are loaded until there are enough rows in the list, or the backend
  /// has no more:
  ///
  /// ```swift
  /// let open = notes.derived { $0.filter(\.isOpen) }
  /// await loader.setShownList(open)
  /// controller.displayHandler = { _ in loader.willShow(controller.visibleItems) }
  /// ```
  ///
  /// A renderer reports at least once, also if it shows nothing yet. The loader does not hold the list.
  ///
  /// - Parameter list: A list that contains rows of the source under their identifiers; it replaces the
  ///   one that was set before.
  /// - Complexity: O(1). After each report and each page, O(v · log n + s) for v items that are shown,
  ///   and n rows in s sections of the list, off the executor of the source.
  public func setShownList<List: ListSource>(_ list: List) where List.ItemID == Model.ID {
    shownRows = ShownRows(of: list)
    lookAtShownRows()
  }

  /// Loads what is near to the reported items in the list that renderers show.
  ///
  /// One task looks at a time; what happens meanwhile makes it look again.
  func lookAtShownRows() {
    guard shownRows != nil, hasReport, !machine.isFinished else { return }
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
