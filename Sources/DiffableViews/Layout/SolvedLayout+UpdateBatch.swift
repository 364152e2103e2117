public import Diffable
public import DiffableLayout

extension SolvedLayout {
  /// The layout of the state after a batch; everything that stays valid is kept.
  ///
  /// Sections before the first one that the batch affects are not solved again, and measured sizes
  /// move with their items and sections. These are measured again: reloaded and reconfigured items,
  /// everything in a reloaded section, the header and footer of a reconfigured section, and items and
  /// headers whose new place has another width, or measures other lengths.
  ///
  /// If a batch shows its state from scratch, nothing is kept. If a section has an unexpected
  /// number of items, nothing is kept from that section on: the layout does not match the state
  /// before the batch then.
  ///
  /// - Throws: ``/DiffableLayout/LayoutError``, as solving the state after the batch does.
  /// - Complexity: O(s + r + c log c + m · log n) for s sections, r of them solved again, c
  ///   changes, and m measured sizes of n items in those sections. A waterfall costs
  ///   O(items · log lanes).
  public func updated<SectionID, ItemID>(
    by batch: UpdateBatch<SectionID, ItemID>
  ) throws(LayoutError) -> SolvedLayout {
    guard batch.base != nil, let expected = batch.previousSnapshot?.itemCounts else {
      return try layout.solve(batch.snapshot, in: environment)
    }
    return try updated(
      by: batch.difference, itemCounts: batch.snapshot.itemCounts,
      validBefore: itemCounts.firstDifference(from: expected))
  }

  /// The layout after a difference; everything that stays valid is kept.
  ///
  /// - Parameters:
  ///   - difference: What changed since the state of this layout.
  ///   - itemCounts: The number of items in each section afterwards.
  ///   - end: The first section that is not as it was before the difference: from there on, nothing is kept.
  /// - Throws: ``/DiffableLayout/LayoutError``, as solving the state afterwards does.
  /// - Complexity: As ``updated(by:)``.
  package func updated(
    by difference: SnapshotDifference, itemCounts: [Int], validBefore end: Int = .max
  ) throws(LayoutError) -> SolvedLayout {
    let validity = LayoutValidity(difference)
    // A section with another count is affected, whatever the difference contains.
    let firstChange = min(
      end, validity.firstChange ?? .max, self.itemCounts.firstDifference(from: itemCounts))
    var result = try updated(itemCounts: itemCounts, from: firstChange) { section in
      section < end ? validity.newSection(section) : nil
    } newPath: { path in
      path.section < end ? validity.newPath(path) : nil
    }
    var refreshed: [LayoutPath: LayoutExtent?] = [:]
    for range in validity.refreshedItems.ranges where range.section < firstChange {
      guard itemCounts.indices.contains(range.section) else { continue }
      for item in range.items.clamped(to: 0..<itemCounts[range.section]) {
        let path = LayoutPath(section: range.section, item: item)
        if result.measuredSize(of: .item(path)) != nil { refreshed.updateValue(nil, forKey: path) }
      }
    }
    try result.takeIfMeasured(refreshed)
    return result
  }
}

extension [Int] {
  /// The first index where another array has another number, or none; `Int.max` if both are equal.
  fileprivate func firstDifference(from other: [Int]) -> Int {
    let first = zip(self, other).enumerated().first { $1.0 != $1.1 }?.offset
    return first ?? (count == other.count ? .max : Swift.min(count, other.count))
  }
}

/// The parts of a layout that stay valid after a difference.
private struct LayoutValidity {
  /// The first section, in either index space, that has changed; `nil` if none has.
  ///
  /// Before it, both index spaces are the same.
  let firstChange: Int?

  /// The items that stay but have to be measured again, in the new index space.
  let refreshedItems: ItemPathSet

  private let map: PositionMap
  /// In the old index space.
  private let reloadedSections: RangeSet<Int>
  /// The sections whose headers and footers show something else, in the new index space.
  private let reconfiguredSections: RangeSet<Int>
  /// The reloaded sections in the new index space.
  private let reloadedTargets: RangeSet<Int>

  init(_ difference: SnapshotDifference) {
    let map = PositionMap(difference)
    self.map = map
    reloadedSections = difference.sectionReloads
    reconfiguredSections = difference.sectionReconfigures
    reloadedTargets = map.newSections(forOld: difference.sectionReloads)
    refreshedItems = ItemPathSet(
      sorting: difference.itemReconfigures.ranges
        + map.newPaths(forOld: difference.itemReloads).ranges)
    let sections = [
      difference.sectionDeletes, difference.sectionInserts, difference.sectionReloads,
      difference.sectionReconfigures,
    ].compactMap { $0.ranges.first?.lowerBound }
    let sectionMoves = difference.sectionMoves.lazy.map { min($0.from, $0.to) }
    let items = [difference.itemDeletes, difference.itemInserts].compactMap { $0.first?.section }
    let itemMoves = difference.itemMoves.lazy.map { min($0.from.section, $0.to.section) }
    firstChange = [sections.min(), sectionMoves.min(), items.min(), itemMoves.min()]
      .compactMap(\.self).min()
  }

  /// The section where a header and footer stay valid.
  func newSection(_ section: Int) -> Int? {
    guard !reloadedSections.contains(section), let new = map.newSection(forOld: section),
      !reconfiguredSections.contains(new)
    else { return nil }
    return new
  }

  /// The path where the measured size of an item stays valid.
  func newPath(_ path: LayoutPath) -> LayoutPath? {
    guard !reloadedSections.contains(path.section),
      let target = map.newPath(forOld: ItemPath(section: path.section, item: path.item)),
      !reloadedTargets.contains(target.section), !refreshedItems.contains(target)
    else { return nil }
    return LayoutPath(target)
  }
}
