import DiffableLayout

/// Every frame of a layout, worked out one after the other in O(items): the oracle for the solver.
///
/// It knows groups, not waterfalls, and no right to left: tests mirror its answers.
struct ReferenceLayout {
  private(set) var frames: [LayoutElement: LayoutRect] = [:]
  private(set) var contentSize = LayoutExtent.zero

  private let environment: LayoutEnvironment
  private let axis: LayoutAxis
  private let measured: [LayoutPath: LayoutExtent]
  private var widest = 0.0

  private var container: LayoutExtent { environment.container.contentSize }
  private var cross: LayoutAxis { axis == .horizontal ? .vertical : .horizontal }

  init(
    _ layout: CompositionalLayout, _ descriptions: [LayoutSection], itemCounts: [Int],
    environment: LayoutEnvironment, measured: [LayoutPath: LayoutExtent] = [:]
  ) {
    self.environment = environment
    self.measured = measured
    let configuration = layout.configuration
    axis = configuration.scrollDirection
    var position = 0.0
    var end = 0.0
    for (index, count) in itemCounts.enumerated() {
      let length = place(
        descriptions[index], index, count, at: position,
        reference: configuration.contentInsetsReference)
      end = position + length
      position += max(0, length + configuration.interSectionSpacing)
    }
    // Boundary items of the layout lie around everything.
    let items = configuration.boundarySupplementaryItems
    let around = boundary(items, length: end, low: 0, high: container[cross])
    for (element, frame) in frames { frames[element] = moved(frame, by: around.before) }
    for (item, frame) in zip(items, around.frames) {
      frames[.supplementary(kind: item.elementKind, .layout)] = moved(frame, by: around.before)
    }
    let total = around.before + around.length + around.after
    let across = max(container[cross], widest)
    contentSize =
      axis == .vertical
      ? LayoutExtent(width: across, height: total) : LayoutExtent(width: total, height: across)
  }

  private func moved(_ frame: LayoutRect, by distance: Double) -> LayoutRect {
    axis == .vertical ? frame.shifted(0, distance) : frame.shifted(distance, 0)
  }

  /// Lays out one section and answers its length.
  private mutating func place(
    _ section: LayoutSection, _ index: Int, _ count: Int, at position: Double,
    reference: ContentInsetsReference
  ) -> Double {
    let cleared = clearance(
      section.contentInsetsReference == .automatic
        ? reference : section.contentInsetsReference)
    var insets = section.contentInsets
    if axis == .vertical {
      insets.leading += cleared.leading
      insets.trailing += cleared.trailing
    } else {
      insets.top += cleared.top
      insets.bottom += cleared.bottom
    }
    let along = axis == .vertical ? (insets.top, insets.bottom) : (insets.leading, insets.trailing)
    let across = axis == .vertical ? (insets.leading, insets.trailing) : (insets.top, insets.bottom)
    let orthogonal = section.orthogonalScrollingBehavior != .none
    let body = groups(section, index, count, insets: insets, orthogonal: orthogonal)
    let items = section.boundarySupplementaryItems
    guard body != nil || !items.isEmpty else { return 0 }

    let bodySize = body?.size ?? .zero
    if !orthogonal { widest = max(widest, bodySize[cross]) }
    let region = max(0, along.0 + along.1 + bodySize[axis])
    let follows = section.supplementariesFollowContentInsets
    let around = boundary(
      items, length: region, low: follows ? across.0 : 0,
      high: container[cross] - (follows ? across.1 : 0))
    let start = position + around.before
    for (item, frame) in zip(items, around.frames) {
      let path = LayoutPath(section: index, item: 0)
      frames[.supplementary(kind: item.elementKind, path)] = moved(frame, by: start)
    }
    for (element, frame) in body?.frames ?? [:] {
      let shifted =
        axis == .vertical
        ? frame.shifted(across.0, start + along.0) : frame.shifted(start + along.0, across.0)
      frames[element] = shifted
    }
    let length = around.before + around.length + around.after
    for (item, decoration) in section.decorationItems.enumerated() {
      let whole =
        axis == .vertical
        ? LayoutRect(x: 0, y: position, width: container.width, height: length)
        : LayoutRect(x: position, y: 0, width: length, height: container.height)
      let path = LayoutPath(section: index, item: item)
      frames[.decoration(kind: decoration.elementKind, path)] = whole.without(
        decoration.contentInsets, unless: LayoutSize(width: .absolute(0), height: .absolute(0)))
    }
    return length
  }

