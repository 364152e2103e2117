import Diffable

/// Checks of outlines, which a delta holds twice: as rows, and as visible items in the difference.
///
/// Both must say the same.
extension DeltaPlan {
  mutating func gatherOutlines(_ after: SnapshotDifference.Extent) throws(DeltaError) {
    let indices = delta.difference.outlineChanges.ranges.joined()
    for (index, change) in zip(indices, delta.outlines) {
      guard let section = positions.oldSection(forNew: index) else {
        throw .misfit(reason: "section \(index) is new and has no outline to change")
      }
      let outline = old.outline(ofSectionAt: section)
      switch (change, outline) {
      case (.list, nil):
        throw .misfit(reason: "section \(index) is a list already")
      case (.list, _): outlines[index] = .list
      case (.outline(let new), _):
        outlines[index] = .whole(new)
        try check(new, at: index, from: section)
      case (.splices, nil):
        throw .misfit(reason: "section \(index) is a list and has no rows to change")
      case (.splices(let splices), let outline?):
        let spliced = try outline.applying(splices)
        outlines[index] = .spliced(spliced, splices)
        try check(
          spliced, splices, of: outline, from: section, to: index, count: after.items(index))
      }
    }
    // An outline that does not change shows the same items.
    for range in leaving.ranges where isOutline(oldSection: range.section) {
      try checkIsTold(positions.newSection(forOld: range.section))
    }
    for section in entering.keys where isOutline(newSection: section) { try checkIsTold(section) }
  }

  private func checkIsTold(_ section: Int?) throws(DeltaError) {
    guard let section, outlines[section] == nil else { return }
    throw .misfit(reason: "section \(section) shows other items, but its outline has not changed")
  }

  /// Checks that a section has the items that a whole outline shows.
  ///
  /// - Complexity: O(n) for n items before and after.
  private func check(
    _ new: Outline<ItemID>, at index: Int, from section: Int
  ) throws(DeltaError) {
    var items: [ItemID] = []
    var entering = (entering[index] ?? [])[...]
    func takeEntering() {
      while let next = entering.first, next.index == items.count {
        items.append(next.item)
        entering.removeFirst()
      }
    }
    takeEntering()
    for (place, item) in old.items(inSectionAt: section).enumerated()
    where !leaving.contains(ItemPath(section: section, item: place)) {
      items.append(item)
      takeEntering()
    }
    guard entering.isEmpty, items == new.visibleItems else { throw disagreement(index) }
  }

  /// Checks that a section has the items that its outline shows after some splices.
  ///
  /// It is enough to check inserted items, the rows of splices, and the rows that splices have
  /// shown or hidden. Suppose all of these are where the difference has them, and there are as many
  /// items as visible rows. Then the other items fill the same places in the same order.
  private func check(
    _ spliced: Outline<ItemID>.Spliced, _ splices: [RowSplice<ItemID>], of old: Outline<ItemID>,
    from section: Int, to index: Int, count: Int
  ) throws(DeltaError) {
    let new = spliced.outline
    let entering = entering[index] ?? []
    var entered: [Int: ItemID] = [:]
    for (place, item) in entering {
      guard let row = new.position(ofVisibleRow: place), new.rows[row].id == item else {
        throw disagreement(index)
      }
      entered[place] = item
    }
    func leaves(_ place: Int) -> Bool { leaving.contains(ItemPath(section: section, item: place)) }
    /// Whether an item that stays is where the difference has it.
    func isPlaced(_ item: ItemID, from place: Int?, to target: Int?) -> Bool {
      guard let place, let target, !leaves(place) else { return false }
      return positions.newPath(forOld: ItemPath(section: section, item: place))
        == ItemPath(section: index, item: target)
    }
    var isFit = new.visibleCount(before: new.count) == count
    for row in splices.lazy.flatMap(\.rows) {
      guard let position = new.position(of: row.id),
        let place = new.visibleIndex(ofRowAt: position),
        entered[place] == nil
      else { continue }
      let origin = old.position(of: row.id).flatMap(old.visibleIndex(ofRowAt:))
      if !isPlaced(row.id, from: origin, to: place) { isFit = false }
    }
    for position in splices.lazy.flatMap(\.old) {
      guard let place = old.visibleIndex(ofRowAt: position), !leaves(place) else { continue }
      let item = old.rows[position].id
      let target = new.position(of: item).flatMap(new.visibleIndex(ofRowAt:))
      if !isPlaced(item, from: place, to: target) { isFit = false }
    }
    for (position, origin) in spliced.toggled {
      if let place = new.visibleIndex(ofRowAt: position) {
        if entered[place] == nil { isFit = false }
      } else if let place = old.visibleIndex(ofRowAt: origin), !leaves(place) {
        isFit = false
      }
    }
    guard isFit else { throw disagreement(index) }
  }

  private func disagreement(_ index: Int) -> DeltaError {
    .misfit(reason: "the items of section \(index) are not those that its outline shows")
  }
}
