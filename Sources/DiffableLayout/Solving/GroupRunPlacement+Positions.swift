extension GroupRunPlacement {
  /// Gives siblings with uniform dimensions the largest measured length among them.
  ///
  /// - Parameter stretched: The axis along which the group has a length that the whole section
  ///   shares; uniform cells fill it.
  mutating func shareUniformLengths(stretchingAlong stretched: LayoutAxis?) {
    for shared in LayoutAxis.allCases {
      let uniform = slots.indices.filter { slots[$0].layoutSize[shared].isUniform }
      guard !uniform.isEmpty else { continue }
      let measured = uniform.filter { slots[$0].wasMeasured }
      var length = measured.map { slots[$0].size[shared] }.max()
      if shared == stretched && shared != axis { length = inner[shared] }
      guard let length else { continue }
      for index in uniform { slots[index].size[shared] = length }
    }
  }

  /// Places every slot along the run, at the nearest pixel.
  ///
  /// The unrounded positions are sums of rounded-down sizes, so the remainder stays at the end of
  /// the run.
  mutating func placeAlong() {
    let spacing = group.interItemSpacing.minimum
    var share = 0.0
    if flexibleCount > 0, !group.layoutSize[axis].isEstimated {
      let sizes = slots.reduce(0) { $0 + $1.size[axis] + $1.edges.minimum(axis) }
      let leftover = inner[axis] - sizes - Double(slots.count - 1) * spacing
      share = leftover / Double(flexibleCount)
    }
    let gap = spacing + (group.interItemSpacing.isFlexible ? share : 0)
    var position = 0.0
    for index in slots.indices {
      let edges = slots[index].edges
      position += edges.start(axis).length(sharing: share)
      slots[index].origin[axis] = grid.nearest(position)
      position += slots[index].size[axis] + edges.end(axis).length(sharing: share) + gap
    }
  }

  /// Makes the inside of the group as long as its contents.
  mutating func fitInner(_ fitted: LayoutAxis) {
    if fitted == axis {
      guard let last = filled.last else { return }
      inner[fitted] = max(
        0, last.origin[fitted] + last.size[fitted] + last.edges.end(fitted).minimum)
    } else {
      inner[fitted] = filled.reduce(0) {
        max($0, $1.size[fitted] + $1.edges.minimum(fitted))
      }
    }
  }

  /// Places every slot across the run, each separately.
  mutating func placeAcross() {
    let across = axis.cross
    for index in slots.indices {
      let slot = slots[index]
      let start = slot.edges.start(across)
      let flexible = slot.edges.flexibleCount(across)
      let leftover = inner[across] - slot.size[across] - slot.edges.minimum(across)
      let share = flexible == 0 ? 0 : leftover / Double(flexible)
      slots[index].origin[across] =
        start.isFlexible ? grid.nearest(start.length(sharing: share)) : start.minimum
    }
  }

  /// Adds cells and attached views to the solution of the group.
  func emit(into solution: inout GroupSolution) {
    let corner = LayoutPoint(x: group.contentInsets.leading, y: group.contentInsets.top)
    let clip = LayoutRect(origin: .zero, size: solution.size)
    for slot in filled {
      let origin = corner + slot.origin
      switch slot.content {
      case .group(let nested):
        solution.append(nested, at: origin)
      case .item(let item, let estimated):
        let frame = LayoutRect(origin: origin, size: slot.size)
          .inset(by: item.contentInsets.ignoring(estimatedAxesOf: item.layoutSize))
        solution.cells.append(
          GroupSolution.Cell(
            frame: frame, clip: clip,
            reach: LayoutExtent(
              width: frame.maxX + slot.edges.trailing.fixedLength,
              height: frame.maxY + slot.edges.bottom.fixedLength),
            zIndex: 0, estimated: estimated))
        solution.attach(
          item.supplementaryItems, to: frame, box: frame.size, clip: clip, grid: grid)
      case .nothing: break
      }
    }
  }
}

extension LayoutSpacing {
  /// The length of the gap, if each flexible gap gets a share of the remaining space.
  fileprivate func length(sharing share: Double) -> Double {
    isFlexible ? minimum + share : minimum
  }

  /// The length of a fixed gap, 0 of a flexible one.
  fileprivate var fixedLength: Double { isFlexible ? 0 : minimum }
}

extension GroupSolution {
  /// Adds the views attached to an item or a group.
  mutating func attach(
    _ items: [LayoutSupplementaryItem], to container: LayoutRect, box: LayoutExtent,
    clip: LayoutRect, grid: PixelGrid
  ) {
    for item in items {
      attachments.append(
        Attachment(
          item: item, size: item.layoutSize.resolved(in: box, on: grid), container: container,
          clip: clip))
    }
  }

  /// Adds a cell of a custom group.
  mutating func appendCustom(_ item: LayoutGroupCustomItem, clip: LayoutRect) {
    var frame = item.frame
    frame.size = LayoutExtent(width: max(0, frame.width), height: max(0, frame.height))
    cells.append(
      Cell(
        frame: frame, clip: clip, reach: LayoutExtent(width: frame.maxX, height: frame.maxY),
        zIndex: item.zIndex, estimated: []))
  }

  /// Counts the attached views of each kind.
  mutating func numberAttachments() {
    var counts: [String: Int] = [:]
    for index in attachments.indices {
      attachments[index].ordinal = counts[attachments[index].item.elementKind, default: 0]
      counts[attachments[index].item.elementKind, default: 0] += 1
    }
  }
}
