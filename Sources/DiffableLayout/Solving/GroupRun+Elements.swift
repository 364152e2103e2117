extension GroupRun {
  /// The frame of an item.
  func cell(_ item: Int) -> BodyElement? {
    guard item >= 0 && item < itemCount else { return nil }
    let group = group(of: item)
    let solution = solution(of: group)
    let index = item - firstItem(of: group)
    guard index < solution.cells.count else { return nil }
    return element(item, solution.cells[index], at: origin(of: group, solution))
  }

  /// The frame of an attached view.
  func attachment(_ key: AttachmentKey) -> BodyElement? {
    let count = pattern.attachmentCounts[key.kind] ?? 0
    guard count > 0, key.index >= 0 else { return nil }
    let (period, rest) = key.index.quotientAndRemainder(dividingBy: count)
    // This also keeps the product below in bounds.
    guard period < groupCount else { return nil }
    guard
      let member = pattern.members.lastIndex(where: {
        $0.attachmentsBefore[key.kind, default: 0] <= rest
          && $0.solution.attachments.contains { $0.item.elementKind == key.kind }
      })
    else { return nil }
    let group = period * pattern.members.count + member
    guard group < groupCount else { return nil }
    let ordinal = rest - pattern.members[member].attachmentsBefore[key.kind, default: 0]
    let solution = solution(of: group)
    let attachment = solution.attachments.first {
      $0.item.elementKind == key.kind && $0.ordinal == ordinal
    }
    return attachment.map { element(key, $0, at: origin(of: group, solution)) }
  }

  /// Calls a function with every cell and attached view that may intersect a span along the axis.
  ///
  /// The order is the layout order.
  ///
  /// - Complexity: O(log groups) and the slots of the groups that intersect the span, widened by
  ///   the overhang.
  func forEachElement(from low: Double, to high: Double, _ body: (BodyElement) -> Void) {
    guard let groups = groups(from: low, to: high) else { return }
    for group in groups {
      let solution = solution(of: group)
      let origin = origin(of: group, solution)
      let first = firstItem(of: group)
      for (index, cell) in solution.cells.enumerated() {
        body(element(first + index, cell, at: origin))
      }
      guard !solution.attachments.isEmpty else { continue }
      let period = group / pattern.members.count
      let member = member(of: group)
      for attachment in solution.attachments {
        let kind = attachment.item.elementKind
        let index =
          period * (pattern.attachmentCounts[kind] ?? 0)
          + (member.attachmentsBefore[kind] ?? 0) + attachment.ordinal
        body(element(AttachmentKey(kind: kind, index: index), attachment, at: origin))
      }
    }
  }

  /// The groups that may have an element in a span along the axis.
  func groups(from low: Double, to high: Double) -> ClosedRange<Int>? {
    let overhang = overhang
    guard let last = lastGroup(where: { $0 < high + overhang }) else { return nil }
    let first = lastGroup { $0 <= low - overhang } ?? 0
    return first...max(first, last)
  }

  private func element(
    _ item: Int, _ cell: GroupSolution.Cell, at origin: LayoutPoint
  ) -> BodyElement {
    BodyElement(
      identity: .cell(item), frame: cell.frame.moved(by: origin),
      clip: cell.clip.moved(by: origin), zIndex: cell.zIndex, estimated: cell.estimated)
  }

  private func element(
    _ key: AttachmentKey, _ attachment: GroupSolution.Attachment, at origin: LayoutPoint
  ) -> BodyElement {
    BodyElement(
      identity: .attachment(key),
      frame: attachment.frame(measured: measuredAttachments[key]).moved(by: origin),
      clip: attachment.clip.moved(by: origin), zIndex: attachment.item.zIndex,
      estimated: EstimatedAxes(of: attachment.item.layoutSize))
  }
}