  private func clearance(_ reference: ContentInsetsReference) -> LayoutInsets {
    switch reference {
    case .automatic, .none: .zero
    case .safeArea: environment.safeArea
    case .layoutMargins: environment.layoutMargins
    case .readableContent: environment.readableContentInsets ?? environment.layoutMargins
    }
  }

  /// Stacks the groups of a section; `nil` without items.
  private func groups(
    _ section: LayoutSection, _ index: Int, _ count: Int, insets: LayoutInsets, orthogonal: Bool
  ) -> (size: LayoutExtent, frames: [LayoutElement: LayoutRect])? {
    guard count > 0, case .groups(let descriptions) = section.content else { return nil }
    let stacking = orthogonal ? cross : axis
    var box = container
    if stacking == .vertical {
      box.width = max(0, box.width - insets.leading - insets.trailing)
    } else {
      box.height = max(0, box.height - insets.top - insets.bottom)
    }
    var group = ReferenceGroup(scale: environment.scale, stacking: stacking)
    let full = descriptions.map {
      group.place($0, width: box.width, height: box.height, around: box, available: Int.max)
    }
    let used = descriptions.indices.filter { !full[$0].cells.isEmpty }
    guard !used.isEmpty else { return nil }

    // Which items are in which group, then what uniform groups share, then positions.
    var runs: [(description: Int, first: Int, count: Int)] = []
    var first = 0
    while first < count {
      let description = used[runs.count % used.count]
      let size = min(count - first, full[description].cells.count)
      runs.append((description, first, size))
      first += size
    }
    func placed(_ run: (description: Int, first: Int, count: Int), shared: Double?)
      -> ReferenceGroup.Placed
    {
      group.measured = { measured[LayoutPath(section: index, item: run.first + $0)] }
      return group.place(
        descriptions[run.description], width: box.width, height: box.height, around: box,
        available: run.count < full[run.description].cells.count ? run.count : Int.max,
        shared: shared)
    }
    var shared: Double?
    for run in runs where descriptions[run.description].layoutSize[stacking].isUniform {
      let isMeasured = (run.first..<(run.first + run.count)).contains {
        measured[LayoutPath(section: index, item: $0)] != nil
      }
      guard isMeasured else { continue }
      shared = max(shared ?? 0, placed(run, shared: nil).size[stacking])
    }

    let placedRuns = runs.map { run in
      let uniform = descriptions[run.description].layoutSize[stacking].isUniform
      return placed(run, shared: uniform ? shared : nil)
    }
    let other: LayoutAxis = stacking == .vertical ? .horizontal : .vertical
    let rowLength =
      zip(runs, placedRuns).map {
        let edges = descriptions[$0.description].edgeSpacing
        return $1.size[other] + edges.before(other).value + edges.after(other).value
      }.max() ?? 0
    let room = orthogonal ? rowLength : box[other]

    var frames: [LayoutElement: LayoutRect] = [:]
    var kinds: [String: Int] = [:]
    var position = 0.0
    var end = 0.0
    for (run, placed) in zip(runs, placedRuns) {
      let description = descriptions[run.description]
      let edges = description.edgeSpacing
      var length = placed.size[stacking]
      let whole = full[run.description]
      if placed.cells.count < whole.cells.count, !description.layoutSize[stacking].isMeasured,
        description.isCustom || !description.layoutSize[description.axis].isMeasured
      {
        let insets = description.contentInsets
        let before = stacking == .vertical ? insets.top : insets.leading
        let after = stacking == .vertical ? insets.bottom : insets.trailing
        let inner = max(0, whole.size[stacking] - before - after)
        let reached = (placed.far.map { $0[stacking] }.max() ?? 0) - before
        let pattern = (whole.far.map { $0[stacking] }.max() ?? 0) - before
        length = reached + (inner - pattern)
      }
      let along = position + edges.before(stacking).value
      var aside = edges.before(other).value
      if edges.before(other).grows {
        let rest = room - placed.size[other] - aside - edges.after(other).value
        aside += rest / (edges.after(other).grows ? 2 : 1)
      }
      let (x, y) = stacking == .vertical ? (aside, along) : (along, aside)
      for (cell, frame) in placed.cells.enumerated() {
        frames[.item(section: index, item: run.first + cell)] = frame.shifted(x, y)
      }
      for view in placed.views {
        let number = kinds[view.item.elementKind, default: 0]
        kinds[view.item.elementKind] = number + 1
        let path = LayoutPath(section: index, item: number)
        frames[.supplementary(kind: view.item.elementKind, path)] = view.frame.shifted(x, y)
      }
      end = along + length + edges.after(stacking).value
      position += max(
        0,
        edges.before(stacking).value + placed.size[stacking] + edges.after(stacking).value
          + section.interGroupSpacing)
    }
    guard end >= 0 else { return nil }
    // Edge spacing makes a row higher, and content no wider.
    let across = orthogonal ? rowLength : placedRuns.map { $0.size[other] }.max() ?? 0
    let size =
      stacking == .vertical
      ? LayoutExtent(width: across, height: end) : LayoutExtent(width: end, height: across)
    return (size, frames)
  }

