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
    // All states are held at a time, and each shares what a stage leaves alone: tables would not.
    var state = Snapshot<SectionID, ItemID>(old.base.unfiled)
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
        names.lazy.compactMap { [renamed] path in
          renamed.itemIdentifier(for: path).map { (path, $0) }
        })
      stages.append(Stage(difference: step, snapshot: state))
    }
    let names = refreshes.itemRenames
    for range in refreshes.sectionReloads.ranges {
      add(renaming: names.paths(inSections: range)) {
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
  /// The paths of this set in some sections.
  ///
  /// - Complexity: O(log r + k) for r ranges, k of them in the sections.
  fileprivate func paths(inSections sections: Range<Int>) -> ItemPathSet {
    let first = ranges.partitioningIndex { $0.section >= sections.lowerBound }
    let end = ranges.partitioningIndex { $0.section >= sections.upperBound }
    return ItemPathSet(sorting: Array(ranges[first..<end]))
  }

  /// The paths of this set in a range.
  ///
  /// - Complexity: O(log r + k) for r ranges, k of them in the section of the range.
  fileprivate func intersection(_ range: PathRange) -> ItemPathSet {
    guard !isEmpty else { return [] }
    return paths(inSections: range.section..<range.section + 1)
      .intersection(ItemPathSet(sorting: [range]))
  }
}

/// Turns moves between two states into moves that are made one after another.
///
/// Every move has two slots: its source and its target. The slots of all moves and the staying
/// elements are put into one order that never changes. A move takes the mark from its source and
/// sets it on its target. The running index of a slot is the number of staying elements before it
/// plus the number of marked slots before it.
///
///     old a b c d, new c a d b: a and d stay, b goes to 3, c goes to 0
///     slots         c'  a  b  c  d  b'
///     marked            ·  x  x  ·          c leaves 2 for 0
///                   x   ·  x     ·          b leaves 2 for 3
///                   x   ·        ·  x
///
/// Marks are counted with a Fenwick tree (Fenwick, “A new data structure for cumulative frequency
/// tables”, 1994).
///
/// - Complexity: O(m log m) for m moves to create, O(log m) for each move.
struct RunningMoves {
  /// The source or the target of a move.
  struct Slot {
    /// The list that it belongs to, if there are several.
    let list: Int
    /// The number of staying elements of its list before it.
    let rank: Int
    let isTarget: Bool
    /// Orders slots between the same staying elements: the old or the new position.
    let position: Int
  }

  private let sources: [Slot]
  private let targets: [Slot]
  /// The place of each source, then of each target, in the common order.
  private var places: [Int]
  /// The place where each list begins.
  private var firstPlaces: [Int: Int] = [:]
  private var marks: [Int]

  /// Creates the state before the first move; `sources[i]` and `targets[i]` are one move.
  init(sources: [Slot], targets: [Slot]) {
    self.sources = sources
    self.targets = targets
    let slots = sources + targets
    let order = slots.indices.sorted { left, right in
      let (left, right) = (slots[left], slots[right])
      return (left.list, left.rank, left.isTarget ? 1 : 0, left.position)
        < (right.list, right.rank, right.isTarget ? 1 : 0, right.position)
    }
    places = Array(repeating: 0, count: slots.count)
    marks = Array(repeating: 0, count: slots.count + 1)
    for (place, slot) in order.enumerated() {
      places[slot] = place
      if firstPlaces[slots[slot].list] == nil { firstPlaces[slots[slot].list] = place }
    }
    for source in sources.indices { add(1, at: places[source]) }
  }

  /// Performs a move; returns its source index before it and its target index after it.
  mutating func perform(_ index: Int) -> (from: Int, to: Int) {
    let from = runningIndex(of: sources[index], at: places[index])
    add(-1, at: places[index])
    let target = places[sources.count + index]
    let to = runningIndex(of: targets[index], at: target)
    add(1, at: target)
    return (from, to)
  }

  private func runningIndex(of slot: Slot, at place: Int) -> Int {
    slot.rank + marks(before: place) - marks(before: firstPlaces[slot.list] ?? 0)
  }

  private mutating func add(_ change: Int, at place: Int) {
    var index = place + 1
    while index < marks.count {
      marks[index] += change
      index += index & -index
    }
  }

  private func marks(before place: Int) -> Int {
    var sum = 0
    var index = place
    while index > 0 {
      sum += marks[index]
      index &= index - 1
    }
    return sum
  }
}
