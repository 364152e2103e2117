import Diffable
import DiffableLayout

/// An item of a section that scrolls across the list, and its start on the screen.
struct OrthogonalPlace {
  let path: ItemPath
  let start: Double
}

/// The scroll offsets of sections that scroll across a list; they are always rest offsets.
@MainActor
struct SectionOffsets {
  private struct Offset {
    var value: Double
    /// The identity of the section, to find it again when the list is shown from scratch.
    let section: AnyItemID?
  }

  private var offsets: [Int: Offset] = [:]

  /// Whether no section was scrolled.
  var isEmpty: Bool { offsets.isEmpty }

  /// The scroll offset of a section.
  func offset(ofSection section: Int, _ row: OrthogonalRow) -> Double {
    guard let offset = offsets[section] else { return row.initialOffset }
    return row.restingOffset(near: offset.value)
  }

  /// The frame of a cell, with the current offset of its section.
  func frame(of path: ItemPath, in arrangement: Arrangement) -> LayoutRect? {
    guard var frame = arrangement.frame(of: path) else { return nil }
    if let row = arrangement.row(ofSection: path.section) {
      frame.move(row.axis, to: frame.start(row.axis) - offset(ofSection: path.section, row))
    }
    return frame
  }

  /// Scrolls the section of an item so that the item is visible.
  ///
  /// Nothing happens if the section does not scroll, or the whole item is already visible.
  mutating func reveal(
    _ path: ItemPath, in arrangement: Arrangement, identity: AnyItemID?
  ) {
    guard let row = arrangement.row(ofSection: path.section),
      let frame = arrangement.frame(of: path)
    else { return }
    let offset = offset(ofSection: path.section, row)
    let start = frame.start(row.axis) - row.viewport.start(row.axis)
    let end = frame.end(row.axis) - row.viewport.start(row.axis)
    guard start < offset || end > offset + row.viewportLength else { return }
    let slot = arrangement.slot(of: path)
    let target: Double
    switch row.behavior {
    case .none, .continuous:
      // The minimum distance.
      target = start < offset ? start : min(start, end - row.viewportLength)
    case .paging:
      let length = max(1, row.viewportLength)
      target = (start / length).rounded(.down) * length
    case .groupPagingCentered:
      target = row.restingOffset(ofGroup: row.group(ofItem: slot.item)) ?? offset
    case .continuousGroupLeadingBoundary, .groupPaging:
      var group = row.group(ofItem: slot.item)
      // Towards the end, the minimum distance: groups before it stay visible as far as there is
      // space.
      while start >= offset, let before = row.restingOffset(ofGroup: group - 1),
        before >= offset, before + row.viewportLength >= end
      {
        group -= 1
      }
      target = row.restingOffset(ofGroup: group) ?? offset
    }
    offsets[path.section] = Offset(value: row.restingOffset(near: target), section: identity)
  }

  /// The visible items of scrolled sections, in order.
  func places(of shown: [LayoutAttributes], in arrangement: Arrangement) -> [OrthogonalPlace] {
    shown.compactMap { attributes in
      guard let path = arrangement.item(of: attributes.element), offsets[path.section] != nil,
        let row = arrangement.row(ofSection: path.section)
      else { return nil }
      let start = attributes.frame.start(row.axis)
      guard start >= row.viewport.start(row.axis) else { return nil }
      return OrthogonalPlace(path: path, start: start)
    }
  }

  /// Scrolls sections so that the first remaining item of each is at its old place.
  mutating func restore(
    _ places: [OrthogonalPlace], in arrangement: Arrangement,
    _ newPath: (ItemPath) -> ItemPath? = { $0 }
  ) {
    var restored: Set<Int> = []
    for place in places {
      guard let path = newPath(place.path), !restored.contains(path.section),
        offsets[path.section] != nil, let row = arrangement.row(ofSection: path.section),
        let frame = arrangement.frame(of: path)
      else { continue }
      restored.insert(path.section)
      offsets[path.section]?.value =
        row.restingOffset(near: frame.start(row.axis) - place.start)
    }
  }

  /// Moves offsets along with their sections.
  mutating func move(by map: PositionMap) {
    var moved: [Int: Offset] = [:]
    for (section, offset) in offsets {
      guard let target = map.newSection(forOld: section) else { continue }
      moved[target] = offset
    }
    offsets = moved
  }

  /// Finds scrolled sections again in a list that is shown from scratch.
  mutating func findAgain(among identities: [AnyItemID?]) {
    let known = Dictionary(
      offsets.values.compactMap { offset in offset.section.map { ($0, offset) } },
      uniquingKeysWith: { first, _ in first })
    offsets = [:]
    for (section, identity) in identities.enumerated() {
      offsets[section] = identity.flatMap { known[$0] }
    }
  }
}

extension OrthogonalRow {
  /// The group of an item.
  ///
  /// - Complexity: O(log² groups).
  fileprivate func group(ofItem item: Int) -> Int {
    var low = 0
    var high = groupCount
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if items(ofGroup: middle).lowerBound <= item { low = middle } else { high = middle }
    }
    return low
  }
}
