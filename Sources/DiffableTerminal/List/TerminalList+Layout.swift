import Diffable
import DiffableLayout
import DiffableViews

// MARK: Solving

extension TerminalList {
  /// The axis along which the list scrolls.
  var axis: LayoutAxis { layout.configuration.scrollDirection }

  private var environment: LayoutEnvironment {
    LayoutEnvironment(width: Double(max(0, size.columns)), height: Double(max(0, size.rows)))
  }

  /// Solves the layout from scratch.
  func solveAnew() {
    take { () throws(LayoutError) in
      try layout.solve(itemCounts: marks.slotCounts(itemCounts), in: environment)
    }
  }

  /// Solves what a stage has touched.
  func solve(after difference: SnapshotDifference, _ map: PositionMap, former: ChangeMarks) {
    guard let solved else { return solveAnew() }
    take { () throws(LayoutError) in
      former.hasGhosts || marks.hasGhosts
        ? try updated(solved, former, newSection: map.newSection, newPath: map.newPath)
        : try solved.updated(by: difference, itemCounts: itemCounts)
    }
  }

  /// Solves the layout with the ghosts there are now.
  func solve(afterGhosts former: ChangeMarks) {
    guard let solved else { return solveAnew() }
    take { () throws(LayoutError) in
      try updated(solved, former, newSection: { $0 }, newPath: { $0 })
    }
  }

  /// The layout of other slots than before, with what was measured.
  private func updated(
    _ solved: SolvedLayout, _ former: ChangeMarks, newSection: (Int) -> Int?,
    newPath: (ItemPath) -> ItemPath?
  ) throws(LayoutError) -> SolvedLayout {
    try solved.updated(
      itemCounts: marks.slotCounts(itemCounts), from: 0, newSection: newSection
    ) { slot in
      former.item(at: slot).flatMap(newPath).map(marks.slot(of:))
    }
  }

  private func take(_ solve: () throws(LayoutError) -> SolvedLayout) {
    do throws(LayoutError) {
      solved = try solve()
      layoutError = nil
    } catch {
      (solved, layoutError) = (nil, error)
    }
  }

  /// Lays everything out for another size, or by another layout; what was seen stays in sight.
  func layOutAnew() {
    let anchor = anchors.first
    let places = orthogonalPlaces()
    let showedFocus = isFocusInSight
    solveAnew()
    restore(places) { $0 }
    refresh(keeping: anchor)
    if showedFocus, let focus { reveal(focus.path) }
    prefetch()
    changeHandler?()
  }

  /// The kinds of headers and the like that belong to a section as a whole.
  func boundaryKinds(ofSection index: Int) -> [String] {
    let section: LayoutSection? =
      switch layout.sections {
      case .every(let section): section
      case .list(let sections): sections.indices.contains(index) ? sections[index] : nil
      case .provided(let provider): provider.section(index, environment)
      }
    return section?.boundarySupplementaryItems.map(\.elementKind) ?? []
  }
}

// MARK: What is on the screen

extension TerminalList {
  /// What is in sight, in content coordinates.
  var visibleBounds: LayoutRect {
    var rect = LayoutRect(
      x: 0, y: 0, width: Double(max(0, size.columns)), height: Double(max(0, size.rows)))
    rect.move(axis, to: Double(position.firstRow))
    return rect
  }

  /// The item that an element is the cell of; `nil` for ghosts and everything else.
  func item(of element: LayoutElement) -> ItemPath? {
    guard case .item(let slot) = element else { return nil }
    return marks.item(at: slot)
  }

  /// The cell, header or badge of an element.
  func cell(of element: LayoutElement) -> TerminalCell? {
    switch element {
    case .item(let slot): marks.item(at: slot).flatMap { cells[$0] } ?? marks.ghost(at: slot)?.cell
    case .supplementary: views[element]
    case .decoration: nil
    }
  }

