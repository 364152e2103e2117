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

  /// Calls a function with every cell that may meet a span along the axis, in item order.
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

/// The lanes ordered by where they end, the shortest on top: a binary heap whose equal ends are
/// ordered by lane.
struct LaneHeap {
  private var heap: [(lane: Int, end: Double)]

  init(_ ends: [Double]) {
    heap = ends.enumerated().map { (lane: $0.offset, end: $0.element) }
    for index in stride(from: heap.count / 2, through: 0, by: -1) { sink(index) }
  }

  /// The shortest lane, the first of several.
  var top: (lane: Int, end: Double) { heap[0] }

  /// Moves the end of the shortest lane.
  mutating func replaceTop(_ end: Double) {
    heap[0].end = end
    sink(0)
  }

  private mutating func sink(_ index: Int) {
    var parent = index
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && precedes(child, smallest) { smallest = child }
      if smallest == parent { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].end, heap[left].lane) < (heap[right].end, heap[right].lane)
  }
}
