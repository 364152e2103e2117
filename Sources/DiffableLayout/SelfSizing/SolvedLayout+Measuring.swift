extension SolvedLayout {
  /// Applies the measured size of a view.
  ///
  /// Only the group of the view is laid out again. Everything after it moves without being visited,
  /// and everything before it stays as it is.
  ///
  /// - Parameters:
  ///   - size: The measured size. Only the lengths on estimated axes are used; `nil` restores the
  ///     estimate.
  ///   - element: The view.
  ///   - anchor: What must not move on the screen.
  /// - Returns: What has changed, with the scroll correction for the anchor.
  /// - Throws: ``LayoutError`` if there is no such element, its size is not estimated, the size is
  ///   not a number, or the content would be too long for numbers. The layout is unchanged then.
  /// - Complexity: O(slots of the group + log groups + log sections); in a waterfall
  ///   O(items after it).
  @discardableResult
  public mutating func setMeasuredSize(
    _ size: LayoutExtent?, of element: LayoutElement, anchor: ScrollAnchor = .none
  ) throws(LayoutError) -> LayoutChange {
    let part = LayoutPart(element)
    guard let proposal = sizeProposal(for: element) else {
      throw LayoutError(.notMeasurable, at: part)
    }
    if let size {
      let isFinite =
        (!proposal.measuresWidth || size.width.isFinite)
        && (!proposal.measuresHeight || size.height.isFinite)
      guard isFinite else { throw LayoutError(.notFinite, at: part) }
    }
    let size = size.map(\.notNegative)
    let anchored = anchoredElement(anchor)
    let before = seenStart(of: anchored)
    let frame = attributes(for: element)?.frame
    // Only a size like this, or an estimate, can make the content too long: no number of smaller ones
    // adds up to that.
    let mayBeTooLong = size.map { $0.width > 0x1p256 || $0.height > 0x1p256 } ?? true
    let former = mayBeTooLong ? measuredSize(of: element) : nil
    let (resized, shift) = try take(size, of: element)
    let newFrame = attributes(for: element)?.frame
    guard !mayBeTooLong || (isFinite && newFrame?.isFinite != false) else {
      _ = try take(former, of: element)
      throw LayoutError(.tooLong, at: part)
    }
    let correction = seenStart(of: anchored) - before
    _checkInvariants()
    return LayoutChange(
      resized: resized, section: element.path.section, shift: shift,
      movesView: newFrame != frame, contentSize: contentSize,
      scrollCorrection: LayoutPoint(axis, along: correction, across: 0))
  }

  /// Whether positions in the content are numbers.
  var isFinite: Bool { extents.length.isFinite && starts.summary.widest.isFinite }

  /// The size that was applied to a view of the layout; `nil` if it has its estimate.
  package func measuredSize(of element: LayoutElement) -> LayoutExtent? {
    switch element {
    case .item(let path): sections[path.section].measuredSize(ofItem: path.item)
    case .supplementary(let kind, .layout): measuredBoundary[kind]
    case .supplementary(let kind, let path):
      sections[path.section].measuredSize(of: AttachmentKey(kind: kind, index: path.item))
    case .decoration: nil
    }
  }

  /// Applies a size; returns the items that were laid out again, and the distance the rest moved.
  mutating func take(
    _ size: LayoutExtent?, of element: LayoutElement
  ) throws(LayoutError) -> (resized: Range<Int>, shift: Double) {
    let before = extents.length
    if case .supplementary(let kind, .layout) = element {
      measuredBoundary[kind] = size
      updateExtents()
      return (0..<0, extents.length - before)
    }
    let resized = try change(section: element.path.section) { (section) throws(LayoutError) in
      try section.take(size, of: element)
    }
    return (resized, extents.length - before)
  }

  /// Applies sizes of cells, unless they are gone or are not measured in their places; `nil` restores
  /// an estimate.
  ///
  /// - Throws: ``LayoutError`` if the content would be too long for numbers. Only some of the sizes may
  ///   have been applied then.
  /// - Complexity: O(m · log n) for m sizes and n items, and O(items · log lanes) for each waterfall.
  package mutating func takeIfMeasured(_ sizes: [LayoutPath: LayoutExtent?]) throws(LayoutError) {
    var waterfalls: [Int: [Int: LayoutExtent?]] = [:]
    for (path, size) in sizes.sorted(by: { $0.key < $1.key })
    where sizeProposal(for: .item(path)) != nil {
      if case .waterfall = sections[path.section].body {
        waterfalls[path.section, default: [:]][path.item] = size
      } else {
        _ = try take(size, of: .item(path))
      }
    }
    for (index, sizes) in waterfalls {
      try change(section: index) { (section) throws(LayoutError) in
        try section.take(ofWaterfall: sizes)
      }
    }
    guard isFinite else { throw LayoutError(.tooLong, at: LayoutPart()) }
  }

  /// Changes a section in place.
  private mutating func change<Result>(
    section index: Int, _ change: (inout SolvedSection) throws(LayoutError) -> Result
  ) throws(LayoutError) -> Result {
    var section = sections[index]
    // Releases the second reference to what is changed in place.
    sections[index].body = .none
    let result: Result
    do {
      result = try change(&section)
    } catch {
      sections[index] = section
      throw error.inside(.section(index))
    }
    sections[index] = section
    starts[index] = section.summary
    updateExtents()
    return result
  }
}

extension LayoutPart {
  /// The part of the layout that an element is.
  init(_ element: LayoutElement) {
    switch element {
    case .item(let path): self.init(.section(path.section), .item(path.item))
    case .supplementary(let kind, .layout): self.init(.configuration, .boundaryItem(kind: kind))
    case .supplementary(let kind, let path):
      self.init(.section(path.section), .supplementaryItem(kind: kind))
    case .decoration(let kind, let path):
      self.init(.section(path.section), .decorationItem(kind: kind))
    }
  }
}
