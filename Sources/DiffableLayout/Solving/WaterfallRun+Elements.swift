extension WaterfallRun {
  /// The end of the longest lane.
  var length: Double {
    lanes.reduce(0) { end, lane in
      lane.last.map { max(end, starts[$0] + lengths[$0]) } ?? end
    }
  }

  /// Whether the lengths of items are measured.
  var isEstimated: Bool {
    if case .estimated = waterfall.itemLength { true } else { false }
  }

  /// The frame of an item.
  func cell(_ item: Int) -> BodyElement? {
    guard item >= 0 && item < itemCount else { return nil }
    let frame = LayoutRect(
      axis, start: starts[item], length: lengths[item],
      crossStart: Double(laneOf[item]) * (laneWidth + waterfall.laneSpacing),
      crossLength: laneWidth)
    let estimated: EstimatedAxes = isEstimated ? (axis == .vertical ? .height : .width) : []
    return BodyElement(
      identity: .cell(item), frame: frame, clip: frame, zIndex: 0, estimated: estimated)
  }

  /// Calls a function with every cell that may intersect a span along the axis, in item order.
  ///
  /// - Complexity: O(lanes · log items) and the cells found, sorted.
  func forEachElement(from low: Double, to high: Double, _ body: (BodyElement) -> Void) {
    var found: [Int] = []
    for lane in lanes.indices {
      let first = bound(in: lane) { starts[$0] + lengths[$0] < low }
      let last = bound(in: lane) { starts[$0] <= high }
      if first < last { found.append(contentsOf: lanes[lane][first..<last]) }
    }
    for item in found.sorted() {
      if let cell = cell(item) { body(cell) }
    }
  }
}
