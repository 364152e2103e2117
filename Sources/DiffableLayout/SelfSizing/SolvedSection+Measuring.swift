extension SolvedSection {
  /// Applies a measured size.
  ///
  /// - Returns: The items that were laid out again; none if all are where they were.
  mutating func take(
    _ size: LayoutExtent?, of element: LayoutElement
  ) throws(LayoutError) -> Range<Int> {
    let resized: Range<Int>
    switch element {
    case .item(let path):
      resized = try take(size, ofItem: path.item)
    case .supplementary(let kind, let path):
      if hasBoundaryItem(kind) {
        measuredBoundary[kind] = size
      } else if case .groups(var run) = body {
        body = .none
        run.setMeasuredSize(size, of: AttachmentKey(kind: kind, index: path.item))
        body = .groups(run)
      }
      resized = 0..<0
    case .decoration:
      resized = 0..<0
    }
    updateExtents()
    return resized
  }

  /// Whether views of a kind are at the sides of the section, and not attached to its items.
  func hasBoundaryItem(_ kind: String) -> Bool {
    plan.boundary.items.contains { $0.elementKind == kind }
  }

  /// Applies the size of a cell.
  ///
  /// On an error the body is unchanged.
  private mutating func take(
    _ size: LayoutExtent?, ofItem item: Int
  ) throws(LayoutError) -> Range<Int> {
    switch body {
    case .none:
      return 0..<0
    case .groups(var run):
      body = .none
      defer { body = .groups(run) }
      let shared = run.pattern.sharedLength
      let group = run.group(of: item)
      let former = run.solution(of: group)
      try run.setMeasuredSize(size, of: item)
      if run.pattern.sharedLength != shared { return 0..<itemCount }
      let solution = run.solution(of: group)
      guard !solution.hasFrames(of: former) else { return 0..<0 }
      let first = run.firstItem(of: group)
      return first..<(first + solution.cells.count)
    case .waterfall(var run):
      body = .none
      defer { body = .waterfall(run) }
      let former = run.lengths[item]
      try run.setMeasuredSizes([item: size])
      guard run.lengths[item] != former else { return 0..<0 }
      return item..<itemCount
    }
  }

  /// Applies the sizes of cells of a waterfall, which are placed once for all of them.
  mutating func take(ofWaterfall sizes: [Int: LayoutExtent?]) throws(LayoutError) {
    guard case .waterfall(var run) = body else { return }
    body = .none
    defer {
      body = .waterfall(run)
      updateExtents()
    }
    try run.setMeasuredSizes(sizes)
  }

  /// The measured size of a cell.
  func measuredSize(ofItem item: Int) -> LayoutExtent? {
    switch body {
    case .none: return nil
    case .groups(let run):
      let group = run.group(of: item)
      return run.measured[group]?.sizes[item - run.firstItem(of: group)]
    case .waterfall(let run): return run.measured[item]
    }
  }

  /// The measured size of a boundary item, or of an attached view.
  func measuredSize(of key: AttachmentKey) -> LayoutExtent? {
    if let size = measuredBoundary[key.kind] { return size }
    if case .groups(let run) = body { return run.measuredAttachments[key] }
    return nil
  }

  /// The measured sizes of cells, in item order.
  var measuredCells: [(item: Int, size: LayoutExtent)] {
    var sizes: [(item: Int, size: LayoutExtent)] = []
    switch body {
    case .none: break
    case .groups(let run): run.forEachMeasuredSize { sizes.append((item: $0, size: $1)) }
    case .waterfall(let run):
      sizes = run.measured.sorted { $0.key < $1.key }.map { (item: $0.key, size: $0.value) }
    }
    return sizes
  }
}
