import Diffable
import DiffableLayout
import DiffableViews

extension TerminalList {
  /// The axis along which the list scrolls.
  var axis: LayoutAxis { arrangement.axis }

  /// The visible bounds, in content coordinates.
  var visibleBounds: LayoutRect { arrangement.bounds(from: position.firstRow) }

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
    let anchor = anchors.first
    let places = orthogonalPlaces()
    let showedFocus = isFocusInSight
    arrangement.solveAnew()
    offsets.restore(places, in: arrangement)
    refresh(keeping: anchor)
    if showedFocus, let path = focus.path { reveal(path) }
    prefetch()
    changeHandler?()
  }

  /// Makes the missing visible cells, and releases those that are no longer visible.
  ///
  /// Cells with estimated sizes are measured, which may make others visible.
  ///
  /// - Parameter anchor: What should be at a place on the screen afterwards.
  func refresh(keeping anchor: ListAnchor? = nil) {
    fit()
    if let anchor { bring(anchor) }
    let kept: ScrollAnchor =
      if let anchor {
        .element(arrangement.element(of: anchor.path))
      } else {
        position.firstRow > 0 ? .offset(Double(position.firstRow)) : .none
      }
    var measured: Set<LayoutElement> = []
    repeat {
      visible.show(elements(in: visibleBounds), in: arrangement)
      for attributes in visible.attributes where cell(of: attributes.element) == nil {
        make(attributes.element)
      }
      for path in visible.attributes.compactMap({ arrangement.item(of: $0.element) }) {
        visible[path]?.disclosure = content?.disclosure(ofItemAt: path)
      }
    } while measure(&measured, keeping: kept)
  }

  private func fit() {
    position.fit(
      rowCount: Int(cells: arrangement.length.rounded(.up)),
      height: axis == .vertical ? size.rows : size.columns)
  }

  private func bring(_ anchor: ListAnchor) {
    guard let frame = arrangement.frame(of: anchor.path) else { return }
    position.scroll(to: Int(cells: frame.start(axis) - anchor.position))
    revealAcross(anchor.path)
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

  /// Measures each cell with an estimated size once; returns whether anything has moved.
  private func measure(
    _ measured: inout Set<LayoutElement>, keeping anchor: ScrollAnchor
  ) -> Bool {
    var hasChanged = false
    for element in visible.attributes.map(\.element) {
      guard let cell = cell(of: element), let proposal = arrangement.sizeProposal(for: element),
        measured.insert(element).inserted
      else { continue }
      let answer = cell.extent(in: proposal, state: state(of: element))
      guard answer != proposal.size,
        let change = arrangement.setMeasuredSize(answer, of: element, keeping: anchor)
      else { continue }
      position.fit(
        rowCount: Int(cells: change.contentSize.length(axis).rounded(.up)),
        height: position.height)
      position.scroll(to: position.firstRow + Int(cells: change.scrollCorrection.along(axis)))
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
    let lines = picture(size: size, state: state)
    return LayoutExtent(
      width: proposal.measuresWidth
        ? Double(lines.map(\.columnCount).max() ?? 0) : proposal.size.width,
      height: proposal.measuresHeight ? Double(lines.count) : proposal.size.height)
  }
}
