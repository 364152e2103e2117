/// The lanes of a waterfall section, filled.
///
/// Positions are relative to the corner of the section's content. Items of a lane start one after
/// the other, so a binary search in every lane finds a span.
struct WaterfallRun: Sendable {
  /// The axis along which lanes run.
  let axis: LayoutAxis

  /// The description.
  let waterfall: LayoutWaterfall

  /// The width of a lane, in points.
  let laneWidth: Double

  /// The items of each lane, in order.
  private(set) var lanes: [[Int]]

  /// The lane of each item.
  private(set) var laneOf: [Int32] = []

  /// The start of each item.
  private(set) var starts: [Double] = []

  /// The length of each item.
  private(set) var lengths: [Double] = []

  /// The sizes that were measured.
  private(set) var measured: [Int: LayoutExtent] = [:]

  /// Fills lanes that share some space across.
  init(
    _ waterfall: LayoutWaterfall, itemCount: Int, axis: LayoutAxis, room: Double, grid: PixelGrid
  ) throws(LayoutError) {
    self.axis = axis
    self.waterfall = waterfall
    let spacing = waterfall.laneSpacing
    let count: Int
    switch waterfall.lanes {
    case .count(let lanes): count = lanes
    case .minimumWidth(let width):
      // The rounding error of the quotient must not take a lane away.
      let fitting = ((room + spacing) / (width + spacing) + 1e-6).rounded(.down)
      count =
        fitting > 1 ? Int(min(fitting, Double(LayoutError.maximumSlotCount))) : 1
    }
    laneWidth = max(0, grid.floored((room - Double(count - 1) * spacing) / Double(count)))
    lanes = Array(repeating: [], count: count)
    guard itemCount <= LayoutWaterfall.maximumItemCount else {
      throw LayoutError(.tooLong, at: LayoutPart(.waterfall))
    }
    laneOf.reserveCapacity(itemCount)
    starts.reserveCapacity(itemCount)
    lengths.reserveCapacity(itemCount)
    for item in 0..<itemCount { lengths.append(try length(of: item)) }
    place(from: 0)
    guard length.isFinite && laneWidth.isFinite else {
      throw LayoutError(.tooLong, at: LayoutPart(.waterfall))
    }
  }

  /// The number of items.
  var itemCount: Int { lengths.count }

  /// The length of an item: measured, or as in the description.
  private func length(of item: Int) throws(LayoutError) -> Double {
    if let size = measured[item] { return max(0, size[axis]) }
    switch waterfall.itemLength {
    case .estimated(let length): return max(0, length)
    case .provided(let provider):
      let length = provider.length(item, laneWidth)
      guard length.isFinite else {
        throw LayoutError(.notFinite, at: LayoutPart(.waterfall, .item(item)))
      }
      return max(0, length)
    }
  }

  /// Puts every item from one on into the lane that is shortest then, the first of several.
  private mutating func place(from first: Int) {
    laneOf.removeLast(laneOf.count - first)
    starts.removeLast(starts.count - first)
    for lane in lanes.indices {
      lanes[lane].removeLast(lanes[lane].count - bound(in: lane) { $0 < first })
    }
    var shortest = LaneHeap(lanes.map { $0.last.map { next(after: $0) } ?? 0 })
    for item in first..<itemCount {
      let (lane, start) = shortest.top
      lanes[lane].append(item)
      laneOf.append(Int32(lane))
      starts.append(start)
      shortest.replaceTop(next(after: item))
    }
  }

  /// The start of the item after an item: never before the end of the item.
  private func next(after item: Int) -> Double {
    starts[item] + lengths[item] + max(0, waterfall.itemSpacing)
  }

  /// The number of items at the beginning of a lane that satisfy a condition.
  func bound(in lane: Int, where condition: (Int) -> Bool) -> Int {
    var low = 0
    var high = lanes[lane].count
    while low < high {
      let middle = (low + high) / 2
      if condition(lanes[lane][middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Applies measured sizes; items from the first that has another length on are placed again.
  ///
  /// - Complexity: O(sizes + items after it · log lanes).
  mutating func setMeasuredSizes(_ sizes: [Int: LayoutExtent?]) throws(LayoutError) {
    var first = itemCount
    for (item, size) in sizes {
      measured[item] = size
      let length = try length(of: item)
      guard length != lengths[item] else { continue }
      lengths[item] = length
      first = min(first, item)
    }
    guard first < itemCount else { return }
    place(from: first)
    _checkInvariants()
  }
}
