import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// The axis along which the list scrolls.
  var axis: LayoutAxis { arrangement.axis }

  /// The visible bounds, in content coordinates.
  var visibleBounds: LayoutRect { arrangement.bounds(at: viewport.offset) }

  /// The number of rows of all items and headers; of columns if the list scrolls sideways.
  public var lineCount: Int { Int(cells: viewport.contentLength) }

  /// The visible ones of these rows or columns.
  public var visibleLines: Range<Int> {
    let first = Int(cells: viewport.offset)
    return first..<min(lineCount, first + Int(cells: viewport.length))
  }

  /// The elements in a part of the content, with sections at their offsets or some pages further.
  func elements(in bounds: LayoutRect, pagesAhead: Double = 0) -> [LayoutAttributes] {
    arrangement.elements(in: bounds, visible: visibleBounds) { section, row in
      let offset = offsets.offset(ofSection: section, row)
      return max(offset, min(offset + pagesAhead * row.viewportLength, row.maxOffset))
    }
  }

  /// The cell, header or badge of an element.
  func cell(of element: LayoutElement) -> TerminalCell? {
    switch element {
    case .item:
      arrangement.item(of: element).flatMap { visible[$0] } ?? arrangement.ghost(of: element)
    case .supplementary: visible[element]
    case .decoration: nil
    }
  }

  /// Lays out everything for another size or another layout; what was visible stays visible.
  func layOutAnew() {
    let showedFocus = isFocusInSight
    arrangement.solveAnew()
    viewport.resize(to: arrangement.visibleLength)
    refresh()
    if showedFocus { keepFocusInSight() }
    prefetch()
    changeHandler?()
  }

  /// Makes the missing visible cells, and releases those that are no longer visible.
  ///
  /// Cells with estimated sizes are measured, which may make others visible.
  func refresh() {
    var measured: Set<LayoutElement> = []
    var covered = Viewport.Covered()
    var isSettled = false
    while !isSettled {
      viewport.settle(contentLength: arrangement.length, covered: covered) {
        arrangement.span(of: $0)
      }
      offsets.settle(in: arrangement)
      visible.show(elements(in: visibleBounds), in: arrangement)
      for attributes in visible.attributes where cell(of: attributes.element) == nil {
        make(attributes.element)
      }
      for path in visible.attributes.compactMap({ arrangement.item(of: $0.element) }) {
        visible[path]?.disclosure = content?.disclosure(ofItemAt: path)
      }
      // A header that was pinned for a moment still counts, so this ends.
      let former = covered
      covered.formUnion(coveredLengths)
      isSettled = !measure(&measured) && covered == former
    }
    viewport.rest(rows: rows(in: viewport.visibleRange), covered: coveredLengths)
  }

  /// The items in a part of the list.
  func rows(in range: Range<Double>) -> [VisibleRow] {
    items(in: range).compactMap { path, _ in
      arrangement.span(of: path).map { VisibleRow(path: path, span: $0) }
    }
  }

  /// The lengths at both ends of the visible part that pinned headers and footers cover.
  private var coveredLengths: Viewport.Covered {
    coveredLengths(of: viewport.visibleRange, by: visible.attributes)
  }

  /// The lengths that pinned headers and footers would cover if the list were scrolled to an offset.
  func coveredLengths(at offset: Double) -> Viewport.Covered {
    let bounds = arrangement.bounds(at: offset)
    let attributes = arrangement.elements(in: bounds, visible: bounds) { section, row in
      offsets.offset(ofSection: section, row)
    }
    return coveredLengths(of: offset..<offset + viewport.length, by: attributes)
  }

  private func coveredLengths(
    of range: Range<Double>, by elements: [LayoutAttributes]
  ) -> Viewport.Covered {
    var covered = Viewport.Covered()
    for attributes in elements {
      let (start, end) = (attributes.frame.start(axis), attributes.frame.end(axis))
      guard attributes.element.kind != nil, attributes.zIndex > 0,
        let place = arrangement.frame(of: attributes.element), place != attributes.frame
      else { continue }
      if place.start(axis) < start {
        covered.formUnion(Viewport.Covered(start: end - range.lowerBound))
      } else {
        covered.formUnion(Viewport.Covered(end: range.upperBound - start))
      }
    }
    return covered
  }

  private func make(_ element: LayoutElement) {
    do throws(ListError) {
      switch element {
      case .item:
        guard let path = arrangement.item(of: element) else { return }
        wasAsked(for: path)
        if let cell = try content?.cell(for: path) { visible.add(cell, at: path) }
      case .supplementary(let kind, let path):
        // The headers of the whole layout belong to its first section.
        guard arrangement.itemCounts.indices.contains(path.section) else { return }
        let view = try content?.supplementaryView(
          ofKind: kind, for: ItemPath(section: path.section, item: path.item))
        if let view { visible.add(view, as: element) }
      case .decoration: break
      }
    } catch {
      let placeholder = TerminalCell(placeholderFor: error)
      if let path = arrangement.item(of: element) {
        visible.add(placeholder, at: path)
      } else {
        visible.add(placeholder, as: element)
      }
    }
  }

  /// Measures each cell with an estimated size once; returns whether anything has changed.
  private func measure(_ measured: inout Set<LayoutElement>) -> Bool {
    var hasChanged = false
    for element in visible.attributes.map(\.element) {
      guard let cell = cell(of: element), let proposal = arrangement.sizeProposal(for: element),
        measured.insert(element).inserted
      else { continue }
      let answer = cell.extent(in: proposal, state: state(of: element))
      guard answer != proposal.size else { continue }
      arrangement.setMeasuredSize(answer, of: element)
      hasChanged = true
    }
    return hasChanged
  }
}

extension TerminalCell {
  /// The columns and rows that the cell takes on the axes that it may choose.
  fileprivate func extent(in proposal: SizeProposal, state: State) -> LayoutExtent {
    let size = TerminalSize(
      columns: Int(cells: proposal.size.width), rows: Int(cells: proposal.size.height))
    // What only fills the frame that was estimated does not count.
    let lines = content(size: size, state: state)
    return LayoutExtent(
      width: proposal.measuresWidth
        ? Double(lines.map(\.columnCount).max() ?? 0) : proposal.size.width,
      height: proposal.measuresHeight ? Double(lines.count) : proposal.size.height)
  }
}
