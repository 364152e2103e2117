import Diffable
import DiffableLayout
import DiffableViews

/// The scroll positions of sections that scroll across a list; they are always rest offsets.
///
/// What is visible in such a section stays there as it does in a list, so each has a viewport. Its
/// offsets are counted from the first rest offset.
@MainActor
struct SectionOffsets {
  fileprivate struct Shelf {
    var viewport = Viewport()
    /// The identities of the section and of its anchored item, to find them again when the list is
    /// shown from scratch.
    var section: AnyItemID?
    var item: AnyItemID?
  }

  /// The sections that were scrolled.
  private var shelves: [Int: Shelf] = [:]

  /// Whether no section was scrolled.
  var isEmpty: Bool { shelves.isEmpty }

  /// The scroll offset of a section.
  func offset(ofSection section: Int, _ row: OrthogonalRow) -> Double {
    guard let shelf = shelves[section] else { return row.initialOffset }
    return row.restingOffset(near: shelf.viewport.offset + row.initialOffset)
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
  mutating func reveal(_ path: ItemPath, in arrangement: Arrangement) {
    guard let row = arrangement.row(ofSection: path.section),
      let span = arrangement.span(of: path, in: row)
    else { return }
    let offset = offset(ofSection: path.section, row)
    let (start, end) = (span.lowerBound + row.initialOffset, span.upperBound + row.initialOffset)
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
    shelves[path.section, default: Shelf()].viewport.observe(
      row, at: row.restingOffset(near: target), rows: [VisibleRow(path: path, span: span)])
  }
}

// MARK: Changes

extension SectionOffsets {
  /// Moves scrolled sections by a change; the first item that stays in each of them keeps its place.
  mutating func follow(_ difference: SnapshotDifference, _ map: PositionMap, itemCounts: [Int]) {
    let extent = ListExtent(sectionCount: itemCounts.count) { itemCounts[$0] }
    var moved: [Int: Shelf] = [:]
    for (section, shelf) in shelves {
      guard let target = map.newSection(forOld: section) else { continue }
      var shelf = shelf
      let anchor = shelf.viewport.anchor(through: difference, of: extent)
      shelf.hold(anchor, at: anchor.path.flatMap(map.newPath(forOld:)), in: target)
      moved[target] = shelf
    }
    shelves = moved
  }

  /// Finds scrolled sections and their items again in a list that is shown from scratch.
  mutating func findAgain(
    in content: (any ListContent<TerminalCell, TerminalCell>)?, sectionCount: Int
  ) {
    let known = Dictionary(
      shelves.values.compactMap { shelf in shelf.section.map { ($0, shelf) } },
      uniquingKeysWith: { first, _ in first })
    shelves = [:]
    for section in 0..<sectionCount {
      let identity = content?.identity(ofSectionAt: section)
      guard var shelf = identity.flatMap({ known[$0] }) else { continue }
      let path = shelf.item.flatMap { content?.itemPath(withIdentity: $0) }
      shelf.hold(shelf.viewport.anchor, at: path, in: section)
      shelves[section] = shelf
    }
  }

  /// Computes the offsets for the current sizes.
  mutating func settle(in arrangement: Arrangement) {
    for section in shelves.keys {
      guard let row = arrangement.row(ofSection: section) else { continue }
      shelves[section]?.viewport.resize(to: row.viewportLength)
      shelves[section]?.viewport.settle(contentLength: row.restingLength) {
        arrangement.span(of: $0, in: row)
      }
    }
  }

  /// Records what is visible in scrolled sections.
  ///
  /// A section that is off the screen keeps its place.
  mutating func rest(
    _ shown: [LayoutAttributes], in arrangement: Arrangement,
    _ content: (any ListContent<TerminalCell, TerminalCell>)?
  ) {
    guard !isEmpty else { return }
    let paths = Dictionary(
      grouping: shown.compactMap { arrangement.item(of: $0.element) }, by: \.section)
    for (section, paths) in paths where shelves[section] != nil {
      guard let row = arrangement.row(ofSection: section) else { continue }
      let offset = offset(ofSection: section, row)
      let range = offset - row.initialOffset..<offset - row.initialOffset + row.viewportLength
      let rows = paths.compactMap { path in
        arrangement.span(of: path, in: row).map { VisibleRow(path: path, span: $0) }
      }
      shelves[section]?.viewport.observe(
        row, at: offset, rows: rows.filter { $0.span.overlaps(range) })
      let anchored = shelves[section]?.viewport.anchor.path
      shelves[section]?.section = content?.identity(ofSectionAt: section)
      shelves[section]?.item = anchored.flatMap { content?.identity(ofItemAt: $0) }
    }
  }
}

extension SectionOffsets.Shelf {
  /// Holds an anchor for an item at its new path, if that is still in the section.
  fileprivate mutating func hold(_ anchor: ListAnchor, at path: ItemPath?, in section: Int) {
    // An item that moves to another section does not bring its section along.
    let isHere = anchor.path == nil || path?.section == section
    viewport.hold(isHere ? path.map(anchor.moved) ?? anchor : .offset)
  }
}

extension Viewport {
  /// Records what is visible in a section that scrolls across the list.
  fileprivate mutating func observe(
    _ row: OrthogonalRow, at offset: Double, rows: [VisibleRow]
  ) {
    observe(
      offset: offset - row.initialOffset, length: row.viewportLength,
      contentLength: row.restingLength, rows: rows)
  }
}

extension Arrangement {
  /// The place of an item in its section, counted from the first rest offset.
  fileprivate func span(of path: ItemPath, in row: OrthogonalRow) -> Range<Double>? {
    guard let frame = frame(of: path) else { return nil }
    let start = frame.start(row.axis) - row.viewport.start(row.axis) - row.initialOffset
    return start..<start + max(0, frame.end(row.axis) - frame.start(row.axis))
  }
}

extension OrthogonalRow {
  /// The length of the part in which the section can rest.
  fileprivate var restingLength: Double {
    restingOffset(near: contentLength) - initialOffset + viewportLength
  }

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
