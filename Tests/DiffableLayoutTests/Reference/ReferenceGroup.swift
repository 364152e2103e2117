import DiffableLayout

/// The rules of groups, applied to every group and every item in turn: slow, without patterns, and
/// written without a look at the solver.
struct ReferenceGroup {
  struct Placed {
    var size: LayoutExtent
    var cells: [LayoutRect] = []
    /// Far edges with fixed edge spacing, for trimming.
    var far: [LayoutExtent] = []
    var views: [(item: LayoutSupplementaryItem, frame: LayoutRect)] = []
  }

  let scale: Double
  let stacking: LayoutAxis
  /// The measured size of the n-th cell from the first of the outermost group.
  var measured: (Int) -> LayoutExtent? = { _ in nil }

  func floored(_ length: Double) -> Double { ((length * scale + 0.001).rounded(.down)) / scale }
  func nearest(_ length: Double) -> Double { ((length * scale + 0.501).rounded(.down)) / scale }

  func length(_ dimension: LayoutDimension, width: Double, height: Double) -> Double {
    switch dimension {
    case .absolute(let value), .estimated(let value): max(0, value)
    case .uniformAcrossSiblings(let value): max(0, value)
    case .fractionalWidth(let fraction): max(0, floored(fraction * width))
    case .fractionalHeight(let fraction): max(0, floored(fraction * height))
    }
  }

  func size(_ size: LayoutSize, width: Double, height: Double) -> LayoutExtent {
    LayoutExtent(
      width: length(size.width, width: width, height: height),
      height: length(size.height, width: width, height: height))
  }

