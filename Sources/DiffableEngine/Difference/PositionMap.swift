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
  private let old: Side
  private let new: Side

  /// Creates the map of a difference.
  package init(_ difference: borrowing SnapshotDifference) {
    let positions = ItemPath.indices
    let sectionMoves = difference.sectionMoves.filter {
      positions.contains($0.from) && positions.contains($0.to)
    }
    let itemMoves = difference.itemMoves.filter { $0.from.isPossible && $0.to.isPossible }
    old = Side(difference.sectionDeletes, sectionMoves, difference.itemDeletes, itemMoves)
    new = Side(
      difference.sectionInserts, sectionMoves.lazy.map(\.inverse), difference.itemInserts,
      itemMoves.lazy.map(\.inverse))
  }

  /// The new index of a section; `nil` if it is deleted.
  package func newSection(forOld section: Int) -> Int? { old.translate(section, to: new) }

  /// The old index of a section; `nil` if it is inserted.
  package func oldSection(forNew section: Int) -> Int? { new.translate(section, to: old) }

  /// The new path of an item; `nil` if the item is deleted, alone or with its section.
  package func newPath(forOld path: ItemPath) -> ItemPath? { old.translate(path, to: new) }

  /// The old path of an item; `nil` if the item is inserted, alone or with its section.
  package func oldPath(forNew path: ItemPath) -> ItemPath? { new.translate(path, to: old) }
}

extension PositionMap {
  /// The old path of the item that moved to a path; `nil` if the item there has not moved.
  package func source(ofMoveTo path: ItemPath) -> ItemPath? { new.itemMoves[path] }

  /// The new path of something that is before an old path; `nil` if its section is deleted.
  ///
  /// That is directly after the nearest item before it that is neither deleted nor moved.
  package func newGap(forOld path: ItemPath) -> ItemPath? {
    guard path.isPossible, let section = newSection(forOld: path.section) else { return nil }
    let staying = stayingItems(beforeOld: path)
    let added = new.items[section] ?? SlotList()
    return ItemPath(section: section, item: staying == 0 ? 0 : added.free(at: staying - 1) + 1)
  }

  /// The number of staying items before an old path in its section; moved ones do not count.
  package func stayingItems(beforeOld path: ItemPath) -> Int {
    old.items[path.section]?.rank(of: path.item) ?? path.item
  }

  /// The number of staying items before a new path in its section; moved ones do not count.
  package func stayingItems(beforeNew path: ItemPath) -> Int {
    new.items[path.section]?.rank(of: path.item) ?? path.item
  }

  /// The number of staying sections before an old index; moved ones do not count.
  package func stayingSections(beforeOld section: Int) -> Int { old.sections.rank(of: section) }

  /// The number of staying sections before a new index; moved ones do not count.
  package func stayingSections(beforeNew section: Int) -> Int { new.sections.rank(of: section) }

  /// Whether the section at a new index was inserted or moved.
  package func isPlaced(newSection section: Int) -> Bool { new.sections.contains(section) }

  /// The old index of the first section, neither deleted nor moved, that is not before a new place.
  package func oldSectionGap(forNew section: Int) -> Int {
    old.sections.free(at: stayingSections(beforeNew: section))
  }
}

/// Whole sets, range by range.
extension PositionMap {
  /// The new indices of a set of sections, without those that are deleted.
  ///
  /// - Complexity: O((r + c) log c) for r ranges and c changes, however many sections they have.
  package func newSections(forOld set: RangeSet<Int>) -> RangeSet<Int> {
    old.translate(set, to: new)
  }

  /// The old indices of a set of sections, without those that are inserted.
  ///
  /// - Complexity: The same as ``newSections(forOld:)``.
  package func oldSections(forNew set: RangeSet<Int>) -> RangeSet<Int> {
    new.translate(set, to: old)
  }

  /// The new paths of a set of items, without those for which ``newPath(forOld:)`` returns `nil`.
  ///
  /// - Complexity: O((r + c) log c) for r ranges and c changes, however many items they have.
  package func newPaths(forOld set: ItemPathSet) -> ItemPathSet { old.translate(set, to: new) }

