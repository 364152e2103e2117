/// The number of slots in the run of a group, and the size of each subitem.
///
/// Fractions are of the inside of the group less the spacing between *all* its slots, so the number
/// of slots must be known before any of them has a size.
struct RunPlan {
  /// The subitems that are repeated in turn.
  var subitems: [LayoutSubitem]

  /// The number of slots.
  var count: Int

  /// The box in which the subitems' fractions are resolved.
  var box: LayoutExtent

  /// The size of each subitem before anything is measured.
  var sizes: [LayoutExtent]
}

extension RunPlan {
  /// A length up to which a value counts as zero: rounding errors of sums.
  private static let tolerance = 0.001

  /// Plans the run of a group whose inside has a known size; `nil` for a custom group.
  static func plan(
    _ group: LayoutGroup, inner: LayoutExtent, grid: PixelGrid
  ) throws(LayoutError) -> RunPlan? {
    let subitems: [LayoutSubitem]
    var ceiling = LayoutError.maximumSlotCount + 1
    var repetitions = 1
    switch group.arrangement {
    case .custom:
      return nil
    case .division(var subitem, let count):
      let box = box(inner, of: count, in: group)
      subitem.setLength(grid.floored(box[group.axis] / Double(count)), along: group.axis)
      return RunPlan(subitems: [subitem], count: count, box: box, grid: grid)
    case .repetition(let subitem, let count):
      subitems = [subitem]
      ceiling = count
      repetitions = count
    case .cycle(let cycle):
      subitems = cycle
    }
    if group.layoutSize[group.axis].isEstimated {
      // The list form: every subitem as often as it is listed, whatever space the estimate leaves.
      let count = max(subitems.count, repetitions)
      return RunPlan(
        subitems: subitems, count: count, box: box(inner, of: count, in: group), grid: grid)
    }
    let plan = fittingPlan(group, subitems: subitems, inner: inner, ceiling: ceiling, grid: grid)
    guard plan.count <= LayoutError.maximumSlotCount else {
      throw LayoutError(.tooManySlots, at: LayoutPart())
    }
    return plan
  }

  /// Finds the number of slots that fit, and with it the box of their fractions.
  private static func fittingPlan(
    _ group: LayoutGroup, subitems: [LayoutSubitem], inner: LayoutExtent, ceiling: Int,
    grid: PixelGrid
  ) -> RunPlan {
    let room = inner[group.axis]
    let spacing = group.interItemSpacing.minimum
    func plan(_ count: Int) -> RunPlan {
      RunPlan(
        subitems: subitems, count: count, box: box(inner, of: max(1, count), in: group),
        grid: grid)
    }
    func fitting(need: (Int) -> Double) -> Int {
      self.fitting(room, cycle: subitems.count, ceiling: ceiling, need: need)
    }

    let first = plan(1)
    if subitems.contains(where: { $0.layoutSize[group.axis.cross].isFraction(of: group.axis) }) {
      // For a cell whose height is a fraction of the width of its row, the number that fit without
      // spacing determines the box, and with it all sizes.
      var fixed = plan(fitting(need: first.needs(spacing: 0, axis: group.axis)))
      fixed.count = fitting(need: fixed.needs(spacing: spacing, axis: group.axis))
      return fixed
    }
    if spacing != 0,
      subitems.contains(where: { $0.layoutSize[group.axis].isFraction(of: group.axis) })
    {
      return plan(fitting { plan($0).needs(spacing: spacing, axis: group.axis)($0) })
    }
    return plan(fitting(need: first.needs(spacing: spacing, axis: group.axis)))
  }

  /// The box of the fractions in a run: the inside of the group less the spacing of the slots.
  private static func box(
    _ inner: LayoutExtent, of count: Int, in group: LayoutGroup
  ) -> LayoutExtent {
    var box = inner
    let spacing = Double(count - 1) * group.interItemSpacing.minimum
    box[group.axis] = max(0, inner[group.axis] - spacing)
    return box
  }

  /// Resolves the subitems in a box.
  private init(subitems: [LayoutSubitem], count: Int, box: LayoutExtent, grid: PixelGrid) {
    self.subitems = subitems
    self.count = count
    self.box = box
    self.sizes = subitems.map { $0.layoutSize.resolved(in: box, on: grid) }
  }

  /// The largest number of slots that fit, counting up from 1 to the first that does not.
  ///
  /// If the second cycle of a run needs no more space than its first, the run would never end
  /// (items of no length, a container of no width): it then has one cycle.
  ///
  /// - Parameters:
  ///   - room: The space along the run.
  ///   - cycle: The number of subitems.
  ///   - ceiling: The maximum.
  ///   - need: Returns the space that a number of slots need.
  private static func fitting(
    _ room: Double, cycle: Int, ceiling: Int, need: (Int) -> Double
  ) -> Int {
    var count = 0
    var needOfOneCycle = 0.0
    while count < ceiling {
      let need = need(count + 1)
      guard need <= room + tolerance else { break }
      count += 1
      if count == cycle { needOfOneCycle = need }
      if count == 2 * cycle && need <= needOfOneCycle + tolerance * tolerance { return cycle }
    }
    return count
  }

  /// The space that a number of slots need: sizes, fixed edges and the gaps between them.
  ///
  /// - Complexity: O(subitems), and O(1) for each call of the result.
  private func needs(spacing: Double, axis: LayoutAxis) -> (Int) -> Double {
    var ends = [0.0]
    var end = 0.0
    for (size, subitem) in zip(sizes, subitems) {
      end += size[axis] + subitem.edgeSpacing.minimum(axis)
      ends.append(end)
    }
    return { [ends, end] count in
      let (cycles, rest) = count.quotientAndRemainder(dividingBy: ends.count - 1)
      let full = cycles == 0 ? 0 : Double(cycles) * end
      return Double(count - 1) * spacing + full + ends[rest]
    }
  }
}

extension LayoutSubitem {
  /// Sets the length of a slot along an axis.
  mutating func setLength(_ length: Double, along axis: LayoutAxis) {
    switch self {
    case .item(var item):
      item.layoutSize[axis] = .absolute(length)
      self = .item(item)
    case .group(var group):
      group.layoutSize[axis] = .absolute(length)
      self = .group(group)
    }
  }
}