  /// Lays out one group that gets at most `available` cells, `first` being the index of its first.
  func place(
    _ group: LayoutGroup, width: Double, height: Double, around: LayoutExtent, available: Int,
    first: Int = 0, shared: Double? = nil
  ) -> Placed {
    let horizontal = group.axis == .horizontal
    let insets = group.contentInsets
    var outer = size(group.layoutSize, width: width, height: height)
    var innerWidth = max(0, outer.width - insets.leading - insets.trailing)
    var innerHeight = max(0, outer.height - insets.top - insets.bottom)
    if case .custom(let provider) = group.arrangement {
      return custom(group, provider, size: outer, around: around, available: available)
    }
    let run = slots(of: group, width: innerWidth, height: innerHeight)
    let boxWidth = horizontal ? run.base : innerWidth
    let boxHeight = horizontal ? innerHeight : run.base

    // Sizes.
    struct Slot {
      var subitem: LayoutSubitem
      var size: LayoutExtent
      var nested: Placed?
      var counts = true
      var measured = false
      var x = 0.0
      var y = 0.0
    }
    var slots: [Slot] = []
    var taken = 0
    for index in 0..<run.count {
      let subitem = run.subitems[index % run.subitems.count]
      let present = taken < available
      switch subitem {
      case .item(let item):
        var extent = size(item.layoutSize, width: boxWidth, height: boxHeight)
        var wasMeasured = false
        if present, let answer = measured(first + taken) {
          if item.layoutSize.width.isMeasured { extent.width = answer.width }
          if item.layoutSize.height.isMeasured { extent.height = answer.height }
          wasMeasured = item.layoutSize.width.isMeasured || item.layoutSize.height.isMeasured
        }
        if present { taken += 1 }
        slots.append(Slot(subitem: subitem, size: extent, counts: present, measured: wasMeasured))
      case .group(let nested):
        let placed = place(
          nested, width: boxWidth, height: boxHeight,
          around: LayoutExtent(width: innerWidth, height: innerHeight),
          available: present ? available - taken : Int.max,
          first: present ? first + taken : -1_000_000)
        if present { taken += placed.cells.count }
        slots.append(
          Slot(
            subitem: subitem, size: placed.size, nested: placed, counts: present, measured: true))
      }
    }
    guard slots.contains(where: { $0.counts && !($0.nested?.cells.isEmpty ?? false) }) else {
      return Placed(size: outer)
    }

    // A length that all groups share stands for the estimate, once fractions are resolved.
    if let shared, stacking == .horizontal {
      outer.width = shared
      innerWidth = max(0, shared - insets.leading - insets.trailing)
    } else if let shared {
      outer.height = shared
      innerHeight = max(0, shared - insets.top - insets.bottom)
    }

    // Siblings that share a length.
    for axis in LayoutAxis.allCases {
      let uniform = slots.indices.filter { slots[$0].subitem.size[axis].isUniform }
      var longest = uniform.filter { slots[$0].counts && slots[$0].measured }.map {
        slots[$0].size[axis]
      }.max()
      if shared != nil && axis == stacking && axis != group.axis {
        longest = axis == .horizontal ? innerWidth : innerHeight
      }
      for index in uniform {
        guard let longest else { continue }
        if axis == .horizontal { slots[index].size.width = longest }
        if axis == .vertical { slots[index].size.height = longest }
      }
    }

    // Along the run.
    let main = group.axis
    let room = horizontal ? innerWidth : innerHeight
    let gap = group.interItemSpacing.value
    let lengths = slots.map {
      $0.size[main] + $0.subitem.edges.before(main).value + $0.subitem.edges.after(main).value
    }
    var flexible = group.interItemSpacing.grows ? slots.count - 1 : 0
    for slot in slots {
      flexible += slot.subitem.edges.before(main).grows ? 1 : 0
      flexible += slot.subitem.edges.after(main).grows ? 1 : 0
    }
    var share = 0.0
    if flexible > 0 && !group.layoutSize[main].isMeasured {
      share = (room - lengths.reduce(0, +) - Double(slots.count - 1) * gap) / Double(flexible)
    }
    var cursor = 0.0
    for index in slots.indices {
      let edges = slots[index].subitem.edges
      cursor += edges.before(main).value + (edges.before(main).grows ? share : 0)
      if horizontal { slots[index].x = nearest(cursor) } else { slots[index].y = nearest(cursor) }
      cursor += slots[index].size[main]
      cursor += edges.after(main).value + (edges.after(main).grows ? share : 0)
      cursor += gap + (group.interItemSpacing.grows ? share : 0)
    }

    // Estimated lengths of the group.
    let present = slots.filter(\.counts)
    if group.layoutSize[main].isMeasured && !(shared != nil && main == stacking) {
      let last = present[present.count - 1]
      let end =
        (horizontal ? last.x : last.y) + last.size[main] + last.subitem.edges.after(main).value
      if horizontal { innerWidth = max(0, end) } else { innerHeight = max(0, end) }
    }
    let cross: LayoutAxis = horizontal ? .vertical : .horizontal
    if group.layoutSize[cross].isMeasured && !(shared != nil && cross == stacking) {
      let largest =
        present.map {
          $0.size[cross] + $0.subitem.edges.before(cross).value
            + $0.subitem.edges.after(cross).value
        }.max() ?? 0
      if horizontal { innerHeight = max(0, largest) } else { innerWidth = max(0, largest) }
    }
    for axis in LayoutAxis.allCases
    where group.layoutSize[axis].isMeasured && !(shared != nil && axis == stacking) {
      if axis == .horizontal { outer.width = innerWidth + insets.leading + insets.trailing }
      if axis == .vertical { outer.height = innerHeight + insets.top + insets.bottom }
    }

    // Across the run, and out.
    var result = Placed(size: outer)
    for var slot in present {
      let before = slot.subitem.edges.before(cross)
      let after = slot.subitem.edges.after(cross)
      let rest =
        (horizontal ? innerHeight : innerWidth) - slot.size[cross] - before.value - after.value
      let parts = Double((before.grows ? 1 : 0) + (after.grows ? 1 : 0))
      let place = before.grows ? nearest(before.value + rest / parts) : before.value
      if horizontal { slot.y = place } else { slot.x = place }
      let x = insets.leading + slot.x
      let y = insets.top + slot.y
      if let nested = slot.nested {
        result.cells += nested.cells.map { $0.shifted(x, y) }
        result.far += nested.far.map { LayoutExtent(width: $0.width + x, height: $0.height + y) }
        result.views += nested.views.map { (item: $0.item, frame: $0.frame.shifted(x, y)) }
      } else if case .item(let item) = slot.subitem {
        let frame = LayoutRect(x: x, y: y, width: slot.size.width, height: slot.size.height)
          .without(item.contentInsets, unless: item.layoutSize)
        result.cells.append(frame)
        let edges = item.edgeSpacing
        result.far.append(
          LayoutExtent(
            width: frame.maxX + (edges.trailing.grows ? 0 : edges.trailing.value),
            height: frame.maxY + (edges.bottom.grows ? 0 : edges.bottom.value)))
        for view in item.supplementaryItems {
          let extent = size(view.layoutSize, width: frame.width, height: frame.height)
          result.views.append((item: view, frame: anchored(view, extent, in: frame)))
        }
      }
    }
    let inside = LayoutRect(
      x: insets.leading, y: insets.top, width: innerWidth, height: innerHeight)
    for view in group.supplementaryItems {
      let extent = size(view.layoutSize, width: around.width, height: around.height)
      result.views.append((item: view, frame: anchored(view, extent, in: inside)))
    }
    return result
  }

