extension GroupRun {
  /// Applies the measured size of a cell.
  ///
  /// Only the group of the cell is laid out again; the tree of deltas moves what follows.
  ///
  /// - Complexity: O(slots of the group + log groups); if the length that all groups share changes,
  ///   O(slots of the pattern) more.
  mutating func setMeasuredSize(_ size: LayoutExtent?, of item: Int) throws(LayoutError) {
    let group = group(of: item)
    let former = measured[group]?.sizes ?? [:]
    var sizes = former
    sizes[item - firstItem(of: group)] = size
    try setMeasuredSizes(sizes, ofGroup: group)
    do {
      try updateSharedLength()
    } catch {
      try setMeasuredSizes(former, ofGroup: group)
      throw error
    }
    _checkInvariants()
  }

  /// Applies the measured sizes of a whole group; without sizes, the group is as in the pattern.
  private mutating func setMeasuredSizes(
    _ sizes: [Int: LayoutExtent], ofGroup group: Int
  ) throws(LayoutError) {
    guard !sizes.isEmpty else {
      store(nil, ofGroup: group)
      return
    }
    let solution = try solve(group: group, measured: sizes, shared: nil)
    guard solution.isFinite else {
      throw LayoutError(.tooLong, at: LayoutPart(.item(firstItem(of: group))))
    }
    let member = member(of: group)
    let stacking = pattern.stacking
    let advance = stacking.advance(of: member.group, length: solution.size[axis])
    var summary = stacking.summary(of: solution, group: member.group, advance: advance)
    if member.group.layoutSize[axis].isUniform {
      // Its start depends not on its own length but on the length that all groups share.
      summary.length = 0
    } else {
      summary.longest = -.infinity
      summary.length =
        advance - stacking.advance(of: member.group, length: member.solution.size[axis])
    }
    store(MeasuredGroup(sizes: sizes, solution: solution, summary: summary), ofGroup: group)
  }

  /// Stores the measured sizes of a group, and counts the groups that differ from the pattern.
  private mutating func store(_ entry: MeasuredGroup?, ofGroup group: Int) {
    let change = (entry == nil ? 0 : 1) - (measured[group] == nil ? 0 : 1)
    let isFull = tail == nil || group < groupCount - 1
    if isFull && change != 0 {
      measuredCounts[group % pattern.members.count, default: 0] += change
    }
    measured[group] = entry
  }

  /// Lays the pattern out again if the largest measured length of uniform groups has changed.
  private mutating func updateSharedLength() throws(LayoutError) {
    let longest = measured.summary.longest
    let shared = longest.isFinite ? longest : nil
    guard shared != pattern.sharedLength else { return }
    pattern = try GroupPattern(
      groups: pattern.members.map(\.group), stacking: pattern.stacking, solver: pattern.solver,
      sharedLength: shared)
    try solveTail()
  }

  /// Applies the measured size of an attached view.
  ///
  /// Nothing else moves.
  mutating func setMeasuredSize(_ size: LayoutExtent?, of key: AttachmentKey) {
    measuredAttachments[key] = nil
    guard let size, let estimated = attachment(key)?.frame else { return }
    measuredAttachments[key] = size
    // A size that is too long is refused.
    guard let frame = attachment(key)?.frame, frame.isFinite else { return }
    for axis in LayoutAxis.allCases {
      attachmentGrowth = max(
        attachmentGrowth, estimated.start(axis) - frame.start(axis),
        frame.end(axis) - estimated.end(axis))
    }
  }

  /// Calls a function with every measured size of a cell, in item order.
  func forEachMeasuredSize(_ body: (Int, LayoutExtent) -> Void) {
    measured.forEach { group, entry in
      let first = firstItem(of: group)
      for (index, size) in entry.sizes.sorted(by: { $0.key < $1.key }) { body(first + index, size) }
    }
  }
}
