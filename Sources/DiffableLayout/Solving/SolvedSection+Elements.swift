extension SolvedSection {
  /// The cell of an item, positioned in the section.
  func cell(_ item: Int) -> BodyElement? {
    switch body {
    case _ where isCollapsed, .none: nil
    case .groups(let run): run.cell(item)
    case .waterfall(let run): run.cell(item)
    }
  }

  /// A view attached to an item or a group.
  func attachment(_ key: AttachmentKey) -> BodyElement? {
    if case .groups(let run) = body, !isCollapsed { run.attachment(key) } else { nil }
  }

  /// Calls a function with every element of the body that may intersect a rectangle.
  ///
  /// All positions are relative to the corner of the content.
  func forEachBodyElement(in rect: LayoutRect, _ body: (BodyElement) -> Void) {
    let low = rect.start(plan.bodyAxis)
    let high = rect.end(plan.bodyAxis)
    switch self.body {
    case _ where isCollapsed, .none: break
    case .groups(let run): run.forEachElement(from: low, to: high, body)
    case .waterfall(let run): run.forEachElement(from: low, to: high, body)
    }
  }

  /// The drawing order of a cell: in front of the section's decorations.
  func zIndex(ofCell zIndex: Int) -> Int {
    plan.section.decorationItems.isEmpty ? zIndex : max(1, zIndex)
  }
}
