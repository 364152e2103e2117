extension GroupRun {
  /// The direction in which groups stack.
  var axis: LayoutAxis { pattern.stacking.axis }

  /// The member of the pattern that a group repeats.
  func member(of group: Int) -> GroupPattern.Member {
    pattern.members[group % pattern.members.count]
  }

  /// The index of the first item of a group.
  func firstItem(of group: Int) -> Int {
    group / pattern.members.count * pattern.itemCount + member(of: group).firstItem
  }

  /// The group of an item.
  func group(of item: Int) -> Int {
    let (period, rest) = item.quotientAndRemainder(dividingBy: pattern.itemCount)
    var low = 0
    var high = pattern.members.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if pattern.members[middle].firstItem <= rest { low = middle } else { high = middle }
    }
    return period * pattern.members.count + low
  }

  /// The start of a group, edge spacing included, as if no group before it had been measured.
  private func nominalStart(of group: Int) -> Double {
    let (period, member) = group.quotientAndRemainder(dividingBy: pattern.members.count)
    return Double(period) * pattern.pitch + pattern.members[member].offset
  }

  /// The start of a group, edge spacing included.
  func start(of group: Int) -> Double {
    nominalStart(of: group) + measured.length(before: group)
  }

  /// The frames of a group.
  func solution(of group: Int) -> GroupSolution {
    if let entry = measured[group] {
      guard let shared = pattern.sharedLength, member(of: group).group.layoutSize[axis].isUniform,
        // The same group was laid out when it was measured, so this cannot fail.
        let solution = try? solve(group: group, measured: entry.sizes, shared: shared)
      else { return entry.solution }
      return solution
    }
    if let tail, group == groupCount - 1 { return tail.solution }
    return member(of: group).solution
  }

  /// The corner of a group, relative to the corner of the content.
  func origin(of group: Int, _ solution: GroupSolution) -> LayoutPoint {
    let description = member(of: group).group
    return LayoutPoint(
      axis, along: start(of: group) + description.edgeSpacing.start(axis).minimum,
      across: pattern.stacking.crossOffset(
        of: description, size: solution.size, rowLength: widest))
  }

  /// The frame of a group.
  func frame(of group: Int) -> LayoutRect {
    let solution = solution(of: group)
    var size = solution.size
    size[axis] = max(0, length(of: group, solution))
    return LayoutRect(origin: origin(of: group, solution), size: size)
  }

  /// The length of a group; the last group is trimmed if it is not full.
  ///
  /// It keeps the reach of its cells, and the space that a full group has after its cells.
  func length(of group: Int, _ solution: GroupSolution) -> Double {
    let member = member(of: group)
    let size = member.group.layoutSize
    guard solution.cells.count < member.solution.cells.count,
      !size[axis].isEstimated, !size[member.group.axis].isEstimated || isCustom(member.group)
    else { return solution.size[axis] }
    let inner = member.solution.size[axis] - member.group.contentInsets.total(axis)
    return solution.reach(axis) + max(0, inner) - member.solution.reach(axis)
  }

  private func isCustom(_ group: LayoutGroup) -> Bool {
    if case .custom = group.arrangement { true } else { false }
  }

  /// The length of all groups and the gaps between them.
  ///
  /// It is negative if the last group is trimmed by more than the total length.
  var length: Double {
    guard groupCount > 0 else { return 0 }
    let last = groupCount - 1
    let edges = member(of: last).group.edgeSpacing
    return start(of: last) + edges.minimum(axis) + length(of: last, solution(of: last))
  }

  /// The length across of the widest group.
  var widest: Double {
    var widest = measured.summary.widest
    if let tail, measured[groupCount - 1] == nil {
      let group = member(of: groupCount - 1).group
      widest = max(widest, pattern.stacking.breadth(of: group, size: tail.solution.size))
    }
    // A member counts as long as a group repeats it unchanged.
    let full = groupCount - (tail == nil ? 0 : 1)
    let (periods, rest) = full.quotientAndRemainder(dividingBy: pattern.members.count)
    for (index, member) in pattern.members.enumerated() {
      let repeated = periods + (index < rest ? 1 : 0) - (measuredCounts[index] ?? 0)
      guard repeated > 0 else { continue }
      widest = max(
        widest, pattern.stacking.breadth(of: member.group, size: member.solution.size))
    }
    return widest
  }

  /// The maximum overhang of elements over their groups.
  var overhang: Double {
    var overhang = max(pattern.summary.overhang, measured.summary.overhang)
    guard groupCount > 0 else { return overhang }
    let last = solution(of: groupCount - 1)
    overhang += abs(last.size[axis] - length(of: groupCount - 1, last))
    if let tail {
      overhang = max(overhang, tail.solution.overhang(axis.cross)) + tail.solution.overhang(axis)
    }
    return overhang + attachmentGrowth
  }

  /// The last group whose start satisfies a condition that holds for the first groups only.
  func lastGroup(where condition: (Double) -> Bool) -> Int? {
    measured.lastIndex { condition(nominalStart(of: $0) + $1) }
  }
}