  /// Makes the cells that are visible and missing, and lets those go that are not visible.
  ///
  /// Cells whose size is estimated are measured, which may bring others into sight.
  ///
  /// - Parameter anchor: What is to be at a place of the screen afterwards.
  func refresh(keeping anchor: ListAnchor? = nil) {
    fit()
    if let anchor { bring(anchor) }
    let kept: ScrollAnchor =
      if let anchor {
        .element(.item(marks.slot(of: anchor.path)))
      } else {
        position.firstRow > 0 ? .offset(Double(position.firstRow)) : .none
      }
    var measured: Set<LayoutElement> = []
    repeat {
      shown = elements(in: visibleBounds)
      putInvisible()
      for attributes in shown where cell(of: attributes.element) == nil {
        make(attributes.element)
      }
      for path in shown.compactMap({ item(of: $0.element) }) {
        cells[path]?.disclosure = content?.disclosure(ofItemAt: path)
      }
    } while measure(&measured, keeping: kept)
  }

  private func fit() {
    let length = solved?.contentSize.length(axis) ?? 0
    position.fit(
      rowCount: Int(cells: length.rounded(.up)),
      height: axis == .vertical ? size.rows : size.columns)
  }

  private func bring(_ anchor: ListAnchor) {
    let slot = marks.slot(of: anchor.path)
    guard let frame = solved?.frame(for: slot) else { return }
    position.scroll(to: Int(cells: frame.start(axis) - anchor.position))
    revealAcross(slot)
  }

  /// What is in a part of the content, with sections scrolled as they are now, or some pages further.
  func elements(in bounds: LayoutRect, pagesAhead: Double = 0) -> [LayoutAttributes] {
    guard let solved else { return [] }
    var offsets: [Int: Double] = [:]
    for section in Set(solved.elements(in: bounds).map(\.element.path.section)) {
      guard let row = solved.orthogonalRow(ofSection: section) else { continue }
      let offset = offset(ofSection: section, row)
      let further = min(offset + pagesAhead * row.viewportLength, row.maxOffset)
      offsets[section] = max(offset, further)
    }
    let state = LayoutScrollState(visibleBounds: visibleBounds, orthogonalOffsets: offsets)
    return solved.elements(in: bounds, scrolled: state).filter { !$0.isHidden && $0.alpha > 0 }
  }

  private func putInvisible() {
    let items = Set(shown.compactMap { item(of: $0.element) })
    for (path, cell) in cells where !items.contains(path) {
      cells[path] = nil
      put(cell)
    }
    let elements = Set(shown.map(\.element))
    for (element, view) in views where !elements.contains(element) {
      views[element] = nil
      put(view)
    }
  }

  private func make(_ element: LayoutElement) {
    do throws(ListError) {
      switch element {
      case .item:
        guard let path = item(of: element) else { return }
        wasAsked(for: path)
        cells[path] = try content?.cell(for: path)
      case .supplementary(let kind, let path):
        // The headers of the whole layout belong to its first section.
        guard itemCounts.indices.contains(path.section) else { return }
        views[element] = try content?.supplementaryView(
          ofKind: kind, for: ItemPath(section: path.section, item: path.item))
      case .decoration: break
      }
    } catch {
      let placeholder = TerminalCell(placeholderFor: error)
      if let path = item(of: element) {
        cells[path] = placeholder
      } else {
        views[element] = placeholder
      }
    }
  }

  /// Asks the cells whose size is estimated, each once; answers whether anything has moved.
  private func measure(
    _ measured: inout Set<LayoutElement>, keeping anchor: ScrollAnchor
  ) -> Bool {
    guard var solved else { return false }
    self.solved = nil
    defer { self.solved = solved }
    var hasChanged = false
    for element in shown.map(\.element) {
      guard let cell = cell(of: element), let proposal = solved.sizeProposal(for: element),
        measured.insert(element).inserted
      else { continue }
      let answer = cell.extent(in: proposal, state: state(of: element))
      guard answer != proposal.size else { continue }
      do throws(LayoutError) {
        let change = try solved.setMeasuredSize(answer, of: element, anchor: anchor)
        position.fit(
          rowCount: Int(cells: change.contentSize.length(axis).rounded(.up)),
          height: position.height)
        position.scroll(
          to: position.firstRow + Int(cells: change.scrollCorrection.along(axis)))
        hasChanged = true
      } catch {
        layoutError = error
      }
    }
    return hasChanged
  }
}

extension TerminalCell {
  /// The columns and rows that the cell takes where it may choose.
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
