/// The staying elements whose models differ between two states.
package struct ContentChanges: Sendable {
  /// New paths of visible items whose models differ.
  package var items: [ItemPath] = []
  /// New indices of sections whose models differ.
  package var sections: [Int] = []
  /// Whether the items may include some that were hidden in an outline before.
  package var mayHaveAppeared = false
  /// Whether the model of something that an outline hides has changed.
  package var isSomethingHidden = false

  package init() {}

  package var isEmpty: Bool { items.isEmpty && sections.isEmpty && !isSomethingHidden }
}

extension ContentChanges {
  /// Compares the models of what two states have in common.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ in trees of n items.
  package init(
    from old: borrowing UntypedSnapshot, to new: borrowing UntypedSnapshot,
    _ comparison: borrowing SnapshotComparison
  ) {
    guard let models = new.kernels.models else { return }
    let changed = comparison.correspondence.changed
    var next = 0
    for section in comparison.touched {
      guard let oldIndex = section.old else { continue }
      let oldBody = old.body(ofSectionAt: oldIndex)
      let newBody = new.body(ofSectionAt: section.new)
      if oldBody.model != newBody.model {
        sections.append(section.new)
      }
      while next < changed.count, changed[next].new < section.new { next += 1 }
      let hasChanged = next < changed.count && changed[next].new == section.new
      let runs =
        hasChanged ? changed[next].runs : [MatchedRun(old: 0, new: 0, count: newBody.itemCount)]
      func add(_ item: Int) { items.append(ItemPath(section: section.new, item: item)) }
      guard oldBody.isOutline || newBody.isOutline else {
        newBody.itemTree.forEachChangedModel(since: oldBody.itemTree, runs, models, add)
        continue
      }
      if let oldOutline = oldBody.outline, let newOutline = newBody.outline {
        mayHaveAppeared = true
        newOutline.forEachChangedModel(since: oldOutline, models) { item in
          if let item {
            add(item)
          } else {
            isSomethingHidden = true
          }
        }
        continue
      }
      for run in runs {
        for step in 0..<run.count {
          let from = ItemPath(section: oldIndex, item: run.old + step)
          let to = ItemPath(section: section.new, item: run.new + step)
          if !areEqual(old.model(at: from), new.model(at: to)) { items.append(to) }
        }
      }
    }
    for move in comparison.correspondence.migrations
    where !areEqual(old.model(at: move.from), new.model(at: move.to)) {
      items.append(move.to)
    }
  }

  /// Whether two items have the same model, or both have none.
  private func areEqual(_ old: HeldModel?, _ new: HeldModel?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return withExtendedLifetime((old, new)) {
      let (left, right) = (old.span.first, new.span.first)
      return left == right || new.span.kernel.areEqual(left, right)
    }
  }
}

extension OrderTree {
  /// Calls a function with the positions of elements whose model an older tree has differently.
  ///
  /// - Parameter runs: Elements that are in both, in ascending order of `new`.
  /// - Complexity: O(d + r · log n) for the elements of d leaves that differ, in r runs.
  func forEachChangedModel(
    since old: OrderTree, _ runs: [MatchedRun], _ models: ElementKernel, _ body: (Int) -> Void
  ) {
    var finder = ModelFinder(old)
    var next = 0
    withExtendedLifetime((old, self)) {
      LeafWindows.forEach(old: old, new: self) { stretch in
        guard case .changed(let window) = stretch else { return }
        var base = window.newBase
        for leaf in window.new.lazy.compactMap(\.leaf) {
          let positions = base..<base + leaf.count
          base = positions.upperBound
          guard let span = leaf.models else { continue }
          while next < runs.count, runs[next].newRange.upperBound <= positions.lowerBound {
            next += 1
          }
          var number = next
          while number < runs.count, runs[number].new < positions.upperBound {
            let run = runs[number]
            let common = run.newRange.clamped(to: positions)
            finder.compare(
              from: run.old + common.lowerBound - run.new, count: common.count,
              with: span.address(common.lowerBound - positions.lowerBound), models
            ) { body(common.lowerBound + $0) }
            number += 1
          }
        }
      }
    }
  }
}

/// Finds the models of a tree by position, while the tree is held.
///
/// Models near the previous position are found at once.
private struct ModelFinder {
  private let tree: OrderTree
  private var place: OrderTree.LeafPlace?

  init(_ tree: OrderTree) {
    self.tree = tree
  }

  /// Calls a function with the offsets of those adjacent models that differ from other models.
  mutating func compare(
    from start: Int, count: Int, with others: UnsafeRawPointer, _ kernel: ElementKernel,
    _ body: (_ offset: Int) -> Void
  ) {
    var offset = 0
    while offset < count {
      guard let place = find(start + offset) else { return }
      let limit = min(count, place.base + place.leaf.count - start)
      let left = place.leaf.models?.address(start + offset - place.base)
      let right = others + offset &* kernel.stride
      // A leaf of both trees needs no comparison.
      if let left, left != right {
        kernel.forEachDifference(left, right, count: limit - offset) { body(offset + $0) }
      }
      offset = limit
    }
  }

  private mutating func find(_ position: Int) -> OrderTree.LeafPlace? {
    if let place, position >= place.base, position - place.base < place.leaf.count { return place }
    place = tree.leaf(atPosition: position)
    return place
  }
}
