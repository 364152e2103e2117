extension WaterfallRun {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. Every item is in one lane, and the lane is known.
  /// 2. Items of a lane follow one another without overlapping.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    precondition(lanes.reduce(0) { $0 + $1.count } == itemCount, "1: items in lanes")
    for (lane, items) in lanes.enumerated() {
      precondition(items.allSatisfy { laneOf[$0] == Int32(lane) }, "1: lane of an item")
      for (above, below) in zip(items, items.dropFirst()) {
        precondition(above < below, "2: items of a lane ascend")
        precondition(starts[above] + lengths[above] <= starts[below], "2: items do not overlap")
      }
    }
    #endif
  }
}
