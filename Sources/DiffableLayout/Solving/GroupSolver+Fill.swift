extension GroupSolver {
  /// Assigns slots to the cells, one after another, until the run or the cells are used up.
  ///
  /// - Returns: The number of slots of nested groups without cells. They have a maximum as well: groups
  ///   without room can be nested in each other many times, and none of them would ever be full.
  func fill(_ run: inout GroupRunPlacement, _ request: Request) throws(LayoutError) -> Int {
    let plan = run.plan
    var taken = 0
    var empty = 0
    for slot in 0..<plan.count {
      // A cycle that took no cell consists of nested groups without slots, and so do all others.
      if taken == request.limit || (slot == plan.subitems.count && taken == 0) { break }
      let index = slot % plan.subitems.count
      switch plan.subitems[index] {
      case .item(let item):
        let measured = request.measured[request.firstCell + taken]
        run.append(item, size: plan.sizes[index], measured: measured)
        taken += 1
      case .group(let group):
        var nested = request
        nested.limit -= taken
        nested.firstCell += taken
        nested.sharedLength = nil
        do {
          let solution = try solve(group, in: plan.box, surroundings: run.inner, nested)
          taken += solution.cells.count
          empty += solution.emptySlots
          run.append(group, solution)
        } catch {
          throw error.inside(.subitem(index))
        }
        guard empty <= LayoutError.maximumSlotCount else {
          throw LayoutError(.tooManySlots, at: LayoutPart())
        }
      }
    }
    guard taken <= LayoutError.maximumSlotCount else {
      throw LayoutError(.tooManySlots, at: LayoutPart())
    }
    // Without cells there is nothing to place.
    guard taken > 0 else { return empty }
    let inner = run.inner
    try run.addNominalSlots { (group) throws(LayoutError) in
      try solve(group, in: plan.box, surroundings: inner).size
    }
    return empty
  }
}