  /// Puts boundary items around a region; positions count from its start.
  private func boundary(
    _ items: [LayoutBoundarySupplementaryItem], length: Double, low: Double, high: Double
  ) -> (frames: [LayoutRect], length: Double, before: Double, after: Double) {
    let group = ReferenceGroup(scale: environment.scale, stacking: axis)
    let sizes = items.map { item in
      axis == .vertical
        ? group.size(item.layoutSize, width: max(0, high - low), height: container.height)
        : group.size(item.layoutSize, width: container.width, height: max(0, high - low))
    }
    func side(_ item: LayoutBoundarySupplementaryItem, _ axis: LayoutAxis) -> Int {
      let name = item.alignment.rawValue.lowercased()
      switch axis {
      case .vertical: return name.hasPrefix("top") ? -1 : name.hasPrefix("bottom") ? 1 : 0
      case .horizontal: return name.hasSuffix("leading") ? -1 : name.hasSuffix("trailing") ? 1 : 0
      }
    }
    var region = length
    for (item, size) in zip(items, sizes) where item.extendsBoundary && side(item, axis) == 0 {
      region = max(region, size[axis])
    }
    var before = 0.0
    var after = 0.0
    var frames: [LayoutRect] = []
    for (item, size) in zip(items, sizes) {
      var start: Double
      switch (side(item, axis), item.extendsBoundary) {
      case (-1, true): start = -size[axis]
      case (-1, false): start = 0
      case (1, true): start = region
      case (1, false): start = region - size[axis]
      default: start = (region - size[axis]) / 2
      }
      start += axis == .vertical ? item.offset.y : item.offset.x
      var aside: Double
      switch side(item, cross) {
      case -1: aside = low
      case 1: aside = high - size[cross]
      default: aside = low + (high - low - size[cross]) / 2
      }
      aside += axis == .vertical ? item.offset.x : item.offset.y
      if item.extendsBoundary {
        before = max(before, -start)
        after = max(after, start + size[axis] - region)
      }
      let slot =
        axis == .vertical
        ? LayoutRect(x: aside, y: start, width: size.width, height: size.height)
        : LayoutRect(x: start, y: aside, width: size.width, height: size.height)
      frames.append(slot.without(item.contentInsets, unless: item.layoutSize))
    }
    return (frames, region, before, after)
  }
}
