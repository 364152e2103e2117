/// Translates positions of one index space of a difference to the other.
///
/// Elements that are neither deleted, inserted nor moved fill what is left of the new places in
/// their old order. So the place of such an element follows from its rank among them.
///
/// - Complexity: O(c log c) to create for c changes or ranges of them, O(log c) a question.
package struct PositionMap {
  private let sections: SlotMap
  /// By old section index.
  private var removedItems: [Int: SlotList] = [:]
  /// By new section index.
  private var addedItems: [Int: SlotList] = [:]
  private let moveTargets: [ItemPath: ItemPath]
  private let moveSources: [ItemPath: ItemPath]

  package init(_ difference: SnapshotDifference) {
    sections = SlotMap(
      deletes: difference.sectionDeletes, inserts: difference.sectionInserts,
      moves: difference.sectionMoves)
    var removed: [Int: RangeSet<Int>] = [:]
    var added: [Int: RangeSet<Int>] = [:]
    for range in difference.itemDeletes.ranges {
      removed[range.section, default: RangeSet()].insert(contentsOf: range.items)
    }
    for range in difference.itemInserts.ranges {
      added[range.section, default: RangeSet()].insert(contentsOf: range.items)
    }
    for path in ItemPathSet(difference.itemMoves.map(\.from)).ranges {
      removed[path.section, default: RangeSet()].insert(contentsOf: path.items)
    }
    for path in ItemPathSet(difference.itemMoves.map(\.to)).ranges {
      added[path.section, default: RangeSet()].insert(contentsOf: path.items)
    }
    removedItems = removed.mapValues(SlotList.init)
    addedItems = added.mapValues(SlotList.init)
    moveTargets = Dictionary(
      difference.itemMoves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    moveSources = Dictionary(
      difference.itemMoves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
  }

  /// Where a section is afterwards; `nil` when it is gone.
  package func newSection(forOld section: Int) -> Int? { sections.new(forOld: section) }

  /// Where a section was before; `nil` when it is new.
  package func oldSection(forNew section: Int) -> Int? { sections.old(forNew: section) }

  /// Where an item is afterwards; `nil` when it is gone or does not stay by itself, as the items of
  /// sections that go.
  package func newPath(forOld path: ItemPath) -> ItemPath? {
    if let target = moveTargets[path] { return target }
    let removed = removedItems[path.section] ?? SlotList()
    guard let section = newSection(forOld: path.section), !removed.contains(path.item) else {
      return nil
    }
    let added = addedItems[section] ?? SlotList()
    return ItemPath(section: section, item: added.free(at: removed.rank(of: path.item)))
  }

  /// Where an item was before; `nil` when it is new or came with its section.
  package func oldPath(forNew path: ItemPath) -> ItemPath? {
    if let source = moveSources[path] { return source }
    let added = addedItems[path.section] ?? SlotList()
    guard let section = oldSection(forNew: path.section), !added.contains(path.item) else {
      return nil
    }
    let removed = removedItems[section] ?? SlotList()
    return ItemPath(section: section, item: removed.free(at: added.rank(of: path.item)))
  }
}

extension PositionMap {
  /// Where an item was that moved to a place; `nil` when the item there has not moved.
  package func source(ofMoveTo path: ItemPath) -> ItemPath? { moveSources[path] }

  /// Where something that stands in front of an old place stands afterwards; `nil` when its section
  /// is gone.
  ///
  /// That is directly behind the nearest item before it that neither goes nor moves.
  package func newGap(forOld path: ItemPath) -> ItemPath? {
    guard let section = newSection(forOld: path.section) else { return nil }
    let staying = stayingItems(beforeOld: path)
    let added = addedItems[section] ?? SlotList()
    return ItemPath(section: section, item: staying == 0 ? 0 : added.free(at: staying - 1) + 1)
  }

  /// How many items that neither go, come nor move stand before an old place in its section.
  func stayingItems(beforeOld path: ItemPath) -> Int {
    removedItems[path.section]?.rank(of: path.item) ?? path.item
  }

  /// How many items that neither go, come nor move stand before a new place in its section.
  func stayingItems(beforeNew path: ItemPath) -> Int {
    addedItems[path.section]?.rank(of: path.item) ?? path.item
  }

  /// How many sections that neither go, come nor move stand before an old place.
  func stayingSections(beforeOld section: Int) -> Int { sections.removed.rank(of: section) }

  /// How many sections that neither go, come nor move stand before a new place.
  func stayingSections(beforeNew section: Int) -> Int { sections.added.rank(of: section) }
}

/// The same for one flat list.
private struct SlotMap {
  let removed: SlotList
  let added: SlotList
  private let targets: [Int: Int]
  private let sources: [Int: Int]

  init(deletes: RangeSet<Int>, inserts: RangeSet<Int>, moves: [Move<Int>]) {
    var removed = deletes
    var added = inserts
    for move in moves {
      removed.insert(contentsOf: move.from..<move.from + 1)
      added.insert(contentsOf: move.to..<move.to + 1)
    }
    self.removed = SlotList(removed)
    self.added = SlotList(added)
    targets = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    sources = Dictionary(moves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
  }

  func new(forOld index: Int) -> Int? {
    if let target = targets[index] { return target }
    return removed.contains(index) ? nil : added.free(at: removed.rank(of: index))
  }

  func old(forNew index: Int) -> Int? {
    if let source = sources[index] { return source }
    return added.contains(index) ? nil : removed.free(at: added.rank(of: index))
  }
}

/// Slots that are taken, and the ranks of those that are free.
struct SlotList {
  private var taken: [Range<Int>] = []
  /// How many free slots lie before each taken range.
  private var freeBefore: [Int] = []

  init() {}

  init(_ set: RangeSet<Int>) {
    var takenCount = 0
    for range in set.ranges {
      taken.append(range)
      freeBefore.append(range.lowerBound - takenCount)
      takenCount += range.count
    }
  }

  func contains(_ slot: Int) -> Bool {
    let next = taken.partitioningIndex { $0.lowerBound > slot }
    return next > 0 && taken[next - 1].contains(slot)
  }

  /// How many free slots lie before a slot, be it free or taken.
  func rank(of slot: Int) -> Int {
    let next = taken.partitioningIndex { $0.lowerBound > slot }
    guard next > 0 else { return slot }
    return max(0, slot - taken[next - 1].upperBound) + freeBefore[next - 1]
  }

  /// The free slot that has `rank` free slots before it.
  func free(at rank: Int) -> Int {
    let next = freeBefore.partitioningIndex { $0 > rank }
    guard next > 0 else { return rank }
    return rank - freeBefore[next - 1] + taken[next - 1].upperBound
  }
}
