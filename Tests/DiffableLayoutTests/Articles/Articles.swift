import DiffableLayout

/// The code of the articles, compiled.
///
/// Every code block of an article stands here, line by line.
enum Articles {
  /// The layout on the front page.
  static func overview() throws -> [LayoutAttributes] {
    let section = grid(columns: 3)
    let layout = CompositionalLayout(section: section)
    let solved = try layout.solve(
      itemCounts: [24], in: LayoutEnvironment(width: 390, height: 844, scale: 3))
    let first = solved.frame(for: LayoutPath(section: 0, item: 0))
    let visible = solved.elements(in: LayoutRect(x: 0, y: 0, width: 390, height: 844))
    return visible.filter { $0.frame == first }
  }

  static func photoGrid() throws -> SolvedLayout {
    let photo = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))
    var row = LayoutGroup.horizontal(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(1 / 3)),
      subitem: photo, count: 3)
    row.interItemSpacing = .fixed(2)
    var section = LayoutSection(group: row)
    section.interGroupSpacing = 2
    let layout = CompositionalLayout(section: section)

    let solved = try layout.solve(
      itemCounts: [11], in: LayoutEnvironment(width: 390, height: 844, scale: 3))
    return solved
  }

  static func badge() -> LayoutItem {
    let photo = cell(1)
    var unread = photo
    unread.supplementaryItems = [
      LayoutSupplementaryItem(
        layoutSize: LayoutSize(width: .absolute(20), height: .absolute(20)), elementKind: "dot",
        containerAnchor: LayoutAnchor(
          edges: [.top, .trailing], fractionalOffset: LayoutPoint(x: 0.5, y: -0.5)))
    ]
    return unread
  }

  static func measuredList() throws -> (solved: SolvedLayout, turned: SolvedLayout, offset: Double)
  {
    var offset = 0.0
    var sizes = MeasuredSizes<LayoutPath>()
    func measure(_ element: LayoutElement, _ proposal: SizeProposal) -> LayoutExtent {
      let lines = [1.0, 2, 1, 4, 2][element.path.item % 5]
      return LayoutExtent(
        width: proposal.fixedLength, height: element.kind == nil ? 24 + 18 * lines : 32)
    }
    let list = LayoutSection.list(
      using: LayoutListConfiguration(appearance: .insetGrouped, headerMode: .supplementary))
    let layout = CompositionalLayout(section: list)
    var solved = try layout.solve(
      itemCounts: [6, 4], in: LayoutEnvironment(width: 390, height: 700, scale: 2))

    let screen = LayoutRect(x: 0, y: 0, width: 390, height: 700)
    for row in solved.elements(in: screen) {
      guard let proposal = solved.sizeProposal(for: row.element) else { continue }
      let answer = measure(row.element, proposal)
      let change = try solved.setMeasuredSize(answer, of: row.element, anchor: .offset(screen.y))
      offset += change.scrollCorrection.y
    }

    let id = LayoutPath(section: 0, item: 3)
    let paths = [id: id]
    let proposal = try SizeProposal.wide
    let answer = measure(.item(id), proposal)
    sizes.record(answer, for: id, fixedLength: proposal.fixedLength)
    var turned = try layout.solve(
      itemCounts: [6, 4], in: LayoutEnvironment(width: 844, height: 390, scale: 2))
    try sizes.apply(to: &turned) { id in paths[id] }
    return (solved, turned, offset)
  }

  static func appStore(showsNew: Bool = true) throws -> (SolvedLayout, [LayoutAttributes]) {
    func header(_ title: String) -> LayoutBoundarySupplementaryItem {
      LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(36)),
        elementKind: title, alignment: .top)
    }
    let full = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)))

    var banner = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .fractionalWidth(0.9), height: .absolute(210)),
        subitems: [full]))
    banner.orthogonalScrollingBehavior = .groupPagingCentered
    banner.interGroupSpacing = 10
    banner.contentInsets = LayoutInsets(bottom: 20)

    var column = LayoutGroup.vertical(
      layoutSize: LayoutSize(width: .fractionalWidth(0.85), height: .absolute(204)),
      subitem: full, count: 3)
    column.interItemSpacing = .fixed(6)
    var shelf = LayoutSection(group: column)
    shelf.orthogonalScrollingBehavior = .groupPaging
    shelf.interGroupSpacing = 10
    shelf.contentInsets = LayoutInsets(top: 4, leading: 16, bottom: 20, trailing: 16)
    shelf.boundarySupplementaryItems = [header("Essentials")]

    var carousel = LayoutSection(
      group: .horizontal(
        layoutSize: LayoutSize(width: .absolute(120), height: .absolute(150)), subitems: [full]))
    carousel.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
    carousel.interGroupSpacing = 12
    carousel.contentInsets = LayoutInsets(top: 4, leading: 16, bottom: 16, trailing: 16)
    carousel.boundarySupplementaryItems = [header("New")]
    carousel.decorationItems = [.background(elementKind: "shade")]

    let layout = CompositionalLayout(
      sections: showsNew ? [banner, shelf, carousel] : [banner, shelf])
    let solved = try layout.solve(
      itemCounts: [5, 9, 8], in: LayoutEnvironment(width: 390, height: 844, scale: 3))

    let screen = LayoutRect(x: 0, y: 0, width: 390, height: 844)
    let row = solved.orthogonalRow(ofSection: 0)
    let offset = row?.restingOffset(from: 180, velocity: 300, draggedFrom: 0) ?? 0
    let state = LayoutScrollState(visibleBounds: screen, orthogonalOffsets: [0: offset])
    let seen = solved.elements(in: screen, scrolled: state)
    return (solved, seen)
  }

  static func photoMosaic() throws -> SolvedLayout {
    let gap = LayoutInsets(1)
    func photo(width: Double, height: Double) -> LayoutItem {
      LayoutItem(
        layoutSize: LayoutSize(width: .fractionalWidth(width), height: .fractionalHeight(height)),
        contentInsets: gap)
    }
    let pair = LayoutGroup.vertical(
      layoutSize: LayoutSize(width: .fractionalWidth(1 / 3), height: .fractionalHeight(1)),
      subitems: [photo(width: 1, height: 0.5)])
    let large = photo(width: 2 / 3, height: 1)

    let tall = LayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(2 / 3))
    let flat = LayoutSize(width: .fractionalWidth(1), height: .fractionalWidth(1 / 3))
    let section = LayoutSection(alternating: [
      .horizontal(layoutSize: tall, subitems: [large, pair]),
      .horizontal(layoutSize: flat, subitems: [photo(width: 1 / 3, height: 1)]),
      .horizontal(layoutSize: tall, subitems: [pair, large]),
      .horizontal(layoutSize: flat, subitems: [photo(width: 1 / 3, height: 1)]),
    ])
    let solved = try CompositionalLayout(section: section).solve(
      itemCounts: [15], in: LayoutEnvironment(width: 390, height: 844, scale: 3))
    return solved
  }

  static func photoWall() throws -> SolvedLayout {
    let proportions = [1.4, 0.75, 1.0, 1.3, 0.66, 1.5, 1.0, 0.8]
    let wall = LayoutSection.waterfall(
      LayoutWaterfall(
        lanes: .minimumWidth(110),
        itemLength: .provided(
          LayoutItemLengthProvider(id: proportions) { item, width in
            width * proportions[item % proportions.count]
          }),
        laneSpacing: 6, itemSpacing: 6))
    return try CompositionalLayout(section: wall).solve(
      itemCounts: [19], in: LayoutEnvironment(width: 390, height: 844, scale: 3))
  }

  static func calendar() throws -> SolvedLayout {
    // March to May 2026, weeks beginning on Monday.
    let firstWeekdays = [6, 2, 4]
    let daysInMonths = [31, 30, 31]
    let day = LayoutItem(
      layoutSize: LayoutSize(width: .fractionalWidth(1), height: .fractionalHeight(1)),
      contentInsets: LayoutInsets(2))
    @Sendable func week(days: Int) -> LayoutGroup {
      var week = LayoutGroup.horizontal(
        layoutSize: LayoutSize(
          width: .fractionalWidth(Double(days) / 7), height: .fractionalWidth(1 / 7)),
        subitem: day, count: days)
      week.edgeSpacing.leading = .flexible(0)
      return week
    }

    @Sendable func month(firstWeekday: Int) -> LayoutSection {
      let full = Array(repeating: week(days: 7), count: 5)
      var month = LayoutSection(alternating: [week(days: 7 - firstWeekday)] + full)
      month.contentInsets = LayoutInsets(top: 4, leading: 20, bottom: 12, trailing: 20)
      var name = LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(width: .fractionalWidth(1), height: .absolute(30)),
        elementKind: "month", alignment: .top)
      name.pinToVisibleBounds = true
      month.boundarySupplementaryItems = [name]
      month.decorationItems = [
        .background(elementKind: "sheet", contentInsets: LayoutInsets(leading: 12, trailing: 12))
      ]
      return month
    }

    let layout = CompositionalLayout(
      id: firstWeekdays, configuration: LayoutConfiguration(interSectionSpacing: 14)
    ) { index, _ in
      firstWeekdays.indices.contains(index) ? month(firstWeekday: firstWeekdays[index]) : nil
    }
    let solved = try layout.solve(
      itemCounts: daysInMonths, in: LayoutEnvironment(width: 390, height: 844, scale: 2))
    return solved
  }
}

extension SizeProposal {
  /// What the fourth row is asked when the device lies on its side.
  fileprivate static var wide: SizeProposal {
    get throws {
      let row = LayoutSection.list(
        using: LayoutListConfiguration(appearance: .insetGrouped, headerMode: .supplementary))
      let solved = try CompositionalLayout(section: row).solve(
        itemCounts: [6, 4], in: LayoutEnvironment(width: 844, height: 390, scale: 2))
      guard let proposal = solved.sizeProposal(for: .item(section: 0, item: 3)) else {
        throw LayoutError(.notMeasurable, at: LayoutPart())
      }
      return proposal
    }
  }
}
