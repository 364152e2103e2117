extension GroupRun {
  /// Checks the invariants of the type, if ``checksInvariants``.
  ///
  /// 1. The tree of measured groups is sound.
  /// 2. Measuring never moves a cell into another group.
  /// 3. A group never starts before the previous one.
  /// 4. The full groups that were measured are counted.
  func _checkInvariants() {
    #if InternalChecks || DEBUG
    guard checksInvariants else { return }
    measured._checkInvariants()
    var counts: [Int: Int] = [:]
    measured.forEach { group, entry in
      let expected = min(member(of: group).solution.cells.count, itemCount - firstItem(of: group))
      precondition(entry.solution.cells.count == expected, "2: cells of a measured group")
      precondition(solution(of: group).cells.count == expected, "2: cells of a stretched group")
      precondition(!entry.sizes.isEmpty, "2: a measured group has a measured cell")
      if group > 0 {
        precondition(start(of: group - 1) <= start(of: group) + 1e-6, "3: starts ascend")
      }
      if group + 1 < groupCount {
        precondition(start(of: group) <= start(of: group + 1) + 1e-6, "3: starts ascend")
      }
      if tail == nil || group < groupCount - 1 {
        counts[group % pattern.members.count, default: 0] += 1
      }
    }
    precondition(counts == measuredCounts.filter { $0.value != 0 }, "4: measured groups")
    #endif
  }
}
