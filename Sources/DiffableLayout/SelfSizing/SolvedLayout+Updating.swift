extension SolvedLayout {
  /// The layout after an update; everything that stays valid is kept.
  ///
  /// Sections before `firstChange` are kept as they are. From there on, sections are solved again,
  /// and measured sizes of the old sections move to their new places. What would be measured there at
  /// another ``SizeProposal/fixedLength``, or on other axes, is measured again.
  ///
  /// The layout knows no data source, so the caller tells where items have moved.
  ///
  /// - Parameters:
  ///   - itemCounts: The number of items in each section afterwards.
  ///   - firstChange: The first section that the update affects. Sections before it must be
  ///     unchanged; a number above the section count means that none is affected.
  ///   - newSection: The new index of a section; `nil` if it was deleted, or its header and footer
  ///     have to be measured again. Badges are always measured again.
  ///   - newPath: The new path of an item; `nil` if it was deleted, or its content has changed so
  ///     that it has to be measured again. It is called only for measured items of the sections
  ///     that are solved again.
  /// - Returns: The layout afterwards.
  /// - Throws: ``LayoutError``, as ``CompositionalLayout/solve(itemCounts:in:)`` does.
  /// - Complexity: O(sections from the first change on + m · log n) for m measured sizes in them,
  ///   and copying the list of sections. A waterfall costs O(items · log lanes).
  public func updated(
    itemCounts: [Int], from firstChange: Int, newSection: (Int) -> Int?,
    newPath: (LayoutPath) -> LayoutPath?
  ) throws(LayoutError) -> SolvedLayout {
    try updated(
      in: environment, itemCounts: itemCounts, from: firstChange, newSection: newSection,
      newPath: newPath)
  }

  /// The layout of the same items in another environment.
  ///
  /// It keeps the measured sizes of views that are measured there on the same axes and at the same length.
  ///
  /// - Throws: ``LayoutError``, as ``CompositionalLayout/solve(itemCounts:in:)`` does.
  /// - Complexity: As ``updated(itemCounts:from:newSection:newPath:)`` from the first section on.
  package func updated(in environment: LayoutEnvironment) throws(LayoutError) -> SolvedLayout {
    try updated(
      in: environment, itemCounts: itemCounts, from: 0, newSection: { $0 }, newPath: { $0 })
  }

  private func updated(
    in environment: LayoutEnvironment, itemCounts: [Int], from firstChange: Int,
    newSection: (Int) -> Int?, newPath: (LayoutPath) -> LayoutPath?
  ) throws(LayoutError) -> SolvedLayout {
    let kept = max(0, min(firstChange, sections.count, itemCounts.count))
    var solver = SectionSolver(layout: layout, environment: environment)
    var updated = Array(sections[..<kept])
    for index in kept..<itemCounts.count {
      updated.append(try solver.solve(section: index, itemCount: itemCounts[index]))
    }
    var result = try SolvedLayout(layout: layout, environment: environment, sections: updated)
    let bars = measuredBoundary.filter { kind, _ in
      let bar = LayoutElement.supplementary(kind: kind, .layout)
      return result.measures(bar, as: sizeProposal(for: bar))
    }
    result.measuredBoundary = bars
    var moved: [LayoutPath: LayoutExtent] = [:]
    for index in kept..<sections.count {
      for (kind, size) in sections[index].measuredBoundary {
        guard let section = newSection(index) else { break }
        func header(_ section: Int) -> LayoutElement {
          .supplementary(kind: kind, LayoutPath(section: section, item: 0))
        }
        // Elsewhere the kind may be that of badges.
        guard result.measures(header(section), as: sizeProposal(for: header(index))),
          result.sections[section].hasBoundaryItem(kind)
        else { continue }
        _ = try result.take(size, of: header(section))
      }
      for (item, size) in sections[index].measuredCells {
        let former = LayoutPath(section: index, item: item)
        guard let path = newPath(former),
          result.measures(.item(path), as: sizeProposal(for: .item(former)))
        else { continue }
        moved[path] = size
      }
    }
    try result.takeIfMeasured(moved)
    result.updateExtents()
    guard result.isFinite else { throw LayoutError(.tooLong, at: LayoutPart()) }
    result._checkInvariants()
    return result
  }

  /// Whether a view is measured here on the same axes as elsewhere, and at the same length.
  private func measures(_ element: LayoutElement, as other: SizeProposal?) -> Bool {
    guard let own = sizeProposal(for: element), let other else { return false }
    return own.measuresWidth == other.measuresWidth && own.measuresHeight == other.measuresHeight
      && own.fixedLength == other.fixedLength
  }
}
