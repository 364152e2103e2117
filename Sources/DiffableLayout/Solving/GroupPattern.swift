/// The groups that a section repeats, laid out once: its *period*.
///
/// A section without measured sizes is just this pattern, repeated: item i is found by division.
/// All sections with the same description share one pattern.
final class GroupPattern: Sendable {
  /// One group of the period.
  struct Member: Sendable {
    /// The description.
    let group: LayoutGroup

    /// The group with all its cells.
    let solution: GroupSolution

    /// The index of its first cell in the period.
    let firstItem: Int

    /// The distance from the start of the period to the start of the group.
    ///
    /// The group includes its edge spacing.
    let offset: Double

    /// The number of attached views of each kind before it in the period.
    let attachmentsBefore: [String: Int]
  }

  /// The properties of a section for stacking its groups.
  struct Stacking: Sendable {
    /// The direction in which groups stack.
    let axis: LayoutAxis

    /// The box in which the size of a group is resolved.
    let box: LayoutExtent

    /// The length across in which groups are aligned by flexible edges.
    ///
    /// It is `nil` in an orthogonal row, which is as high as its tallest group.
    let crossRoom: Double?

    /// The gap between two groups.
    let spacing: Double
  }

  let stacking: Stacking
  let solver: GroupSolver

  /// The groups that have cells, in order.
  let members: [Member]

  /// The distance from one period to the next.
  let pitch: Double

  /// The number of cells in a period.
  let itemCount: Int

  /// The number of attached views of each kind in a period.
  let attachmentCounts: [String: Int]

  /// The summary of the members.
  let summary: SpanSummary

  /// The length that all groups with a uniform length share; `nil` if nothing was measured.
  let sharedLength: Double?

  /// Lays out the groups of a period.
  init(
    groups: [LayoutGroup], stacking: Stacking, solver: GroupSolver, sharedLength: Double? = nil
  ) throws(LayoutError) {
    var members: [Member] = []
    var attachments: [String: Int] = [:]
    var pitch = 0.0
    var itemCount = 0
    var summary = SpanSummary()
    for (index, group) in groups.enumerated() {
      var request = GroupSolver.Request()
      if group.layoutSize[stacking.axis].isUniform { request.sharedLength = sharedLength }
      var solution: GroupSolution
      do {
        solution = try solver.solve(
          group, in: stacking.box, surroundings: stacking.box, request)
      } catch { throw error.inside(.group(index)) }
      guard solution.isFinite else { throw LayoutError(.tooLong, at: LayoutPart(.group(index))) }
      if solution.cells.isEmpty { continue }
      solution.numberAttachments()
      let advance = stacking.advance(of: group, length: solution.size[stacking.axis])
      members.append(
        Member(
          group: group, solution: solution, firstItem: itemCount, offset: pitch,
          attachmentsBefore: attachments))
      for attachment in solution.attachments {
        attachments[attachment.item.elementKind, default: 0] += 1
      }
      summary = summary + stacking.summary(of: solution, group: group, advance: advance)
      pitch += advance
      itemCount += solution.cells.count
    }
    self.stacking = stacking
    self.solver = solver
    self.members = members
    self.pitch = pitch
    self.itemCount = itemCount
    self.attachmentCounts = attachments
    self.summary = summary
    self.sharedLength = sharedLength
  }
}

extension GroupPattern.Stacking {
  /// The distance from the start of a group to the start of the next: edge spacing, length and gap.
  ///
  /// A group never starts before the previous one.
  func advance(of group: LayoutGroup, length: Double) -> Double {
    max(0, group.edgeSpacing.minimum(axis) + length + spacing)
  }

  /// The summary of a solved group, measured from its start, edge spacing included.
  func summary(of solution: GroupSolution, group: LayoutGroup, advance: Double) -> SpanSummary {
    let length = solution.size[axis]
    let corner = group.edgeSpacing.start(axis).minimum
    let behind = corner + length - advance
    return SpanSummary(
      length: advance, longest: length,
      widest: breadth(of: group, size: solution.size),
      overhang: max(solution.overhang(axis), solution.overhang(axis.cross))
        + max(0, -corner, behind))
  }

  /// The length of a group across.
  ///
  /// A row is as high as its groups with their edge spacing. Content that scrolls along its groups
  /// is as wide as the widest of them: their edge spacing across moves them and adds no room.
  func breadth(of group: LayoutGroup, size: LayoutExtent) -> Double {
    size[axis.cross] + (crossRoom == nil ? group.edgeSpacing.minimum(axis.cross) : 0)
  }

  /// The start of a group across, aligned by its flexible edges.
  func crossOffset(
    of group: LayoutGroup, size: LayoutExtent, rowLength: @autoclosure () -> Double
  ) -> Double {
    let edges = group.edgeSpacing
    let start = edges.start(axis.cross)
    guard start.isFlexible else { return start.minimum }
    let leftover = (crossRoom ?? rowLength()) - size[axis.cross] - edges.minimum(axis.cross)
    return start.minimum + leftover / Double(edges.flexibleCount(axis.cross))
  }
}
