/// A section that scrolls across the scroll direction of its layout: its viewport and rest offsets.
///
/// It is a value; the host keeps the offset. Offsets count along its axis from the leading edge of
/// the first group, whatever the reading direction.
public struct OrthogonalRow: Sendable {
  /// The axis along which the section scrolls.
  package let axis: LayoutAxis

  /// The part of the content in which the section scrolls, in content coordinates.
  ///
  /// Hosts do not clip to it: groups are visible up to the edge of the view.
  public let viewport: LayoutRect

  /// The length of all groups and the gaps between them, in points.
  public let contentLength: Double

  /// How the section scrolls.
  package let behavior: OrthogonalScrollingBehavior

  /// How it slows down.
  package let properties: OrthogonalScrollingProperties

  /// The groups.
  let run: GroupRun

  /// The length of the viewport along the axis.
  package var viewportLength: Double { viewport.length(axis) }

  /// The offset that shows the end of the row; 0 if everything is visible.
  package var maxOffset: Double { max(0, contentLength - viewportLength) }

  /// The number of groups.
  package var groupCount: Int { run.groupCount }

  /// The offset of a section that has not been scrolled yet.
  ///
  /// In a centred section the first group is in the middle.
  package var initialOffset: Double {
    behavior == .groupPagingCentered ? restingOffset(ofGroup: 0) ?? 0 : 0
  }

  /// The items of a group.
  package func items(ofGroup group: Int) -> Range<Int> {
    guard group >= 0 && group < groupCount else { return 0..<0 }
    let first = run.firstItem(of: group)
    return first..<(first + run.solution(of: group).cells.count)
  }

  /// The offset at which a group rests: at the leading edge, or in the middle of the viewport.
  ///
  /// - Returns: `nil` if there is no such group.
  package func restingOffset(ofGroup group: Int) -> Double? {
    guard group >= 0 && group < groupCount else { return nil }
    let edge = leadingEdge(of: group)
    guard behavior == .groupPagingCentered else { return min(edge, maxOffset) }
    return edge + run.frame(of: group).length(axis) / 2 - viewportLength / 2
  }

  /// The start of a group, relative to the first group.
  func leadingEdge(of group: Int) -> Double {
    run.frame(of: group).start(axis) - run.frame(of: 0).start(axis)
  }
}

extension SolvedLayout {
  /// The scrolling of a section across the scroll direction; `nil` if it does not scroll that way.
  public func orthogonalRow(ofSection index: Int) -> OrthogonalRow? {
    guard sections.indices.contains(index) else { return nil }
    let section = sections[index]
    guard section.plan.isOrthogonal, !section.isCollapsed, case .groups(let run) = section.body
    else { return nil }
    let origin = section.contentOrigin
    let across = axis.cross
    let length =
      environment.container.contentSize[across] - section.plan.insets.total(across)
    let viewport = LayoutRect(
      axis, start: start(of: index) + origin[axis], length: run.widest,
      crossStart: origin[across], crossLength: max(0, length))
    return OrthogonalRow(
      axis: across, viewport: seen(viewport), contentLength: max(0, run.length),
      behavior: section.plan.section.orthogonalScrollingBehavior,
      properties: section.plan.section.orthogonalScrollingProperties, run: run)
  }

  /// The distance by which a section is scrolled across the scroll direction; 0 if nothing is scrolled.
  func orthogonalOffset(ofSection index: Int, _ scrolled: LayoutScrollState?) -> Double {
    guard let scrolled, sections[index].plan.isOrthogonal else { return 0 }
    if let offset = scrolled.orthogonalOffsets[index] { return offset }
    // In all others, the first group begins at the edge.
    guard sections[index].plan.section.orthogonalScrollingBehavior == .groupPagingCentered else {
      return 0
    }
    return orthogonalRow(ofSection: index)?.initialOffset ?? 0
  }
}
