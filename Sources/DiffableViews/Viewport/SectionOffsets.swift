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
  /// The items that a section shows at an offset.
  ///
  /// - Parameter bounds: The visible part of the content; without it, all of the section counts.
  func items(
    ofSection section: Int, _ row: OrthogonalRow, at offset: Double, in bounds: LayoutRect?
  ) -> [ItemPath]
}

/// The scroll positions of sections that scroll across a list.
///
/// What is visible in such a section stays there as it does in a list, so each has a viewport. Its
/// offsets are counted from the first rest offset. Only a section that the user drags is anywhere
/// else than at a rest offset.
///
/// What is visible counts when the user has scrolled, and before a batch. Between these, sections
/// only settle: a place that cells show with their estimated sizes is not the reader's.
@MainActor
package struct SectionOffsets {
  struct Shelf {
    var viewport = Viewport()
    var isDragged = false
    /// Where the section rests if its anchored item is not visible at the nearest rest offset.
    var restOffset: Double?
    /// The identities of the section and of its anchored item, to find them again when the list is
    /// shown from scratch.
    var section: AnyItemID?
    var item: AnyItemID?

    /// Records what is visible at an offset.
    mutating func observe(_ row: OrthogonalRow, at offset: Double, rows: [VisibleRow]) {
      restOffset = nil
      viewport.observe(
        offset: offset - row.initialOffset, length: row.viewportLength,
        contentLength: row.restingLength, rows: rows)
    }

    /// Records the identities of the section and of what stays in place in it.
    @MainActor
    mutating func identify(in section: Int, _ content: (any ListContent)?) {
      self.section = content?.identity(ofSectionAt: section)
      item = viewport.anchor.path.flatMap { content?.identity(ofItemAt: $0) }
    }
  }

  /// The sections that were scrolled.
  var shelves: [Int: Shelf] = [:]

  /// Creates the positions of a list in which no section was scrolled.
  package nonisolated init() {}

  /// Whether no section was scrolled.
  package var isEmpty: Bool { shelves.isEmpty }

  /// The sections that were scrolled, in no order.
  package var sections: [Int] { Array(shelves.keys) }

  /// The scroll offset of a section.
  package func offset(ofSection section: Int, _ row: OrthogonalRow) -> Double {
    guard let shelf = shelves[section] else { return row.initialOffset }
    let offset = shelf.viewport.offset + row.initialOffset
    return shelf.isDragged ? offset : shelf.restOffset ?? row.restingOffset(near: offset)
  }

  /// Scrolls a section to an offset.
  ///
  /// Where a section can be anywhere, an item that was visible before and still is then stays where
  /// the user has put it, while those around it are measured.
  package mutating func scroll(
    _ section: Int, to offset: Double, isDragged: Bool, in layout: some SectionLayout,
    _ content: (any ListContent)?
  ) {
    guard let row = layout.row(ofSection: section) else { return }
    // Before its first rest offset a section shows the start of a group that is longer than itself.
    let keepsItems = (isDragged || row.restsAnywhere) && offset >= row.initialOffset
    if keepsItems { observe(section, in: layout, content) }
    shelves[section, default: Shelf()].isDragged = isDragged
    if keepsItems {
      shelves[section]?.viewport.scroll(to: offset - row.initialOffset)
    } else {
      shelves[section]?.observe(row, at: offset, rows: [])
    }
    if keepsItems, shelves[section]?.viewport.anchor.path != nil {
      shelves[section]?.identify(in: section, content)
    } else {
      observe(section, in: layout, content)
    }
  }

  /// Scrolls the section of an item so that the item is visible.
  ///
  /// Nothing happens if the section does not scroll, or the whole item is already visible.
  package mutating func reveal(
    _ path: ItemPath, in layout: some SectionLayout, _ content: (any ListContent)?
  ) {
    guard let row = layout.row(ofSection: path.section),
      let span = layout.span(of: path, in: row)
    else { return }
    let offset = offset(ofSection: path.section, row)
    guard span.lowerBound < offset || span.upperBound > offset + row.viewportLength else { return }
    shelves[path.section, default: Shelf()].isDragged = false
    shelves[path.section]?.observe(
      row, at: row.restingOffset(showing: span, of: layout.slot(of: path), from: offset),
      rows: [row.visible(path, span)])
    shelves[path.section]?.identify(in: path.section, content)
  }
}

// MARK: Settling

