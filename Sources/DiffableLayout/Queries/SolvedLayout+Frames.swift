extension SolvedLayout {
  /// The frame of a cell; `nil` if there is no such item, or no room for any.
  ///
  /// - Complexity: O(log sections + log measured groups).
  public func frame(for path: LayoutPath) -> LayoutRect? {
    attributes(for: .item(path))?.frame
  }

  /// The frame of a supplementary view in a section: a header, a footer, a badge.
  ///
  /// - Parameters:
  ///   - kind: The element kind.
  ///   - section: The index of the section.
  ///   - item: The number of the view among those of its kind: 0 for a boundary item; views
  ///     attached to items and groups are numbered in layout order.
  package func supplementaryFrame(kind: String, section: Int, item: Int = 0) -> LayoutRect? {
    attributes(for: .supplementary(kind: kind, LayoutPath(section: section, item: item)))?.frame
  }

  /// The kinds of supplementary views that belong to a section as a whole.
  package func boundaryKinds(ofSection index: Int) -> [String] {
    guard sections.indices.contains(index) else { return [] }
    return sections[index].plan.boundary.items.map(\.elementKind)
  }

  /// The attributes of an element; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - scrolled: The scroll positions of the host. With it, the element is where
  ///     ``elements(in:scrolled:rule:)`` returns it, whether it is visible or not. Visible-items
  ///     handlers change it only while it is visible. Without it, nothing is scrolled or pinned.
  /// - Complexity: O(log sections + log measured groups). With `scrolled`, and if the section has a
  ///   visible-items handler, also the slots of its visible groups.
  public func attributes(
    for element: LayoutElement, scrolled: LayoutScrollState? = nil
  ) -> LayoutAttributes? {
    let scrolled = scrolled.map(seen)
    if let scrolled, let changed = changedByHandler(element, scrolled) { return changed }
    return located(element, scrolled).map { found in
      LayoutAttributes(element: element, frame: seen(found.frame), zIndex: found.zIndex)
    }
  }

  /// A visible element as the handler of its section has changed it; `nil` if nothing changes it.
  private func changedByHandler(
    _ element: LayoutElement, _ scrolled: LayoutScrollState
  ) -> LayoutAttributes? {
    let index = element.path.section
    guard element.path != .layout, sections.indices.contains(index),
      sections[index].plan.section.visibleItemsHandler != nil
    else { return nil }
    var query = ElementQuery(rect: scrolled.visibleBounds, rule: .frames, scrolled: scrolled)
    collect(section: index, into: &query)
    return query.found.first { $0.element == element }.map(seen)
  }

  /// The place of an element in left-to-right coordinates, and the axes along which it is measured.
  func located(
    _ element: LayoutElement, _ scrolled: LayoutScrollState? = nil
  ) -> LocatedElement? {
    let path = element.path
    if case .supplementary(let kind, .layout) = element {
      return locatedInLayout(kind, visible: scrolled?.visibleBounds)
    }
    guard sections.indices.contains(path.section) else { return nil }
    let section = sections[path.section]
    let start = start(of: path.section)
    var origin = section.contentOrigin
    origin[axis] += start
    origin[axis.cross] -= orthogonalOffset(ofSection: path.section, scrolled)
    switch element {
    case .item:
      return section.cell(path.item).map {
        LocatedElement($0, at: origin, zIndex: section.zIndex(ofCell: $0.zIndex))
      }
    case .supplementary(let kind, _):
      return locatedBoundaryItem(
        kind, path.item, of: section, start: start, visible: scrolled?.visibleBounds)
        ?? section.attachment(AttachmentKey(kind: kind, index: path.item)).map {
          LocatedElement($0, at: origin, zIndex: $0.zIndex)
        }
    case .decoration(let kind, _):
      let items = section.plan.section.decorationItems
      guard items.indices.contains(path.item), items[path.item].elementKind == kind else {
        return nil
      }
      return section.decorationFrame(path.item).map {
        LocatedElement(
          frame: $0.moved(axis, by: start), zIndex: items[path.item].zIndex, estimated: [])
      }
    }
  }

  /// A boundary item of the whole layout.
  private func locatedInLayout(_ kind: String, visible: LayoutRect?) -> LocatedElement? {
    boundary.items.firstIndex { $0.elementKind == kind }.map { index in
      LocatedElement(
        place(ofBoundaryItem: index, visible: visible),
        estimated: EstimatedAxes(of: boundary.items[index].layoutSize))
    }
  }

  /// A boundary item of a section.
  private func locatedBoundaryItem(
    _ kind: String, _ item: Int, of section: SolvedSection, start: Double, visible: LayoutRect?
  ) -> LocatedElement? {
    guard item == 0, section.hasSize else { return nil }
    let items = section.plan.boundary.items
    return items.firstIndex { $0.elementKind == kind }.map { index in
      LocatedElement(
        place(ofBoundaryItem: index, of: section, start: start, visible: visible),
        estimated: EstimatedAxes(of: items[index].layoutSize))
    }
  }

  /// The slot of a boundary item of the layout, without pinning.
  func boundarySlot(_ index: Int) -> LayoutRect {
    boundary.slot(of: index, region: extents.region, measured: measuredBoundary)
      .moved(axis, by: extents.start)
  }
}

/// The place of an element.
struct LocatedElement {
  let frame: LayoutRect
  let zIndex: Int
  let estimated: EstimatedAxes

  init(frame: LayoutRect, zIndex: Int, estimated: EstimatedAxes) {
    self.frame = frame
    self.zIndex = zIndex
    self.estimated = estimated
  }

  init(_ place: (frame: LayoutRect, zIndex: Int), estimated: EstimatedAxes) {
    self.init(frame: place.frame, zIndex: place.zIndex, estimated: estimated)
  }

  init(_ element: BodyElement, at origin: LayoutPoint, zIndex: Int) {
    self.init(
      frame: element.frame.moved(by: origin), zIndex: zIndex, estimated: element.estimated)
  }
}
