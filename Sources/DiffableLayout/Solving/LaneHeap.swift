/// A binary heap of lanes, ordered by their ends, the shortest on top.
///
/// Lanes with equal ends are ordered by index.
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
