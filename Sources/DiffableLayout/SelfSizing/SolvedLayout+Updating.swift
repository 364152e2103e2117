extension SolvedLayout {
  /// The layout after an update, with everything kept that the update leaves valid.
  ///
  /// Sections before `firstChange` are taken over as they are. From there on they are solved again,
  /// and what was measured in the old sections moves to where the update has put it.
  ///
  /// The layout knows no data source. Whoever knows both says where an item went.
  ///
  /// - Parameters:
  ///   - itemCounts: The number of items in each section afterwards.
  ///   - firstChange: The first section that the update touches. Sections before it must be the same
  ///     as they were; a larger number than there are sections changes none.
  ///   - newSection: Where a section is afterwards; `nil` when it is gone, or when its header and
  ///     footer have to be measured again. Badges are always measured again.
  ///   - newPath: Where an item is afterwards; `nil` when it is gone, or when its content has changed
  ///     so that it has to be measured again. It is asked only about measured items of the sections
  ///     that are solved again.
  /// - Returns: The layout afterwards.
  /// - Throws: ``LayoutError``, as ``CompositionalLayout/solve(itemCounts:in:)`` does.
  /// - Complexity: O(sections from the first change on + m · log n) for m measured sizes in them,
  ///   and copying the list of sections.
  public func updated(
    itemCounts: [Int], from firstChange: Int, newSection: (Int) -> Int?,
    newPath: (LayoutPath) -> LayoutPath?
  ) throws(LayoutError) -> SolvedLayout {
    let kept = max(0, min(firstChange, sections.count, itemCounts.count))
    var solver = SectionSolver(layout: layout, environment: environment)
    var updated = Array(sections[..<kept])
    for index in kept..<itemCounts.count {
      updated.append(try solver.solve(section: index, itemCount: itemCounts[index]))
    }
    var result = try SolvedLayout(layout: layout, environment: environment, sections: updated)
    result.measuredBoundary = measuredBoundary
    for index in kept..<sections.count {
      for (kind, size) in sections[index].measuredBoundary {
        guard let section = newSection(index) else { break }
        try result.takeIfMeasured(
          size, of: .supplementary(kind: kind, LayoutPath(section: section, item: 0)))
      }
      for (item, size) in sections[index].measuredCells {
        guard let path = newPath(LayoutPath(section: index, item: item)) else { continue }
        try result.takeIfMeasured(size, of: .item(path))
      }
    }
    result.updateExtents()
    result._checkInvariants()
    return result
  }

  /// Takes over a size unless its element is gone or is not measured where it is now.
  private mutating func takeIfMeasured(
    _ size: LayoutExtent, of element: LayoutElement
  ) throws(LayoutError) {
    guard sizeProposal(for: element) != nil else { return }
    _ = try take(size, of: element)
  }
}