  /// The old paths of a set of items, without those for which ``oldPath(forNew:)`` returns `nil`.
  ///
  /// - Complexity: The same as ``newPaths(forOld:)``.
  package func oldPaths(forNew set: ItemPathSet) -> ItemPathSet { new.translate(set, to: old) }

  /// The size of the state before the change.
  package func oldExtent(forNew extent: SnapshotDifference.Extent) -> SnapshotDifference.Extent {
    .init(sections: extent.sections - new.sections.count + old.sections.count) { section in
      guard let target = newSection(forOld: section) else { return 0 }
      let staying = extent.items(target) - (new.items[target]?.count ?? 0)
      return staying + (old.items[section]?.count ?? 0)
    }
  }
}

/// The places of one side that the other side does not have in the same order.
private struct Side: Sendable {
  /// The sections that are deleted, inserted or moved.
  let sections: SlotList
  /// Such items, by section.
  let items: [Int: SlotList]
  /// The places of moved elements on the other side.
  let sectionMoves: [Int: Int]
  let itemMoves: [ItemPath: ItemPath]

  /// - Parameters:
  ///   - sections: Those that are only on this side.
  ///   - sectionMoves: From this side to the other one.
  ///   - items: Those that are only on this side.
  ///   - itemMoves: From this side to the other one.
  init(
    _ sections: RangeSet<Int>, _ sectionMoves: some Collection<Move<Int>>, _ items: ItemPathSet,
    _ itemMoves: some Collection<Move<ItemPath>>
  ) {
    // Many changes only refresh items, so what is empty allocates nothing.
    let hasSections = !sections.isEmpty || !sectionMoves.isEmpty
    self.sections =
      hasSections
      ? SlotList(sections.ranges + sectionMoves.map { $0.from..<$0.from + 1 }) : SlotList()
    var ranges: [Int: [Range<Int>]] = [:]
    for range in items.ranges { ranges[range.section, default: []].append(range.items) }
    for move in itemMoves {
      ranges[move.from.section, default: []].append(move.from.item..<move.from.item + 1)
    }
    self.items = ranges.isEmpty ? [:] : ranges.mapValues { SlotList($0) }
    self.sectionMoves = Dictionary(
      sectionMoves.lazy.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    self.itemMoves = Dictionary(
      itemMoves.lazy.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
  }

  /// The place of a section on the other side; `nil` if it is not there.
  func translate(_ index: Int, to other: Side) -> Int? {
    if let target = sectionMoves[index] { return target }
    let positions = ItemPath.indices
    guard positions.contains(index), !sections.contains(index) else { return nil }
    let target = other.sections.free(at: sections.rank(of: index))
    return positions.contains(target) ? target : nil
  }

  /// The same of an item.
  func translate(_ path: ItemPath, to other: Side) -> ItemPath? {
    if let target = itemMoves[path] { return target }
    let left = items[path.section] ?? SlotList()
    guard path.isPossible, let section = translate(path.section, to: other),
      !left.contains(path.item)
    else { return nil }
    let entered = other.items[section] ?? SlotList()
    let target = ItemPath(section: section, item: entered.free(at: left.rank(of: path.item)))
    return target.isPossible ? target : nil
  }

  /// The places of those sections of a set that are on the other side.
  func translate(_ set: RangeSet<Int>, to other: Side) -> RangeSet<Int> {
    guard !set.isEmpty else { return set }
    var ranges = set.ranges.flatMap { other.sections.free(at: sections.ranks(of: $0)) }
    for (from, to) in sectionMoves where set.contains(from) { ranges.append(to..<to + 1) }
    return RangeSet(sorting: ranges)
  }

  /// The same of items.
  func translate(_ set: ItemPathSet, to other: Side) -> ItemPathSet {
    guard !set.isEmpty else { return set }
    var ranges: [ItemPathSet.PathRange] = []
    for range in set.ranges {
      guard let section = translate(range.section, to: other) else { continue }
      let ranks = (items[range.section] ?? SlotList()).ranks(of: range.items)
      ranges += (other.items[section] ?? SlotList()).free(at: ranks)
        .map { .init(section: section, items: $0) }
    }
    for (from, to) in itemMoves where set.contains(from) {
      ranges.append(.init(section: to.section, items: to.item..<to.item + 1))
    }
    return ItemPathSet(sorting: ranges)
  }
}
