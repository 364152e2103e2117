extension StageCutter {
  /// Stages for views that delete, then insert, then move.
  ///
  /// The documentation leaves open whether the indices of moves count in the state before the
  /// update, or in the state after the deletes and inserts. In a stage that has only moves, both
  /// are the same.
  ///
  ///     old       A[a b c] B[d]
  ///     -0:1 +0:2 A[a c x] B[d]      deletes and inserts; a moving item keeps its old place
  ///     0:1→0:0   A[c a x] B[d]      items move
  ///     §1→0      B[d] A[c a x]      sections move
  func apartStages() throws(SnapshotError) -> [Stage] {
    let sections = restingSections()
    let items = try restingItems(sections)
    var stages: [Stage] = []
    var resting = old
    resting.marks = .init()
    if !items.difference.isEmpty {
      try rest(&resting, items)
      stages.append(Stage(difference: items.difference, snapshot: resting))
    }
    if !items.moves.isEmpty {
      var moves = SnapshotDifference()
      moves.itemMoves = items.moves
      stages.append(
        Stage(
          difference: moves,
          snapshot: try new.movingSectionsBack(to: sections.moves.map(\.from), as: resting)))
    }
    if !sections.moves.isEmpty {
      var moves = SnapshotDifference()
      moves.sectionMoves = sections.moves
      stages.append(Stage(difference: moves, snapshot: new))
    }
    // The result of the last step equals `new`, and `new` shares the storage of the batch.
    if let last = stages.indices.last { stages[last].snapshot = new }
    let refreshes = refreshes()
    if !refreshes.isEmpty { stages.append(Stage(difference: refreshes, snapshot: renamed)) }
    return stages
  }

  /// The indices of sections before any of them has moved.
  private struct RestingSections {
    let list: RestingList
    /// From the resting indices to the new ones.
    let moves: [Move<Int>]
    /// The resting index of each moving section, by its old index.
    let movingIndices: [Int: Int]
  }

  private func restingSections() -> RestingSections {
    let moves = difference.sectionMoves.sortedIfNeeded { $0.from }
    let list = RestingList(
      leaving: moves.map { positions.stayingSections(beforeOld: $0.from) },
      coming: difference.sectionInserts.ranges.map {
        (positions.stayingSections(beforeNew: $0.lowerBound), $0.count)
      })
    let indices = moves.indices.map(list.index(ofLeaving:))
    return RestingSections(
      list: list, moves: zip(indices, moves).map { Move(from: $0, to: $1.to) },
      movingIndices: Dictionary(
        zip(moves.map(\.from), indices), uniquingKeysWith: { first, _ in first }))
  }

  /// The deletes and inserts with resting paths, and the moves of items from their resting paths.
  private typealias RestingItems = (
    difference: SnapshotDifference, moves: [Move<ItemPath>],
    /// The inserted ranges: their new paths, and their resting sections and items.
    inserts: [(new: ItemPathSet.PathRange, survivor: Int, item: Int)],
    sectionInserts: [(new: Range<Int>, index: Int)]
  )

  private func restingItems(
    _ sections: RestingSections
  ) throws(SnapshotError) -> RestingItems {
    func index(ofOld section: Int) -> Int {
      sections.movingIndices[section]
        ?? sections.list.index(ofStaying: positions.stayingSections(beforeOld: section))
    }
    var leaving: [Int: [Move<ItemPath>]] = [:]
    for move in difference.itemMoves { leaving[move.from.section, default: []].append(move) }
    var coming: [Int: [ItemPathSet.PathRange]] = [:]
    for range in difference.itemInserts.ranges {
      guard let section = positions.oldSection(forNew: range.section) else {
        throw .inapplicableDifference(
          reason: "items are inserted in section \(range.section), which is new")
      }
      coming[section, default: []].append(range)
    }
    var moves: [Move<ItemPath>] = []
    var inserts: [(new: ItemPathSet.PathRange, survivor: Int, item: Int)] = []
    var resting = SnapshotDifference()
    for section in Array(Set(leaving.keys).union(coming.keys)).sortedIfNeeded(by: { $0 }) {
      let left = (leaving[section] ?? []).sortedIfNeeded { $0.from }
      let ranges = coming[section] ?? []
      let list = RestingList(
        leaving: left.map { positions.stayingItems(beforeOld: $0.from) },
        coming: ranges.map {
          (
            positions.stayingItems(
              beforeNew: ItemPath(section: $0.section, item: $0.items.lowerBound)), $0.items.count
          )
        })
      for (number, move) in left.enumerated() {
        guard let target = positions.oldSection(forNew: move.to.section) else {
          throw .inapplicableDifference(reason: "an item moves to \(move.to), which is new")
        }
        moves.append(
          Move(
            from: ItemPath(section: index(ofOld: section), item: list.index(ofLeaving: number)),
            to: ItemPath(section: index(ofOld: target), item: move.to.item)))
      }
      for (number, range) in ranges.enumerated() {
        let first = list.index(ofComing: number)
        inserts.append((range, survivor(atOld: section), first))
        resting.itemInserts.append(
          section: index(ofOld: section), items: first..<first + range.items.count)
      }
    }
    resting.sectionDeletes = difference.sectionDeletes
    resting.itemDeletes = difference.itemDeletes
    var sectionInserts: [(new: Range<Int>, index: Int)] = []
    for (number, range) in difference.sectionInserts.ranges.enumerated() {
      let first = sections.list.index(ofComing: number)
      sectionInserts.append((range, first))
      resting.sectionInserts.insert(contentsOf: first..<first + range.count)
    }
    return (resting, moves.sortedIfNeeded { $0.to }, inserts, sectionInserts)
  }

  /// Performs the deletes and inserts.
  private func rest(
    _ state: inout Snapshot<SectionID, ItemID>, _ items: RestingItems
  ) throws(SnapshotError) {
    try state.removeSections(at: difference.sectionDeletes)
    for range in difference.itemDeletes.ranges.reversed() {
      try state.removeItems(
        at: .init(section: survivor(atOld: range.section), items: range.items))
    }
    for insert in items.inserts {
      try state.insert(
        new.identifiers(at: insert.new), at: ItemPath(section: insert.survivor, item: insert.item))
    }
    for insert in items.sectionInserts {
      try state.insertSections(at: insert.index, insert.new, of: new)
    }
  }
}

