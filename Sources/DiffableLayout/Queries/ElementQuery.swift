/// A rectangle, the rule for elements to intersect it, and the elements found so far.
///
/// It is in left-to-right coordinates.
struct ElementQuery {
  var rect: LayoutRect
  let rule: LayoutQueryRule
  var scrolled: LayoutScrollState?

  /// Whether to find cells only.
  var wantsCellsOnly = false

  /// The elements found so far.
  var found: [LayoutAttributes] = []

  init(rect: LayoutRect, rule: LayoutQueryRule, scrolled: LayoutScrollState?) {
    self.rect = rect
    self.rule = rule
    self.scrolled = scrolled
  }

  /// Whether a cell or attached view intersects the rectangle.
  func meets(_ frame: LayoutRect, clip: LayoutRect) -> Bool {
    switch rule {
    case .frames: frame.intersects(rect)
    case .uiKit: frame.intersection(clip).intersects(rect)
    }
  }

  /// Whether a decoration intersects the rectangle.
  func meets(decoration frame: LayoutRect, section: LayoutRect) -> Bool {
    switch rule {
    case .frames: frame.intersects(rect)
    case .uiKit: section.touches(rect)
    }
  }

  /// Adds an element that intersects the rectangle.
  mutating func append(_ element: LayoutElement, _ frame: LayoutRect, zIndex: Int) {
    found.append(LayoutAttributes(element: element, frame: frame, zIndex: zIndex))
  }
}

extension SolvedLayout {
  /// Adds the elements of a section.
  func collect(section index: Int, into query: inout ElementQuery) {
    let section = sections[index]
    guard section.hasSize else { return }
    let first = query.found.count
    let start = start(of: index)
    let offset = orthogonalOffset(ofSection: index, query.scrolled)
    collectBody(of: section, index, start: start, offset: offset, into: &query)
    if !query.wantsCellsOnly {
      for item in section.plan.boundary.items.indices {
        collectBoundaryItem(item, of: section, index, start: start, into: &query)
      }
      for (item, decoration) in section.plan.section.decorationItems.enumerated() {
        guard let frame = section.decorationFrame(item)?.moved(axis, by: start),
          query.meets(decoration: frame, section: section.frame.moved(axis, by: start))
        else { continue }
        let path = LayoutPath(section: index, item: item)
        query.append(
          .decoration(kind: decoration.elementKind, path), frame, zIndex: decoration.zIndex)
      }
      applyHandler(of: section, offset: offset, to: &query, from: first)
    }
  }

  /// Adds the cells of a section and the views attached to them and their groups.
  private func collectBody(
    of section: SolvedSection, _ index: Int, start: Double, offset: Double,
    into query: inout ElementQuery
  ) {
    var origin = section.contentOrigin
    origin[axis] += start
    origin[axis.cross] -= offset
    let local = query.rect.moved(by: LayoutPoint(x: -origin.x, y: -origin.y))
    var attached: [LayoutAttributes] = []
    section.forEachBodyElement(in: local) { element in
      let frame = element.frame.moved(by: origin)
      guard query.meets(frame, clip: element.clip.moved(by: origin)) else { return }
      switch element.identity {
      case .cell(let item):
        query.append(
          .item(section: index, item: item), frame, zIndex: section.zIndex(ofCell: element.zIndex))
      case .attachment(let key):
        guard !query.wantsCellsOnly else { return }
        let path = LayoutPath(section: index, item: key.index)
        attached.append(
          LayoutAttributes(
            element: .supplementary(kind: key.kind, path), frame: frame, zIndex: element.zIndex))
      }
    }
    query.found += attached
  }
}
