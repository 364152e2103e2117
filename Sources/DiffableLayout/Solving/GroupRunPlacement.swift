/// The run of a group during layout: sizes first, then positions along the run, then across it.
struct GroupRunPlacement {
  /// The content of a slot.
  enum Content {
    case item(LayoutItem, EstimatedAxes)
    case group(GroupSolution)
    /// Nothing: there were not enough cells. The slot still counts when remaining space is shared.
    case nothing
  }

  /// One slot of the run.
  struct Slot {
    let content: Content
    let layoutSize: LayoutSize
    let edges: LayoutEdgeSpacing
    var size: LayoutExtent
    var wasMeasured: Bool
    var origin = LayoutPoint.zero
  }

  /// The description of the group.
  let group: LayoutGroup

  /// The number of slots, the box of their fractions and their sizes.
  let plan: RunPlan

  /// The size of the inside of the group.
  var inner: LayoutExtent

  /// Rounds positions.
  let grid: PixelGrid

  /// The slots, in order; empty ones are last.
  var slots: [Slot] = []

  /// The direction of the run.
  var axis: LayoutAxis { group.axis }

  init(group: LayoutGroup, plan: RunPlan, inner: LayoutExtent, grid: PixelGrid) {
    self.group = group
    self.plan = plan
    self.inner = inner
    self.grid = grid
  }

  /// The slots that are not empty.
  var filled: ArraySlice<Slot> {
    slots.prefix {
      if case .nothing = $0.content { false } else { true }
    }
  }

  /// Whether there is no cell in the run.
  var isEmpty: Bool {
    slots.allSatisfy {
      switch $0.content {
      case .item: false
      case .group(let solution): solution.cells.isEmpty
      case .nothing: true
      }
    }
  }

  /// Adds a slot with a cell.
  mutating func append(_ item: LayoutItem, size: LayoutExtent, measured: LayoutExtent?) {
    let estimated = EstimatedAxes(of: item.layoutSize)
    slots.append(
      Slot(
        content: .item(item, estimated), layoutSize: item.layoutSize, edges: item.edgeSpacing,
        size: measured.map { estimated.replacing(size, by: $0) } ?? size,
        wasMeasured: measured != nil && !estimated.isEmpty))
  }

  /// Adds a slot with a nested group.
  mutating func append(_ nested: LayoutGroup, _ solution: GroupSolution) {
    slots.append(
      Slot(
        content: .group(solution), layoutSize: nested.layoutSize, edges: nested.edgeSpacing,
        size: solution.size, wasMeasured: true))
  }

  /// Adds the slots without cells, if they count.
  ///
  /// Remaining space is shared among all slots of the pattern, so that a partly filled group has
  /// the positions of a full one.
  ///
  /// - Parameter size: Returns the size of a nested group whose length is estimated.
  mutating func addNominalSlots(
    size: (LayoutGroup) throws(LayoutError) -> LayoutExtent
  ) throws(LayoutError) {
    guard slots.count < plan.count, !slots.isEmpty, flexibleCount > 0 else { return }
    for slot in slots.count..<plan.count {
      let index = slot % plan.subitems.count
      var extent = plan.sizes[index]
      if case .group(let nested) = plan.subitems[index], nested.layoutSize[axis].isEstimated {
        extent = try size(nested)
      }
      let subitem = plan.subitems[index]
      slots.append(
        Slot(
          content: .nothing, layoutSize: subitem.layoutSize, edges: subitem.edgeSpacing,
          size: extent, wasMeasured: false))
    }
  }

  /// The number of gaps along the run that share the remaining space.
  var flexibleCount: Int {
    let gaps = group.interItemSpacing.isFlexible ? plan.count - 1 : 0
    let cycle = plan.subitems.map { $0.edgeSpacing.flexibleCount(axis) }
    guard cycle.contains(where: { $0 > 0 }) else { return gaps }
    return (0..<plan.count).reduce(gaps) { $0 + cycle[$1 % cycle.count] }
  }
}