extension SectionOffsets {
  /// Computes the offsets for the current sizes.
  package mutating func settle(in layout: some SectionLayout) {
    for section in shelves.keys {
      guard let row = layout.row(ofSection: section) else { continue }
      shelves[section]?.viewport.resize(to: row.viewportLength)
      shelves[section]?.viewport.settle(contentLength: row.restingLength) { path in
        layout.span(of: path, in: row).map { row.visible(path, $0).span }
      }
      // The visible items are elsewhere now, until they are recorded again.
      shelves[section]?.viewport.forgetRows()
      shelves[section]?.restOffset = nil
      // The nearest rest offset may be just after the item that is in place, or before it.
      guard let path = shelves[section]?.viewport.anchor.path,
        let span = layout.span(of: path, in: row)
      else { continue }
      let offset = offset(ofSection: section, row)
      if span.upperBound <= offset || span.lowerBound >= offset + row.viewportLength {
        shelves[section]?.restOffset = row.restingOffset(
          showing: span, of: layout.slot(of: path), from: offset)
      }
    }
  }

  /// Records what is visible in scrolled sections; one that is out of sight keeps its place.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - bounds: The visible part of the content.
  ///   - content: What the list shows.
  package mutating func rest(
    in layout: some SectionLayout, _ bounds: LayoutRect, _ content: any ListContent
  ) {
    for section in shelves.keys { observe(section, in: layout, content, bounds) }
  }

  private mutating func observe(
    _ section: Int, in layout: some SectionLayout, _ content: (any ListContent)?,
    _ bounds: LayoutRect? = nil
  ) {
    guard let row = layout.row(ofSection: section) else { return }
    let offset = offset(ofSection: section, row)
    let start = offset - row.initialOffset
    let rows = layout.items(ofSection: section, row, at: offset, in: bounds).compactMap { path in
      layout.span(of: path, in: row).map { row.visible(path, $0) }
    }
    .filter { $0.span.overlaps(start..<start + row.viewportLength) }
    guard bounds == nil || !rows.isEmpty else { return }
    shelves[section, default: Shelf()].observe(row, at: offset, rows: rows)
    shelves[section]?.identify(in: section, content)
  }
}

extension OrthogonalRow {
  /// The part of the content, with the section unscrolled, that the section shows at an offset.
  ///
  /// - Parameters:
  ///   - offset: The offset.
  ///   - bounds: The visible part of the content; without it, all of the section counts.
  ///   - isMirrored: Whether the leading edge is the right one.
  package func part(
    at offset: Double, in bounds: LayoutRect?, isMirrored: Bool = false
  ) -> LayoutRect {
    var part = bounds.map(viewport.intersection) ?? viewport
    switch axis {
    case .horizontal: part.x += isMirrored ? -offset : offset
    case .vertical: part.y += offset
    }
    return part
  }

  /// An item at a place that is counted from the first rest offset.
  fileprivate func visible(_ path: ItemPath, _ span: Range<Double>) -> VisibleRow {
    let start = span.lowerBound - initialOffset
    return VisibleRow(path: path, span: start..<max(start, span.upperBound - initialOffset))
  }

  /// The nearest offset at which the section rests and shows an item.
  ///
  /// - Parameters:
  ///   - span: The place of the item, counted from the leading edge of the first group.
  ///   - slot: Its index in the section of the layout.
  ///   - offset: The offset, at which not all of the item is visible.
  fileprivate func restingOffset(
    showing span: Range<Double>, of slot: Int, from offset: Double
  ) -> Double {
    let (start, end) = (span.lowerBound, span.upperBound)
    let target: Double
    switch behavior {
    case .none, .continuous:
      // The minimum distance.
      target = start < offset ? start : min(start, end - viewportLength)
    case .paging:
      let length = max(1, viewportLength)
      target = (start / length).rounded(.down) * length
    case .groupPagingCentered:
      target = restingOffset(ofGroup: group(ofItem: slot)) ?? offset
    case .continuousGroupLeadingBoundary, .groupPaging:
      var group = group(ofItem: slot)
      // Towards the end, the minimum distance: groups before it stay visible as far as there is
      // space.
      while start >= offset, let before = restingOffset(ofGroup: group - 1),
        before >= offset, before + viewportLength >= end
      {
        group -= 1
      }
      target = restingOffset(ofGroup: group) ?? offset
    }
    return restingOffset(near: target)
  }

  /// The length of the part in which the section can rest.
  fileprivate var restingLength: Double {
    restingOffset(near: contentLength) - initialOffset + viewportLength
  }

  /// The group of an item.
  ///
  /// - Complexity: O(log² groups).
  fileprivate func group(ofItem item: Int) -> Int {
    max(0, (0..<groupCount).partitioningIndex { items(ofGroup: $0).lowerBound > item } - 1)
  }
}