  /// Takes the frames of a custom group as they are given.
  private func custom(
    _ group: LayoutGroup, _ provider: LayoutGroupItemProvider, size: LayoutExtent,
    around: LayoutExtent, available: Int
  ) -> Placed {
    let items = provider.items(LayoutEnvironment(width: 0, height: 0)).prefix(available)
    var placed = Placed(size: size)
    placed.cells = items.map(\.frame)
    placed.far = placed.cells.map { LayoutExtent(width: $0.maxX, height: $0.maxY) }
    let insets = group.contentInsets
    let inside = LayoutRect(
      x: insets.leading, y: insets.top,
      width: max(0, size.width - insets.leading - insets.trailing),
      height: max(0, size.height - insets.top - insets.bottom))
    for view in group.supplementaryItems where !items.isEmpty {
      let extent = self.size(view.layoutSize, width: around.width, height: around.height)
      placed.views.append((item: view, frame: anchored(view, extent, in: inside)))
    }
    return placed
  }

  /// Puts the view's own anchor on the container's.
  private func anchored(
    _ view: LayoutSupplementaryItem, _ size: LayoutExtent, in container: LayoutRect
  ) -> LayoutRect {
    func fraction(
      _ edges: DirectionalRectEdge, _ low: DirectionalRectEdge, _ high: DirectionalRectEdge
    )
      -> Double
    {
      switch (edges.contains(low), edges.contains(high)) {
      case (true, false): 0
      case (false, true): 1
      default: 0.5
      }
    }
    func offset(_ anchor: LayoutAnchor) -> (Double, Double) {
      switch anchor.offset {
      case .absolute(let x, let y): (x, y)
      case .fractional(let x, let y): (x * size.width, y * size.height)
      }
    }
    let edges = view.containerAnchor.edges
    let own = view.itemAnchor?.edges ?? edges
    let first = offset(view.containerAnchor)
    let second = view.itemAnchor.map(offset) ?? (0, 0)
    return LayoutRect(
      x: container.x + fraction(edges, .leading, .trailing) * container.width
        - fraction(own, .leading, .trailing) * size.width + first.0 + second.0,
      y: container.y + fraction(edges, .top, .bottom) * container.height
        - fraction(own, .top, .bottom) * size.height + first.1 + second.1,
      width: size.width, height: size.height
    ).without(view.contentInsets, unless: view.layoutSize)
  }
}
