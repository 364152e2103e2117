/// Lays out a group: takes descriptions and a box, returns frames.
///
/// - Complexity: O(slots) for each call.
struct GroupSolver: Sendable {
  /// Rounds to pixels.
  let grid: PixelGrid

  /// The axis along which the groups of the section stack.
  let stackingAxis: LayoutAxis

  /// Additional input for solving a group.
  struct Request {
    /// The maximum number of cells of the group.
    var limit = LayoutError.maximumSlotCount + 1

    /// The measured sizes by the index of the cell in the outermost group.
    var measured: [Int: LayoutExtent] = [:]

    /// The index of the first cell of this group in the outermost one.
    var firstCell = 0

    /// The length along the stacking axis that all groups of the section share.
    var sharedLength: Double?
  }

  /// Lays out a group.
  ///
  /// - Parameters:
  ///   - group: The description.
  ///   - box: The box in which its size is resolved.
  ///   - surroundings: The box in which its supplementary items are resolved: the same box, without
  ///     subtracting the spacing between slots.
  ///   - request: Additional input.
  func solve(
    _ group: LayoutGroup, in box: LayoutExtent, surroundings: LayoutExtent,
    _ request: Request = Request()
  ) throws(LayoutError) -> GroupSolution {
    let outer = group.layoutSize.resolved(in: box, on: grid)
    var inner = outer.less(group.contentInsets)
    var solution = GroupSolution(size: outer)
    if let plan = try RunPlan.plan(group, inner: inner, grid: grid) {
      var run = GroupRunPlacement(group: group, plan: plan, inner: inner, grid: grid)
      solution.emptySlots = try fill(&run, request)
      if run.isEmpty {
        solution.emptySlots += max(1, plan.count)
        return solution
      }
      solution.size = place(&run, outer: outer, sharedLength: request.sharedLength)
      inner = run.inner
      run.emit(into: &solution)
    } else if case .custom(let provider) = group.arrangement {
      for item in (provider.answer ?? []).prefix(request.limit) {
        solution.appendCustom(item, clip: LayoutRect(origin: .zero, size: outer))
      }
      if solution.cells.isEmpty {
        solution.emptySlots = 1
        return solution
      }
    }
    let corner = LayoutPoint(x: group.contentInsets.leading, y: group.contentInsets.top)
    solution.attach(
      group.supplementaryItems, to: LayoutRect(origin: corner, size: inner), box: surroundings,
      clip: LayoutRect(origin: .zero, size: solution.size), grid: grid)
    return solution
  }

  /// Places the slots of a run.
  ///
  /// - Returns: The outer size of the group: on estimated axes the size of its contents, along the
  ///   stacking axis the shared length if there is one, otherwise unchanged.
  private func place(
    _ run: inout GroupRunPlacement, outer: LayoutExtent, sharedLength: Double?
  ) -> LayoutExtent {
    let group = run.group
    var outer = outer
    if let length = sharedLength {
      // Not earlier: fractions and the number of slots follow from the estimate, so that measuring
      // never moves an item into another group.
      outer[stackingAxis] = length
      run.inner[stackingAxis] = max(0, length - group.contentInsets.total(stackingAxis))
    }
    run.shareUniformLengths(stretchingAlong: sharedLength == nil ? nil : stackingAxis)
    run.placeAlong()
    for axis in LayoutAxis.allCases where group.layoutSize[axis].isEstimated {
      if axis == stackingAxis && sharedLength != nil { continue }
      run.fitInner(axis)
      outer[axis] = run.inner[axis] + group.contentInsets.total(axis)
    }
    run.placeAcross()
    return outer
  }
}

extension LayoutError {
  /// The error with a step prepended to its part.
  func inside(_ step: LayoutPart.Step) -> LayoutError {
    var part = self.part
    part.steps.insert(step, at: 0)
    return LayoutError(reason, at: part)
  }
}

extension LayoutExtent {
  /// The extent less insets, never negative.
  func less(_ insets: LayoutInsets) -> LayoutExtent {
    LayoutExtent(
      width: max(0, width - insets.total(.horizontal)),
      height: max(0, height - insets.total(.vertical)))
  }
}