/// A list after all deletes and inserts, before any move.
///
/// A moving element is in its old place, before what is inserted at the same place.
///
///     old a b c d, new c a x d: a and d stay, b is deleted, c moves, x is inserted
///     resting      a c x d
///
/// - Complexity: O(c log c) to create for c moves and inserted ranges, O(log c) for each lookup.
struct RestingList {
  /// The number of staying elements before each moving one, in old order.
  private let leaving: [Int]
  /// The number of staying elements before each inserted range, in new order.
  private let coming: [Int]
  /// The number of inserted elements before each range, and in total.
  private let countsBefore: [Int]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - leaving: The number of staying elements before each moving one.
  ///   - coming: The same for each inserted range, in new order, with the length of the range.
  init(leaving: [Int], coming: [(staying: Int, count: Int)]) {
    self.leaving = leaving.sortedIfNeeded { $0 }
    self.coming = coming.map(\.staying)
    countsBefore = coming.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
  }

  private func countComing(afterFewerThan staying: Int) -> Int {
    countsBefore[coming.partitioningIndex { $0 >= staying }]
  }

  private func countLeaving(afterAtMost staying: Int) -> Int {
    leaving.partitioningIndex { $0 > staying }
  }

  /// The index of a staying element that has a number of staying elements before it.
  func index(ofStaying staying: Int) -> Int {
    staying + countComing(afterFewerThan: staying + 1) + countLeaving(afterAtMost: staying)
  }

  /// The index of a moving element, given by its number in old order.
  func index(ofLeaving number: Int) -> Int {
    leaving[number] + number + countComing(afterFewerThan: leaving[number])
  }

  /// The start of an inserted range, given by its number in new order.
  func index(ofComing number: Int) -> Int {
    coming[number] + countsBefore[number] + countLeaving(afterAtMost: coming[number])
  }
}
