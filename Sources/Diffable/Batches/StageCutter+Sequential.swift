extension StageCutter {
  /// Stages with one operation each, on adjacent elements, in the running state.
  ///
  /// Deletes are first, inserts are last, and moves are in between. Deletes from the back and
  /// inserts from the front need no translation; moves do, see ``RunningMoves``.
  ///
  ///     A[a b c] B[d]          →  B[d] A[c a x]
  ///     -0:1                      A[a c] B[d]
  ///     0:0→0:1                   A[c a] B[d]
  ///     +0:2                      A[c a x] B[d]
  ///     §0→1                      B[d] A[c a x]
  func sequentialStages() throws(SnapshotError) -> [Stage] {
    var stages: [Stage] = []
    var state = old
    state.marks = .init()
    func add(_ edit: (inout SnapshotDifference) -> Void) {
      var step = SnapshotDifference()
      edit(&step)
      stages.append(Stage(difference: step, snapshot: state))
    }

    for range in difference.sectionDeletes.ranges.reversed() {
      try state.removeSections(at: range)
      add { $0.sectionDeletes.insert(contentsOf: range) }
    }
    for range in difference.itemDeletes.ranges.reversed() {
      let section = survivor(atOld: range.section)
      try state.removeItems(at: .init(section: section, items: range.items))
      add { $0.itemDeletes.append(section: section, items: range.items) }
    }
    for move in try runningItemMoves() {
      try state.moveItem(from: move.from, to: move.to)
      add { $0.itemMoves = [move] }
    }
    for range in difference.itemInserts.ranges {
      let section = try survivor(atNew: range.section)
      let items = try new.identifiers(at: range)
      try state.insert(items, at: ItemPath(section: section, item: range.items.lowerBound))
      add { $0.itemInserts.append(section: section, items: range.items) }
    }
    for move in runningSectionMoves() {
      try state.moveSection(from: move.from, to: move.to)
      add { $0.sectionMoves = [move] }
    }
    for range in difference.sectionInserts.ranges {
      try state.insertSections(at: range.lowerBound, range, of: new)
      add { $0.sectionInserts.insert(contentsOf: range) }
    }
    // The result of the steps equals `new`, and `new` shares the storage of the batch.
    if let last = stages.indices.last { stages[last].snapshot = new }
    stages += sequentialRefreshes()
    return stages
  }

  /// Stages with one refresh each, of adjacent elements; renamed items are refreshed one by one.
  ///
  /// What a view does with the first of several items must not depend on the names of the others.
  private func sequentialRefreshes() -> [Stage] {
    let refreshes = refreshes()
    var stages: [Stage] = []
    var state = new
    func add(renaming names: ItemPathSet, _ edit: (inout SnapshotDifference) -> Void) {
      var step = SnapshotDifference()
      edit(&step)
      step.itemRenames = names
      state = state.naming(
        names.lazy.compactMap { path in renamed.itemIdentifier(for: path).map { (path, $0) } })
      stages.append(Stage(difference: step, snapshot: state))
    }
    let names = refreshes.itemRenames
    for range in refreshes.sectionReloads.ranges {
      add(renaming: ItemPathSet(names.filter { range.contains($0.section) })) {
        $0.sectionReloads.insert(contentsOf: range)
      }
    }
    for range in refreshes.sectionReconfigures.ranges {
      add(renaming: []) { $0.sectionReconfigures.insert(contentsOf: range) }
    }
    for range in refreshes.itemReloads.ranges {
      add(renaming: names.intersection(range)) {
        $0.itemReloads.append(section: range.section, items: range.items)
      }
    }
    for range in refreshes.itemReconfigures.ranges {
      var start = range.items.lowerBound
      func reconfigure(_ items: Range<Int>, _ names: ItemPathSet) {
        guard !items.isEmpty else { return }
        add(renaming: names) { $0.itemReconfigures.append(section: range.section, items: items) }
      }
      for path in names.intersection(range) {
        reconfigure(start..<path.item, [])
        reconfigure(path.item..<path.item + 1, [path])
        start = path.item + 1
      }
      reconfigure(start..<range.items.upperBound, [])
    }
    // The result of the steps equals `renamed`, which shares the storage of the batch.
    if let last = stages.indices.last { stages[last].snapshot = renamed }
    return stages
  }

  private func runningItemMoves() throws(SnapshotError) -> [Move<ItemPath>] {
    let moves = difference.itemMoves
    guard !moves.isEmpty else { return [] }
    let sources = moves.map { move in
      RunningMoves.Slot(
        list: survivor(atOld: move.from.section),
        rank: positions.stayingItems(beforeOld: move.from), isTarget: false,
        position: move.from.item)
    }
    let targets = try moves.map { move throws(SnapshotError) in
      RunningMoves.Slot(
        list: try survivor(atNew: move.to.section),
        rank: positions.stayingItems(beforeNew: move.to), isTarget: true,
        position: move.to.item)
    }
    var running = RunningMoves(sources: sources, targets: targets)
    return moves.indices.map { index in
      let (from, to) = running.perform(index)
      return Move(
        from: ItemPath(section: sources[index].list, item: from),
        to: ItemPath(section: targets[index].list, item: to))
    }
  }

  private func runningSectionMoves() -> [Move<Int>] {
    let moves = difference.sectionMoves
    var running = RunningMoves(
      sources: moves.map {
        .init(
          list: 0, rank: positions.stayingSections(beforeOld: $0.from), isTarget: false,
          position: $0.from)
      },
      targets: moves.map {
        .init(
          list: 0, rank: positions.stayingSections(beforeNew: $0.to), isTarget: true,
          position: $0.to)
      })
    return moves.indices.map { index in
      let (from, to) = running.perform(index)
      return Move(from: from, to: to)
    }
  }
}

extension ItemPathSet {
  /// The paths of this set in a range.
  ///
  /// - Complexity: O(k · log r) for k paths in the range and r ranges.
  fileprivate func intersection(_ range: PathRange) -> ItemPathSet {
    guard !isEmpty else { return [] }
    return ItemPathSet(
      range.items.lazy.map { ItemPath(section: range.section, item: $0) }.filter(contains))
  }
}
