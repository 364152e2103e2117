/// A section with its items: a plan, a body, and the lengths that its boundary items add.
///
/// Positions along the scroll axis are relative to the start of the section, across it to the edge
/// of the container.
struct SolvedSection: Sendable {
  /// The items of the section, arranged.
  enum Body: Sendable {
    /// No items, or groups without room for one.
    case none
    case groups(GroupRun)
    case waterfall(WaterfallRun)
  }

  /// The part that does not depend on the items.
  let plan: SectionPlan

  /// The number of items.
  let itemCount: Int

  /// The items, arranged.
  var body: Body

  /// Whether the last group is trimmed by more than the total length: the section counts as empty.
  private(set) var isCollapsed = false

  /// The measured sizes of boundary items, by kind.
  var measuredBoundary: [String: LayoutExtent] = [:]

  /// The length of the section and of what surrounds it.
  private(set) var extents = BoundaryPlacement.Extents(region: 0, start: 0, end: 0)

  /// The section's part of a layout: its advance, its extent across and its overhang.
  private(set) var summary = SpanSummary()

  /// Arranges a number of items.
  init(plan: SectionPlan, itemCount: Int) throws(LayoutError) {
    self.plan = plan
    self.itemCount = itemCount
    switch plan.body {
    case _ where itemCount == 0:
      body = .none
    case .groups(let pattern) where pattern.itemCount == 0:
      body = .none
    case .groups(let pattern):
      body = .groups(try GroupRun(pattern: pattern, itemCount: itemCount))
    case .waterfall(let waterfall, let room):
      body = .waterfall(
        try WaterfallRun(
          waterfall, itemCount: itemCount, axis: plan.axis, room: room, grid: plan.grid))
    }
    updateExtents()
    guard extents.length.isFinite else { throw LayoutError(.tooLong, at: LayoutPart()) }
  }

  /// The axis along which the layout scrolls.
  var axis: LayoutAxis { plan.axis }

  /// Whether the section takes space at all.
  ///
  /// Without items and boundary items, even its insets and decorations vanish.
  var hasSize: Bool { hasItems || !plan.boundary.items.isEmpty }

  /// Whether any item is laid out.
  private var hasItems: Bool {
    if case .none = body { false } else { !isCollapsed }
  }

  /// The length along the scroll axis.
  var length: Double { extents.length }

  /// Adds up the lengths again after a size has changed.
  mutating func updateExtents() {
    if case .groups(let run) = body { isCollapsed = run.length < 0 }
    if hasSize {
      let region = plan.insets.total(axis) + bodyExtent[axis]
      extents = plan.boundary.extents(around: max(0, region), measured: measuredBoundary)
    } else {
      extents = BoundaryPlacement.Extents(region: 0, start: 0, end: 0)
    }
    summary = summarized
  }

  /// The size of the area in which the items are arranged.
  var bodyExtent: LayoutExtent {
    switch body {
    case _ where isCollapsed, .none: .zero
    case .groups(let run):
      LayoutExtent(plan.bodyAxis, along: max(0, run.length), across: run.widest)
    case .waterfall(let run):
      LayoutExtent(
        axis, along: run.length,
        across: plan.container[axis.cross] - plan.insets.total(axis.cross))
    }
  }

  /// The corner of the content, inside the insets.
  var contentOrigin: LayoutPoint {
    LayoutPoint(
      axis, along: extents.start + plan.insets.start(axis),
      across: plan.insets.start(axis.cross))
  }

  /// The rectangle of the whole section, across the whole container.
  var frame: LayoutRect {
    LayoutRect(
      axis, start: 0, length: length, crossStart: 0, crossLength: plan.container[axis.cross])
  }

  private var summarized: SpanSummary {
    let advance = max(0, length + plan.spacing)
    var overhang = max(0, length - advance)
    if hasSize {
      let insets = plan.insets
      overhang += bodyOverhang + max(0, -insets.start(axis)) + max(0, -insets.end(axis))
      for (index, item) in plan.boundary.items.enumerated() {
        let slot = boundarySlot(index)
        let frame = plan.boundary.frame(of: index, in: slot)
        overhang = max(overhang, -frame.start(axis), frame.end(axis) - advance)
        guard item.pinToVisibleBounds else { continue }
        // Its slot may be anywhere in the section, and extend beyond either end if it is longer. Its
        // frame is larger than the slot if it has negative insets.
        let outside = max(slot.start(axis) - frame.start(axis), frame.end(axis) - slot.end(axis))
        let reach = max(length, slot.length(axis)) - min(length, advance)
        overhang = max(overhang, outside + reach)
      }
      for frame in plan.section.decorationItems.indices.compactMap(decorationFrame) {
        overhang = max(overhang, -frame.start(axis), frame.end(axis) - advance)
      }
    }
    return SpanSummary(
      length: advance, widest: plan.isOrthogonal ? 0 : bodyExtent[axis.cross], overhang: overhang)
  }

  private var bodyOverhang: Double {
    if case .groups(let run) = body { run.overhang } else { 0 }
  }

  /// The slot of a boundary item, without pinning.
  func boundarySlot(_ index: Int) -> LayoutRect {
    plan.boundary.slot(of: index, region: extents.region, measured: measuredBoundary)
      .moved(axis, by: extents.start)
  }

  /// The frame of a decoration; `nil` if the section has no size.
  func decorationFrame(_ index: Int) -> LayoutRect? {
    guard hasSize, plan.section.decorationItems.indices.contains(index) else { return nil }
    return frame.inset(by: plan.section.decorationItems[index].contentInsets)
  }
}
