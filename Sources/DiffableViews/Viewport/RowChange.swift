import Diffable

/// What a change does to the rows of a list, by their paths before it.
struct RowChange {
  private let difference: SnapshotDifference
  private let extent: SnapshotDifference.Extent
  private let map: PositionMap
  /// The sections that the change moves, by their indices after it.
  private let movedSections: Set<Int>

  init(_ difference: SnapshotDifference, of extent: SnapshotDifference.Extent) {
    (self.difference, self.extent) = (difference, extent)
    map = PositionMap(difference)
    movedSections = Set(difference.sectionMoves.lazy.map(\.to))
  }

  /// Whether a row exists after the change.
  func remains(_ path: ItemPath) -> Bool { map.newPath(forOld: path) != nil }

  /// Whether the change leaves a row where it is among those that it does not move.
  func stays(_ path: ItemPath) -> Bool {
    guard let target = map.newPath(forOld: path) else { return false }
    return map.source(ofMoveTo: target) == nil && !movedSections.contains(target.section)
  }

  /// The nearest row before a path that exists after the change.
  func row(before path: ItemPath) -> ItemPath? {
    // A path of the host may be of no row, and far from all of them.
    let last = extent.sections - 1
    var (section, end) = path.section > last ? (last, .max) : (path.section, max(0, path.item))
    while section >= 0 {
      if let item = self.last(in: section, before: end) {
        return ItemPath(section: section, item: item)
      }
      section -= 1
      end = .max
    }
    return nil
  }

  /// The nearest row after a path that exists after the change.
  func row(after path: ItemPath) -> ItemPath? {
    var (section, start) =
      path.section < 0 ? (0, 0) : (path.section, path.item == .max ? .max : max(0, path.item + 1))
    while section < extent.sections {
      if let item = first(in: section, from: start) {
        return ItemPath(section: section, item: item)
      }
      section += 1
      start = 0
    }
    return nil
  }

  private func last(in section: Int, before end: Int) -> Int? {
    guard !difference.sectionDeletes.contains(section) else { return nil }
    var item = min(end, extent.items(section)) - 1
    while item >= 0 {
      guard let deleted = difference.itemDeletes.items(around: item, inSection: section) else {
        return item
      }
      item = deleted.lowerBound - 1
    }
    return nil
  }

  private func first(in section: Int, from start: Int) -> Int? {
    guard !difference.sectionDeletes.contains(section) else { return nil }
    let count = extent.items(section)
    var item = start
    while item < count {
      guard let deleted = difference.itemDeletes.items(around: item, inSection: section) else {
        return item
      }
      item = deleted.upperBound
    }
    return nil
  }
}

extension ItemPathSet {
  /// The range of the set that contains an item; `nil` if the item is not in the set.
  ///
  /// - Complexity: O(log r) for r ranges.
  fileprivate func items(around item: Int, inSection section: Int) -> Range<Int>? {
    let next = ranges.partitioningIndex { ($0.section, $0.items.lowerBound) > (section, item) }
    guard next > 0, ranges[next - 1].section == section, ranges[next - 1].items.contains(item)
    else { return nil }
    return ranges[next - 1].items
  }
}
