/// Boundary items around a region: a section along the scroll axis, or all sections of a layout.
///
/// Positions along the axis are relative to the start of the region.
struct BoundaryPlacement: Sendable {
  /// The scroll axis.
  let axis: LayoutAxis

  /// The descriptions.
  let items: [LayoutBoundarySupplementaryItem]

  /// Their sizes without measurement.
  let sizes: [LayoutExtent]

  /// The start of the range across in which items are aligned.
  let crossStart: Double

  /// The length of that range.
  let crossLength: Double

  /// The lengths that boundary items add to a region.
  struct Extents: Hashable, Sendable {
    /// The length of the region, extended to the longest item at its sides.
    var region: Double

    /// The length of items before the region.
    var start: Double

    /// The length of items after the region.
    var end: Double

    /// The total length.
    var length: Double { start + region + end }
  }

  /// Resolves the sizes of items in a box, which is also the range across.
  init(
    _ items: [LayoutBoundarySupplementaryItem], axis: LayoutAxis, container: LayoutExtent,
    crossStart: Double, crossLength: Double, grid: PixelGrid
  ) {
    self.axis = axis
    self.items = items
    self.crossStart = crossStart
    self.crossLength = crossLength
    let box = LayoutExtent(axis, along: container[axis], across: max(0, crossLength))
    self.sizes = items.map { $0.layoutSize.resolved(in: box, on: grid) }
  }

  /// The size of an item; the measured one, if it is estimated and has been measured.
  func size(of index: Int, measured: [String: LayoutExtent]) -> LayoutExtent {
    guard let size = measured[items[index].elementKind] else { return sizes[index] }
    return EstimatedAxes(of: items[index].layoutSize).replacing(sizes[index], by: size)
  }

  /// The lengths that the items add to a region of a given length.
  ///
  /// Items on the same side do not stack.
  func extents(
    around length: Double, measured: [String: LayoutExtent]
  ) -> Extents {
    var extents = Extents(region: length, start: 0, end: 0)
    for (index, item) in items.enumerated()
    where item.extendsBoundary && item.alignment.fraction(axis) == 0.5 {
      extents.region = max(extents.region, size(of: index, measured: measured)[axis])
    }
    for (index, item) in items.enumerated() where item.extendsBoundary {
      let size = size(of: index, measured: measured)
      let start = start(of: index, size: size, region: extents.region)
      extents.start = max(extents.start, -start)
      extents.end = max(extents.end, start + size[axis] - extents.region)
    }
    return extents
  }

  /// The slot of an item, before subtracting its content insets.
  func slot(of index: Int, region: Double, measured: [String: LayoutExtent]) -> LayoutRect {
    let size = size(of: index, measured: measured)
    let across = items[index].alignment.fraction(axis.cross)
    return LayoutRect(
      axis, start: start(of: index, size: size, region: region), length: size[axis],
      crossStart: crossStart + across * (crossLength - size[axis.cross])
        + items[index].offset[axis.cross],
      crossLength: size[axis.cross])
  }

  /// The frame of an item in a slot.
  func frame(of index: Int, in slot: LayoutRect) -> LayoutRect {
    slot.inset(by: items[index].contentInsets.ignoring(estimatedAxesOf: items[index].layoutSize))
  }

  private func start(of index: Int, size: LayoutExtent, region: Double) -> Double {
    let item = items[index]
    let side = item.alignment.fraction(axis)
    let inside = side * (region - size[axis])
    let outwards = item.extendsBoundary && side != 0.5 ? (side * 2 - 1) * size[axis] : 0
    return inside + outwards + item.offset[axis]
  }
}
