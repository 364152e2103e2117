package import Diffable
package import DiffableLayout

/// The layout of a list with sections that scroll across it.
@MainActor
package protocol SectionLayout {
  /// The scrolling of a section across the list; `nil` if it does not scroll that way.
  func row(ofSection section: Int) -> OrthogonalRow?
  /// The index of an item in its section of the layout.
  func slot(of path: ItemPath) -> Int
  /// The place of an item in its section, counted from the leading edge of the first group.
  func span(of path: ItemPath, in row: OrthogonalRow) -> Range<Double>?
}

/// The scroll positions of sections that scroll across a list.
///
/// What is visible in such a section stays there as it does in a list, so each has a viewport. Its
/// offsets are counted from the first rest offset. Only a section that the user drags is anywhere
/// else than at a rest offset.
@MainActor
package struct SectionOffsets {
  fileprivate struct Shelf {
    var viewport = Viewport()
    var isDragged = false
    /// The identities of the section and of its anchored item, to find them again when the list is
    /// shown from scratch.
    var section: AnyItemID?
    var item: AnyItemID?
  }

  /// The sections that were scrolled.
  private var shelves: [Int: Shelf] = [:]

  /// Creates the positions of a list in which no section was scrolled.
  package nonisolated init() {}

  /// Whether no section was scrolled.
  package var isEmpty: Bool { shelves.isEmpty }
  /// The sections that were scrolled.
  package var sections: [Int] { Array(shelves.keys) }

  /// The scroll offset of a section.
  package func offset(ofSection section: Int, _ row: OrthogonalRow) -> Double {
    guard let shelf = shelves[section] else { return row.initialOffset }
    let offset = shelf.viewport.offset + row.initialOffset
    return shelf.isDragged ? offset : row.restingOffset(near: offset)
  }

  /// Scrolls a section to an offset.
  package mutating func scroll(
    _ section: Int, to offset: Double, _ row: OrthogonalRow, isDragged: Bool
  ) {
    shelves[section, default: Shelf()].viewport.observe(row, at: offset, rows: [])
    shelves[section]?.isDragged = isDragged
  }

  /// Scrolls the section of an item so that the item is visible.
  ///
  /// Nothing happens if the section does not scroll, or the whole item is already visible.
  package mutating func reveal(_ path: ItemPath, in layout: some SectionLayout) {
    guard let row = layout.row(ofSection: path.section),
      let span = layout.span(of: path, in: row)
    else { return }
    let offset = offset(ofSection: path.section, row)
    let (start, end) = (span.lowerBound, span.upperBound)
    guard start < offset || end > offset + row.viewportLength else { return }
    let slot = layout.slot(of: path)
    let target: Double
    switch row.behavior {
    case .none, .continuous:
      // The minimum distance.
      target = start < offset ? start : min(start, end - row.viewportLength)
    case .paging:
      let length = max(1, row.viewportLength)
      target = (start / length).rounded(.down) * length
    case .groupPagingCentered:
      target = row.restingOffset(ofGroup: row.group(ofItem: slot)) ?? offset
    case .continuousGroupLeadingBoundary, .groupPaging:
      var group = row.group(ofItem: slot)
      // Towards the end, the minimum distance: groups before it stay visible as far as there is
      // space.
      while start >= offset, let before = row.restingOffset(ofGroup: group - 1),
        before >= offset, before + row.viewportLength >= end
      {
        group -= 1
      }
      target = row.restingOffset(ofGroup: group) ?? offset
    }
    shelves[path.section, default: Shelf()].isDragged = false
    shelves[path.section]?.viewport.observe(
      row, at: row.restingOffset(near: target), rows: [row.visible(path, span)])
  }
}

// MARK: Changes

extension SectionOffsets {
  /// Moves scrolled sections by a change; the first item that stays in each of them keeps its place.
  ///
  /// - Parameters:
  ///   - difference: The change.
  ///   - map: The position map of the change.
  ///   - itemCounts: The number of items in each section before it.
  package mutating func follow(
    _ difference: SnapshotDifference, _ map: PositionMap, itemCounts: [Int]
  ) {
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
  package mutating func findAgain(in content: (any ListContent)?, sectionCount: Int) {
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
  package mutating func settle(in layout: some SectionLayout) {
    for section in shelves.keys {
      guard let row = layout.row(ofSection: section) else { continue }
      shelves[section]?.viewport.resize(to: row.viewportLength)
      shelves[section]?.viewport.settle(contentLength: row.restingLength) { path in
        layout.span(of: path, in: row).map { row.visible(path, $0).span }
      }
    }
  }

  /// Records what is visible in scrolled sections.
  ///
  /// A section without visible items keeps its place.
  ///
  /// - Parameters:
  ///   - paths: The visible items.
  ///   - layout: The layout.
  ///   - content: What the list shows.
  package mutating func rest(
    _ paths: [ItemPath], in layout: some SectionLayout, _ content: (any ListContent)?
  ) {
    guard !isEmpty else { return }
    for (section, paths) in Dictionary(grouping: paths, by: \.section)
    where shelves[section] != nil {
      guard let row = layout.row(ofSection: section) else { continue }
      let offset = offset(ofSection: section, row)
      let range = offset - row.initialOffset..<offset - row.initialOffset + row.viewportLength
      let rows = paths.compactMap { path in
        layout.span(of: path, in: row).map { row.visible(path, $0) }
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

extension OrthogonalRow {
  /// An item at a place that is counted from the first rest offset.
  fileprivate func visible(_ path: ItemPath, _ span: Range<Double>) -> VisibleRow {
    let start = span.lowerBound - initialOffset
    return VisibleRow(path: path, span: start..<max(start, span.upperBound - initialOffset))
  }

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
