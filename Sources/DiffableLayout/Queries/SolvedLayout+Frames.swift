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
  public func supplementaryFrame(kind: String, section: Int, item: Int = 0) -> LayoutRect? {
    attributes(for: .supplementary(kind: kind, LayoutPath(section: section, item: item)))?.frame
  }

  /// The attributes of an element, without scrolling and pinning.
  public func attributes(for element: LayoutElement) -> LayoutAttributes? {
    located(element).map { found in
      LayoutAttributes(element: element, frame: seen(found.frame), zIndex: found.zIndex)
    }
  }

  /// The place of an element in left-to-right coordinates, and the axes along which it is measured.
  func located(_ element: LayoutElement) -> LocatedElement? {
    let path = element.path
    if case .supplementary(let kind, .layout) = element { return locatedInLayout(kind) }
    guard sections.indices.contains(path.section) else { return nil }
    let section = sections[path.section]
    let start = start(of: path.section)
    var origin = section.contentOrigin
    origin[axis] += start
    switch element {
    case .item:
      return section.cell(path.item).map {
        LocatedElement($0, at: origin, zIndex: section.zIndex(ofCell: $0.zIndex))
      }
    case .supplementary(let kind, _):
      return section.boundaryItem(kind, path.item, sectionStart: start)
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
  private func locatedInLayout(_ kind: String) -> LocatedElement? {
    boundary.items.firstIndex { $0.elementKind == kind }.map { index in
      LocatedElement(
        frame: boundary.frame(of: index, in: boundarySlot(index)),
        zIndex: boundary.items[index].zIndex,
        estimated: EstimatedAxes(of: boundary.items[index].layoutSize))
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

  init(_ element: BodyElement, at origin: LayoutPoint, zIndex: Int) {
    self.init(
      frame: element.frame.moved(by: origin), zIndex: zIndex, estimated: element.estimated)
  }
}

extension SolvedSection {
  /// A boundary item of the section.
  fileprivate func boundaryItem(
    _ kind: String, _ item: Int, sectionStart: Double
  ) -> LocatedElement? {
    guard item == 0, hasSize else { return nil }
    return plan.boundary.items.firstIndex { $0.elementKind == kind }.map { index in
      LocatedElement(
        frame: plan.boundary.frame(
          of: index, in: boundarySlot(index).moved(axis, by: sectionStart)),
        zIndex: plan.boundary.items[index].zIndex,
        estimated: EstimatedAxes(of: plan.boundary.items[index].layoutSize))
    }
  }
}
