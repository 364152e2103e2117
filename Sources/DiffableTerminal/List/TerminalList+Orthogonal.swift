import Diffable
import DiffableLayout
import DiffableViews

/// How far a section that scrolls across the list is scrolled.
struct OrthogonalOffset {
  var value: Double
  /// What identifies the section, to find it again when the list is shown from scratch.
  let section: AnyItemID?
}

/// An item of a section that scrolls across the list, and where on the screen it begins.
struct OrthogonalPlace {
  let path: ItemPath
  let start: Double
}

/// Which part of a section that scrolls across a list is in sight, counted in parts as long as the
/// list is wide.
public struct OrthogonalPage: Hashable, Sendable {
  /// The page in sight, from 0; the last one where the end of the section is in sight.
  public let index: Int
  /// The number of pages, at least 1.
  public let count: Int
}

extension TerminalList {
  /// The page of a section that is in sight; `nil` where the section does not scroll across the list.
  public func orthogonalPage(ofSection section: Int) -> OrthogonalPage? {
    guard let row = solved?.orthogonalRow(ofSection: section), row.viewportLength > 0 else {
      return nil
    }
    let count = max(1, Int(cells: (row.contentLength / row.viewportLength).rounded(.up)))
    let index = Int(
      cells: (offset(ofSection: section, row) / row.viewportLength).rounded(.up))
    return OrthogonalPage(index: min(max(0, index), count - 1), count: count)
  }

  /// How far a section is scrolled: always where it comes to rest.
  func offset(ofSection section: Int, _ row: OrthogonalRow) -> Double {
    guard let offset = orthogonal[section] else { return row.initialOffset }
    return row.restingOffset(near: offset.value)
  }

  /// Scrolls a section to where it rests near an offset.
  func scroll(section: Int, _ row: OrthogonalRow, to offset: Double) {
    orthogonal[section] = OrthogonalOffset(
      value: row.restingOffset(near: offset), section: content?.identity(ofSectionAt: section))
  }

  /// Scrolls the section of a slot so that the slot is in sight; nothing happens if the section does
  /// not scroll, or shows all of the slot already.
  func revealAcross(_ slot: LayoutPath) {
    guard let row = solved?.orthogonalRow(ofSection: slot.section),
      let frame = solved?.frame(for: slot)
    else { return }
    let offset = offset(ofSection: slot.section, row)
    let start = frame.start(row.axis) - row.viewport.start(row.axis)
    let end = frame.end(row.axis) - row.viewport.start(row.axis)
    guard start < offset || end > offset + row.viewportLength else { return }
    switch row.behavior {
    case .none, .continuous:
      // As little as it takes.
      let target = start < offset ? start : min(start, end - row.viewportLength)
      scroll(section: slot.section, row, to: target)
    case .paging:
      let length = max(1, row.viewportLength)
      scroll(section: slot.section, row, to: (start / length).rounded(.down) * length)
    case .groupPagingCentered:
      let group = row.group(ofItem: slot.item)
      scroll(section: slot.section, row, to: row.restingOffset(ofGroup: group) ?? offset)
    case .continuousGroupLeadingBoundary, .groupPaging:
      var group = row.group(ofItem: slot.item)
      // Towards the end as little as it takes: as many groups before it stay as there is room for.
      while start >= offset, let before = row.restingOffset(ofGroup: group - 1),
        before >= offset, before + row.viewportLength >= end
      {
        group -= 1
      }
      scroll(section: slot.section, row, to: row.restingOffset(ofGroup: group) ?? offset)
    }
  }

  /// The visible items of the sections that are scrolled, in order.
  func orthogonalPlaces() -> [OrthogonalPlace] {
    var places: [OrthogonalPlace] = []
    for attributes in shown {
      guard let path = item(of: attributes.element), orthogonal[path.section] != nil,
        let row = solved?.orthogonalRow(ofSection: path.section)
      else { continue }
      let start = attributes.frame.start(row.axis)
      guard start >= row.viewport.start(row.axis) else { continue }
      places.append(OrthogonalPlace(path: path, start: start))
    }
    return places
  }

  /// Scrolls sections so that the first item of each that is still there is where it was.
  func restore(_ places: [OrthogonalPlace], _ newPath: (ItemPath) -> ItemPath?) {
    var restored: Set<Int> = []
    for place in places {
      guard let path = newPath(place.path), !restored.contains(path.section),
        orthogonal[path.section] != nil, let row = solved?.orthogonalRow(ofSection: path.section),
        let frame = solved?.frame(for: marks.slot(of: path))
      else { continue }
      restored.insert(path.section)
      scroll(section: path.section, row, to: frame.start(row.axis) - place.start)
    }
  }

  func restore(_ places: [OrthogonalPlace], _ map: PositionMap) {
    restore(places) { path in
      let target = map.newPath(forOld: path)
      // An item that goes to another section takes no section along.
      return target?.section == map.newSection(forOld: path.section) ? target : nil
    }
  }

  /// Takes offsets along to where a change moves their sections.
  func moveSections(_ map: PositionMap) {
    var moved: [Int: OrthogonalOffset] = [:]
    for (section, offset) in orthogonal {
      guard let target = map.newSection(forOld: section) else { continue }
      moved[target] = offset
    }
    orthogonal = moved
  }

  /// Finds the sections that are scrolled in a list that is shown from scratch.
  func findSectionsAgain() {
    guard !orthogonal.isEmpty else { return }
    let offsets = Dictionary(
      orthogonal.values.compactMap { offset in offset.section.map { ($0, offset) } },
      uniquingKeysWith: { first, _ in first })
    orthogonal = [:]
    for section in itemCounts.indices {
      guard let identity = content?.identity(ofSectionAt: section) else { continue }
      orthogonal[section] = offsets[identity]
    }
  }
}

extension OrthogonalRow {
  /// The group that an item is in.
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
