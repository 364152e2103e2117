/// Translates positions between the two index spaces of a difference.
///
/// Use it in a host or a renderer that keeps something by position: selected paths, measured
/// heights, the scroll position.
///
/// Elements that are not deleted, inserted or moved fill the remaining new places in their old
/// order. So the place of such an element follows from its rank among them.
///
/// Positions that a snapshot cannot have map to `nil`. The results for a difference that
/// contradicts itself are arbitrary, but no call traps.
///
/// - Complexity: O(c log c) to create for c changes or ranges of changes, O(log c) for each lookup.
package struct PositionMap: Sendable {
  private let sections: SlotMap
  /// By old section index.
  private let removedItems: [Int: SlotList]
  /// By new section index.
  private let addedItems: [Int: SlotList]
  private let moveTargets: [ItemPath: ItemPath]
  private let moveSources: [ItemPath: ItemPath]

  /// Creates the map of a difference.
  package init(_ difference: SnapshotDifference) {
    sections = SlotMap(
      deletes: difference.sectionDeletes, inserts: difference.sectionInserts,
      moves: difference.sectionMoves)
    // Many changes only refresh items, so what is empty allocates nothing.
    guard
      !(difference.itemDeletes.isEmpty && difference.itemInserts.isEmpty
        && difference.itemMoves.isEmpty)
    else {
      (removedItems, addedItems, moveTargets, moveSources) = ([:], [:], [:], [:])
      return
    }
    let moves = difference.itemMoves.filter { $0.from.isPossible && $0.to.isPossible }
    removedItems = Self.slots(difference.itemDeletes, moves.lazy.map(\.from))
    addedItems = Self.slots(difference.itemInserts, moves.lazy.map(\.to))
    moveTargets = Dictionary(
      moves.lazy.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    moveSources = Dictionary(
      moves.lazy.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
  }

  /// The slots at some paths, by section.
  private static func slots(
    _ set: ItemPathSet, _ paths: some Sequence<ItemPath>
  ) -> [Int: SlotList] {
    var ranges: [Int: [Range<Int>]] = [:]
    for range in set.ranges { ranges[range.section, default: []].append(range.items) }
    for path in paths { ranges[path.section, default: []].append(path.item..<path.item + 1) }
    return ranges.mapValues { SlotList($0) }
  }

  /// The new index of a section; `nil` if it is deleted.
  package func newSection(forOld section: Int) -> Int? { sections.new(forOld: section) }

  /// The old index of a section; `nil` if it is inserted.
  package func oldSection(forNew section: Int) -> Int? { sections.old(forNew: section) }

  /// The new path of an item; `nil` if the item is deleted, alone or with its section.
  package func newPath(forOld path: ItemPath) -> ItemPath? {
    translate(path, removedItems, addedItems, moveTargets, newSection(forOld:))
  }

  /// The old path of an item; `nil` if the item is inserted, alone or with its section.
  package func oldPath(forNew path: ItemPath) -> ItemPath? {
    translate(path, addedItems, removedItems, moveSources, oldSection(forNew:))
  }

  private func translate(
    _ path: ItemPath, _ leaving: [Int: SlotList], _ entering: [Int: SlotList],
    _ moves: [ItemPath: ItemPath], _ section: (Int) -> Int?
  ) -> ItemPath? {
    if let target = moves[path] { return target }
    let left = leaving[path.section] ?? SlotList()
    guard path.isPossible, let section = section(path.section), !left.contains(path.item) else {
      return nil
    }
    let entered = entering[section] ?? SlotList()
    let target = ItemPath(section: section, item: entered.free(at: left.rank(of: path.item)))
    return target.isPossible ? target : nil
  }
}

extension PositionMap {
  /// The old path of the item that moved to a path; `nil` if the item there has not moved.
  package func source(ofMoveTo path: ItemPath) -> ItemPath? { moveSources[path] }

  /// The new path of something that is before an old path; `nil` if its section is deleted.
  ///
  /// That is directly after the nearest item before it that is neither deleted nor moved.
  package func newGap(forOld path: ItemPath) -> ItemPath? {
    guard path.isPossible, let section = newSection(forOld: path.section) else { return nil }
    let staying = stayingItems(beforeOld: path)
    let added = addedItems[section] ?? SlotList()
    return ItemPath(section: section, item: staying == 0 ? 0 : added.free(at: staying - 1) + 1)
  }

  /// The number of staying items before an old path in its section; moved ones do not count.
  package func stayingItems(beforeOld path: ItemPath) -> Int {
    removedItems[path.section]?.rank(of: path.item) ?? path.item
  }

  /// The number of staying items before a new path in its section; moved ones do not count.
  package func stayingItems(beforeNew path: ItemPath) -> Int {
    addedItems[path.section]?.rank(of: path.item) ?? path.item
  }

  /// The number of staying sections before an old index; moved ones do not count.
  package func stayingSections(beforeOld section: Int) -> Int { sections.removed.rank(of: section) }

  /// The number of staying sections before a new index; moved ones do not count.
  package func stayingSections(beforeNew section: Int) -> Int { sections.added.rank(of: section) }

  /// Whether the section at a new index was inserted or moved.
  package func isPlaced(newSection section: Int) -> Bool { sections.added.contains(section) }

  /// The old index of the first section, neither deleted nor moved, that is not before a new place.
  package func oldSectionGap(forNew section: Int) -> Int {
    sections.removed.free(at: stayingSections(beforeNew: section))
  }
}

/// Whole sets, range by range.
extension PositionMap {
  /// The new indices of a set of sections, without those that are deleted.
  ///
  /// - Complexity: O((r + c) log c) for r ranges and c changes, however many sections they have.
  package func newSections(forOld set: RangeSet<Int>) -> RangeSet<Int> { sections.new(forOld: set) }

  /// The old indices of a set of sections, without those that are inserted.
  ///
  /// - Complexity: The same as ``newSections(forOld:)``.
  package func oldSections(forNew set: RangeSet<Int>) -> RangeSet<Int> { sections.old(forNew: set) }

  /// The new paths of a set of items, without those for which ``newPath(forOld:)`` returns `nil`.
  ///
  /// - Complexity: O((r + c) log c) for r ranges and c changes, however many items they have.
  package func newPaths(forOld set: ItemPathSet) -> ItemPathSet {
    translate(set, removedItems, addedItems, moveTargets, newSection(forOld:))
  }

  /// The old paths of a set of items, without those for which ``oldPath(forNew:)`` returns `nil`.
  ///
  /// - Complexity: The same as ``newPaths(forOld:)``.
  package func oldPaths(forNew set: ItemPathSet) -> ItemPathSet {
    translate(set, addedItems, removedItems, moveSources, oldSection(forNew:))
  }

  private func translate(
    _ set: ItemPathSet, _ leaving: [Int: SlotList], _ entering: [Int: SlotList],
    _ moves: [ItemPath: ItemPath], _ section: (Int) -> Int?
  ) -> ItemPathSet {
    guard !set.isEmpty else { return set }
    var ranges: [ItemPathSet.PathRange] = []
    for range in set.ranges {
      guard let section = section(range.section) else { continue }
      let ranks = (leaving[range.section] ?? SlotList()).ranks(of: range.items)
      ranges += (entering[section] ?? SlotList()).free(at: ranks)
        .map { .init(section: section, items: $0) }
    }
    for (from, to) in moves where set.contains(from) {
      ranges.append(.init(section: to.section, items: to.item..<to.item + 1))
    }
    return ItemPathSet(sorting: ranges)
  }

  /// The size of the state before the change.
  package func oldExtent(forNew new: SnapshotDifference.Extent) -> SnapshotDifference.Extent {
    .init(sections: new.sections - sections.added.count + sections.removed.count) { old in
      guard let section = newSection(forOld: old) else { return 0 }
      let staying = new.items(section) - (addedItems[section]?.count ?? 0)
      return staying + (removedItems[old]?.count ?? 0)
    }
  }
}

/// The same for one flat list.
private struct SlotMap {
  let removed: SlotList
  let added: SlotList
  private let targets: [Int: Int]
  private let sources: [Int: Int]

  init(deletes: RangeSet<Int>, inserts: RangeSet<Int>, moves: [Move<Int>]) {
    guard !(deletes.isEmpty && inserts.isEmpty && moves.isEmpty) else {
      (removed, added, targets, sources) = (SlotList(), SlotList(), [:], [:])
      return
    }
    let positions = ItemPath.indices
    let moves = moves.filter { positions.contains($0.from) && positions.contains($0.to) }
    removed = SlotList(deletes.ranges + moves.map { $0.from..<$0.from + 1 })
    added = SlotList(inserts.ranges + moves.map { $0.to..<$0.to + 1 })
    targets = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    sources = Dictionary(moves.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
  }

  func new(forOld index: Int) -> Int? { translate(index, removed, added, targets) }

  func old(forNew index: Int) -> Int? { translate(index, added, removed, sources) }

  func new(forOld set: RangeSet<Int>) -> RangeSet<Int> { translate(set, removed, added, targets) }

  func old(forNew set: RangeSet<Int>) -> RangeSet<Int> { translate(set, added, removed, sources) }

  private func translate(
    _ index: Int, _ leaving: SlotList, _ entering: SlotList, _ moves: [Int: Int]
  ) -> Int? {
    if let target = moves[index] { return target }
    let positions = ItemPath.indices
    guard positions.contains(index), !leaving.contains(index) else { return nil }
    let target = entering.free(at: leaving.rank(of: index))
    return positions.contains(target) ? target : nil
  }

  private func translate(
    _ set: RangeSet<Int>, _ leaving: SlotList, _ entering: SlotList, _ moves: [Int: Int]
  ) -> RangeSet<Int> {
    guard !set.isEmpty else { return set }
    var ranges = set.ranges.flatMap { entering.free(at: leaving.ranks(of: $0)) }
    for (from, to) in moves where set.contains(from) { ranges.append(to..<to + 1) }
    return RangeSet(sorting: ranges)
  }
}
