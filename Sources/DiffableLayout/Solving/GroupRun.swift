/// The groups of a section: a pattern repeated for its items, with measured groups as exceptions.
///
/// Positions are relative to the corner of the section's content: `along` the stacking axis and
/// across it.
///
/// 1. Group g starts at `(g / members) · pitch + offset of the member + deltas before g`.
/// 2. A delta is the advance of a measured group minus the advance of its member; only groups with
///    a measured view have one.
/// 3. The last group is laid out separately if it is not full.
struct GroupRun: Sendable {
  /// The groups of a period.
  var pattern: GroupPattern

  /// The number of items.
  let itemCount: Int

  /// The number of groups.
  let groupCount: Int

  /// The last group, if it is not full.
  var tail: GroupTail?

  /// The groups with measured views.
  var measured: SpanTree<MeasuredGroup>

  /// The number of full groups with measured views for each member.
  var measuredCounts: [Int: Int] = [:]

  /// The measured sizes of attached views.
  var measuredAttachments: [AttachmentKey: LayoutExtent] = [:]

  /// The farthest that a measured attached view has reached so far beyond its place with the estimate.
  ///
  /// It may be far more than the length of the view, which an anchor can move by a multiple of it.
  var attachmentGrowth = 0.0

  /// Repeats a pattern for a number of items.
  ///
  /// The pattern has at least one cell.
  init(pattern: GroupPattern, itemCount: Int) throws(LayoutError) {
    let (periods, rest) = itemCount.quotientAndRemainder(dividingBy: pattern.itemCount)
    var groupCount = periods * pattern.members.count
    if rest > 0 {
      groupCount += 1 + (pattern.members.lastIndex { $0.firstItem < rest } ?? 0)
    }
    self.pattern = pattern
    self.itemCount = itemCount
    self.groupCount = groupCount
    self.measured = SpanTree(count: groupCount)
    try solveTail()
  }

  /// Lays out the last group if it is not full.
  mutating func solveTail() throws(LayoutError) {
    tail = nil
    guard groupCount > 0 else { return }
    let member = member(of: groupCount - 1)
    let count = itemCount - firstItem(of: groupCount - 1)
    guard count < member.solution.cells.count else { return }
    tail = GroupTail(
      solution: try solve(group: groupCount - 1, measured: [:], shared: pattern.sharedLength))
  }

  /// Lays out one group with measured sizes, and with the cells that are left for it.
  func solve(
    group: Int, measured: [Int: LayoutExtent], shared: Double?
  ) throws(LayoutError) -> GroupSolution {
    let member = member(of: group)
    var request = GroupSolver.Request()
    request.measured = measured
    let remaining = itemCount - firstItem(of: group)
    // A full group has no limit: nested groups without slots take space in it.
    if remaining < member.solution.cells.count { request.limit = remaining }
    if member.group.layoutSize[axis].isUniform { request.sharedLength = shared }
    var solution = try pattern.solver.solve(
      member.group, in: pattern.stacking.box, surroundings: pattern.stacking.box, request)
    solution.numberAttachments()
    return solution
  }
}

/// The last group of a run, if it is not full.
///
/// It is a class, so that runs without one stay small.
final class GroupTail: Sendable {
  let solution: GroupSolution

  init(solution: GroupSolution) {
    self.solution = solution
  }
}

/// A group with measured views.
final class MeasuredGroup: SpanElement {
  /// The measured sizes, by the index of the cell in the group.
  let sizes: [Int: LayoutExtent]

  /// The group laid out with these sizes.
  let solution: GroupSolution

  /// Its delta as length, its own length, its extent across and its overhang.
  let summary: SpanSummary

  init(sizes: [Int: LayoutExtent], solution: GroupSolution, summary: SpanSummary) {
    self.sizes = sizes
    self.solution = solution
    self.summary = summary
  }
}

/// An attached view of a section.
struct AttachmentKey: Hashable, Sendable {
  let kind: String
  let index: Int
}
