import DiffableLayout

extension ReferenceGroup {
  /// How many slots the run of a group has, and in how much room their fractions are.
  func slots(
    of group: LayoutGroup, width: Double, height: Double
  ) -> (subitems: [LayoutSubitem], count: Int, base: Double) {
    let horizontal = group.axis == .horizontal
    let room = horizontal ? width : height
    let gap = group.interItemSpacing.value
    func base(_ count: Int) -> Double { max(0, room - Double(count - 1) * gap) }
    func lengths(_ count: Int, of subitems: [LayoutSubitem], base: Double) -> [Double] {
      (0..<count).map { index in
        let subitem = subitems[index % subitems.count]
        return length(
          subitem.size[group.axis], width: horizontal ? base : width,
          height: horizontal ? height : base)
          + subitem.edges.before(group.axis).value + subitem.edges.after(group.axis).value
      }
    }

    let subitems: [LayoutSubitem]
    var most = 5_000
    switch group.arrangement {
    case .custom:
      return ([], 0, room)
    case .division(let subitem, let count):
      let share = LayoutDimension.absolute(floored(base(count) / Double(count)))
      return ([subitem.resized(share, group.axis)], count, base(count))
    case .repetition(let subitem, let count):
      subitems = [subitem]
      most = count
      if group.layoutSize[group.axis].isMeasured { return (subitems, count, base(count)) }
    case .cycle(let cycle):
      subitems = cycle
      if group.layoutSize[group.axis].isMeasured { return (cycle, cycle.count, base(cycle.count)) }
    }

    /// Counts up to the first number of slots that does not fit.
    func fitting(gap: Double, base: (Int) -> Double) -> Int {
      var count = 0
      var before = 0.0
      while count < most {
        let next = lengths(count + 1, of: subitems, base: base(count + 1))
        let need = next.reduce(0, +) + Double(count) * gap
        if need > room + 0.001 { break }
        count += 1
        if count == subitems.count { before = need }
        if count == 2 * subitems.count && need <= before + 1e-6 { return subitems.count }
      }
      return count
    }

    let crossFollows = subitems.contains {
      switch ($0.size[horizontal ? .vertical : .horizontal], group.axis) {
      case (.fractionalWidth, .horizontal), (.fractionalHeight, .vertical): true
      default: false
      }
    }
    if crossFollows {
      let cap = fitting(gap: 0) { _ in room }
      let fixed = base(max(1, cap))
      return (subitems, fitting(gap: gap) { _ in fixed }, fixed)
    }
    let count = fitting(gap: gap, base: base)
    return (subitems, count, base(max(1, count)))
  }
}

extension LayoutSize {
  subscript(axis: LayoutAxis) -> LayoutDimension { axis == .horizontal ? width : height }
}

extension LayoutExtent {
  subscript(axis: LayoutAxis) -> Double { axis == .horizontal ? width : height }
}

extension LayoutDimension {
  var isMeasured: Bool {
    switch self {
    case .estimated, .uniformAcrossSiblings: true
    default: false
    }
  }

  var isUniform: Bool {
    if case .uniformAcrossSiblings = self { true } else { false }
  }
}

extension LayoutSpacing {
  var value: Double {
    switch self {
    case .fixed(let value), .flexible(let value): value
    }
  }

  var grows: Bool {
    if case .flexible = self { true } else { false }
  }
}

extension LayoutGroup {
  var isCustom: Bool {
    if case .custom = arrangement { true } else { false }
  }
}

extension LayoutEdgeSpacing {
  func before(_ axis: LayoutAxis) -> LayoutSpacing { axis == .horizontal ? leading : top }
  func after(_ axis: LayoutAxis) -> LayoutSpacing { axis == .horizontal ? trailing : bottom }
}

extension LayoutSubitem {
  var size: LayoutSize {
    switch self {
    case .item(let item): item.layoutSize
    case .group(let group): group.layoutSize
    }
  }

  var edges: LayoutEdgeSpacing {
    switch self {
    case .item(let item): item.edgeSpacing
    case .group(let group): group.edgeSpacing
    }
  }

  /// The subitem with another length along an axis.
  func resized(_ length: LayoutDimension, _ axis: LayoutAxis) -> LayoutSubitem {
    func resized(_ size: LayoutSize) -> LayoutSize {
      axis == .horizontal
        ? LayoutSize(width: length, height: size.height)
        : LayoutSize(width: size.width, height: length)
    }
    switch self {
    case .item(var item):
      item.layoutSize = resized(item.layoutSize)
      return .item(item)
    case .group(var group):
      group.layoutSize = resized(group.layoutSize)
      return .group(group)
    }
  }
}

extension LayoutRect {
  func shifted(_ x: Double, _ y: Double) -> LayoutRect {
    LayoutRect(x: self.x + x, y: self.y + y, width: width, height: height)
  }

  /// The rectangle less insets, those on estimated axes left out.
  func without(_ insets: LayoutInsets, unless size: LayoutSize) -> LayoutRect {
    var result = self
    if !size.width.isMeasured {
      result.x += insets.leading
      result.width = abs(width - insets.leading - insets.trailing)
    }
    if !size.height.isMeasured {
      result.y += insets.top
      result.height = abs(height - insets.top - insets.bottom)
    }
    return result
  }
}
