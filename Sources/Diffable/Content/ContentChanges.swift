/// What shows something else although it stays: found between the models of two states.
struct ContentChanges: Sendable {
  /// New paths of visible items whose models differ.
  var items: [ItemPath] = []
  /// New indices of sections whose models differ.
  var sections: [Int] = []
  /// Whether something that an outline hides has another model.
  var isSomethingHidden = false

  init() {}

  var isEmpty: Bool { items.isEmpty && sections.isEmpty && !isSomethingHidden }
}

extension ContentChanges {
  /// Compares the models of what two states have in common.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ in trees of n items.
  init<SectionID, ItemID>(
    from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>,
    _ comparison: SnapshotComparison<SectionID, ItemID>
  ) {
    guard let models = new.kernels.models else { return }
    let correspondence = comparison.correspondence
    var changed = correspondence.changed[...]
    for section in comparison.touched {
      guard let oldIndex = section.old else { continue }
      let (oldRecord, newRecord) = (old.order[oldIndex], new.order[section.new])
      if oldRecord.model ?? SectionContent() != newRecord.model ?? SectionContent() {
        sections.append(section.new)
      }
      while let first = changed.first, first.new < section.new { changed.removeFirst() }
      let runs =
        changed.first.flatMap { $0.new == section.new ? $0.runs : nil }
        ?? [MatchedRun(old: 0, new: 0, count: newRecord.items.count)]
      func add(_ item: Int) { items.append(ItemPath(section: section.new, item: item)) }
      switch (oldRecord.outline?.value, newRecord.outline?.value) {
      case (nil, nil):
        newRecord.items.tree.base.forEachChangedModel(
          since: oldRecord.items.tree.base, runs, models, add)
      case (let oldOutline?, let newOutline?):
        newOutline.forEachRow(since: oldOutline, models) { row, isNew in
          guard !isNew else { return }
          if let item = newOutline.visibleIndex(ofRowAt: row) {
            add(item)
          } else {
            isSomethingHidden = true
          }
        }
      default:
        for run in runs {
          for step in 0..<run.count {
            let from = ItemPath(section: oldIndex, item: run.old + step)
            let to = ItemPath(section: section.new, item: run.new + step)
            if !areEqual(old, from, new, to, models) { items.append(to) }
          }
        }
      }
    }
    for move in correspondence.migrations where !areEqual(old, move.from, new, move.to, models) {
      items.append(move.to)
    }
  }

  /// Whether two items have the same model.
  private func areEqual<SectionID, ItemID>(
    _ old: Snapshot<SectionID, ItemID>, _ oldPath: ItemPath,
    _ new: Snapshot<SectionID, ItemID>, _ newPath: ItemPath, _ models: ElementKernel
  ) -> Bool {
    old.withModel(at: oldPath) { left in
      new.withModel(at: newPath) { right in
        guard let left, let right else { return left == right }
        return left == right || models.areEqual(left, right)
      }
    }
  }
}

extension OrderTree {
  /// Calls a function with the positions of elements that an older tree has as well, with another model.
  ///
  /// - Parameter runs: Elements that are in both, in ascending order of `new`.
  /// - Complexity: O(d + r · log n) for the elements of d leaves that differ, in r runs.
  func forEachChangedModel(
    since old: OrderTree, _ runs: [MatchedRun], _ models: ElementKernel, _ body: (Int) -> Void
  ) {
    var runs = runs[...]
    LeafWindows.forEach(old: old, new: self) { stretch in
      guard case .changed(let window) = stretch else { return }
      let end = window.new.reduce(window.newBase) { $0 + $1.count }
      while let run = runs.first, run.newRange.upperBound <= window.newBase { runs.removeFirst() }
      for run in runs {
        guard run.new < end else { break }
        let range = run.newRange.clamped(to: window.newBase..<end)
        compareModels(at: range, with: old, from: run.old + range.lowerBound - run.new, models, body)
      }
    }
  }

  /// Calls a function with the positions of those of some neighbours that have another model than those
  /// from a position of another tree on.
  private func compareModels(
    at range: Range<Int>, with old: OrderTree, from start: Int, _ models: ElementKernel,
    _ body: (Int) -> Void
  ) {
    var (new, old, position) = (range.lowerBound, old, start)
    while new < range.upperBound {
      guard let left = old.leaf(atPosition: position), let right = leaf(atPosition: new) else {
        return
      }
      let (i, j) = (position - left.base, new - right.base)
      let count = min(left.leaf.count - i, right.leaf.count - j, range.upperBound - new)
      guard count > 0 else { return }
      withExtendedLifetime((left.leaf, right.leaf)) {
        guard left.leaf !== right.leaf || i != j, let before = left.leaf.models,
          let after = right.leaf.models
        else { return }
        var offset = 0
        while offset < count {
          offset += models.countEqual(
            before.address(i + offset), after.address(j + offset), count - offset)
          if offset < count { body(new + offset) }
          offset += 1
        }
      }
      (new, position) = (new + count, position + count)
    }
  }
}

extension Outline {
  /// Calls a function with the position of each row that an older outline has with another model, or
  /// that it does not have.
  ///
  /// - Complexity: O(d · log n) for d leaves of rows that differ.
  func forEachRow(
    since old: Outline, _ models: ElementKernel, _ body: (_ position: Int, _ isNew: Bool) -> Void
  ) {
    let rows = rows.base
    LeafWindows.forEach(old: old.rows.base, new: rows) { stretch in
      guard case .changed(let window) = stretch else { return }
      let oldLeaves = window.old.compactMap(\.leaf)
      var neighbours = Neighbours(oldLeaves)
      var position = window.newBase
      for leaf in window.new.lazy.compactMap(\.leaf) {
        let span = leaf.span
        withExtendedLifetime(leaf) {
          for index in 0..<span.count {
            defer { position += 1 }
            let (row, hash) = (span.address(index), span.hashes[index])
            guard let new = leaf.models?.address(index) else { continue }
            if let before = neighbours.model(of: row, hash: hash, rows.kernel) {
              if !models.areEqual(before, new) { body(position, false) }
            } else if let origin = old.rows.base.firstPosition(of: row, hash: hash, in: old.table) {
              let isSame = old.rows.base.withModel(at: origin) {
                $0.map { models.areEqual($0, new) } ?? false
              }
              if !isSame { body(position, false) }
            } else {
              body(position, true)
            }
          }
        }
      }
    }
  }
}
