import DiffableLayout

/// A random description with its items, its environment and what is measured in it.
struct RandomLayout {
  let descriptions: [LayoutSection]
  let layout: CompositionalLayout
  let environment: LayoutEnvironment
  let itemCounts: [Int]

  /// Some sizes, for items of which some are estimated.
  let measured: [LayoutPath: LayoutExtent]

  init(seed: UInt64, measuring: Bool = false) {
    var random = SeededGenerator(seed: seed)
    var descriptions: [LayoutSection] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      descriptions.append(random.section(measuring: measuring))
    }
    var configuration = LayoutConfiguration(
      scrollDirection: random.pick(LayoutAxis.allCases),
      interSectionSpacing: random.pick([0, 0, 12, -5]),
      contentInsetsReference: random.pick(ContentInsetsReference.allCases))
    if random.chance(0.3) {
      configuration.boundarySupplementaryItems = random.boundary(["head", "foot"])
    }
    let itemCounts = descriptions.map { _ in
      random.pick([0, 1, 2, 3, 5, Int.random(in: 6...40, using: &random)])
    }
    self.descriptions = descriptions
    self.itemCounts = itemCounts
    layout = CompositionalLayout(sections: descriptions, configuration: configuration)
    environment = LayoutEnvironment(
      width: random.pick([320, 375, 428, 301.5]), height: random.pick([480, 812, 333]),
      scale: random.pick([1, 2, 3]), safeArea: random.insets(), layoutMargins: random.insets())
    var measured: [LayoutPath: LayoutExtent] = [:]
    if measuring {
      for (section, count) in itemCounts.enumerated() {
        for item in 0..<count where random.chance(0.4) {
          measured[LayoutPath(section: section, item: item)] = LayoutExtent(
            width: Double(Int.random(in: 10...120, using: &random)),
            height: Double(Int.random(in: 10...120, using: &random)))
        }
      }
    }
    self.measured = measured
  }

  /// The layout solved, with everything measured that can be.
  func solve() throws -> (solved: SolvedLayout, measured: [LayoutPath: LayoutExtent]) {
    var solved = try layout.solve(itemCounts: itemCounts, in: environment)
    var taken: [LayoutPath: LayoutExtent] = [:]
    for (path, size) in measured.sorted(by: { $0.key < $1.key })
    where solved.sizeProposal(for: .item(path)) != nil {
      try solved.setMeasuredSize(size, of: .item(path))
      taken[path] = size
    }
    return (solved, taken)
  }

  /// The oracle's answer.
  func reference(measured: [LayoutPath: LayoutExtent] = [:]) -> ReferenceLayout {
    ReferenceLayout(
      layout, descriptions, itemCounts: itemCounts, environment: environment, measured: measured)
  }
}

extension SeededGenerator {
  mutating func insets() -> LayoutInsets {
    guard chance(0.4) else { return .zero }
    return LayoutInsets(
      top: pick([0, 3, 8.5]), leading: pick([0, 4, 16]), bottom: pick([0, 5, 20]),
      trailing: pick([0, 6, 11.25]))
  }

  mutating func spacing() -> LayoutSpacing {
    pick([.zero, .zero, .fixed(4), .fixed(10), .flexible(2), .flexible(8)])
  }

  mutating func edges() -> LayoutEdgeSpacing {
    guard chance(0.3) else { return .zero }
    return LayoutEdgeSpacing(
      leading: spacing(), top: spacing(), trailing: spacing(), bottom: spacing())
  }

  mutating func dimension(_ axis: LayoutAxis, measuring: Bool) -> LayoutDimension {
    let fraction = pick([0.2, 0.25, 1.0 / 3, 0.4, 0.5, 0.6, 1])
    let own: LayoutDimension =
      axis == .horizontal ? .fractionalWidth(fraction) : .fractionalHeight(fraction)
    let other: LayoutDimension =
      axis == .horizontal ? .fractionalHeight(0.3) : .fractionalWidth(0.3)
    let length = Double(Int.random(in: 12...110, using: &self))
    let estimate: LayoutDimension =
      chance(0.3) ? .uniformAcrossSiblings(estimate: length) : .estimated(length)
    return pick(
      [own, own, own, .absolute(length), .absolute(length / 2), other]
        + (measuring ? [estimate, estimate, estimate] : []))
  }

  mutating func size(measuring: Bool) -> LayoutSize {
    LayoutSize(
      width: dimension(.horizontal, measuring: measuring),
      height: dimension(.vertical, measuring: measuring))
  }

  mutating func views(_ kinds: [String]) -> [LayoutSupplementaryItem] {
    guard chance(0.25) else { return [] }
    return kinds.prefix(Int.random(in: 1...kinds.count, using: &self)).map { kind in
      let edges = DirectionalRectEdge(rawValue: UInt8.random(in: 0...15, using: &self))
      var view = LayoutSupplementaryItem(
        layoutSize: LayoutSize(
          width: pick([.absolute(20), .fractionalWidth(0.5)]), height: .absolute(12)),
        elementKind: kind,
        containerAnchor: chance(0.5)
          ? LayoutAnchor(edges: edges, absoluteOffset: LayoutPoint(x: 3, y: -5))
          : LayoutAnchor(edges: edges, fractionalOffset: LayoutPoint(x: 0.5, y: -0.5)))
      if chance(0.3) { view.itemAnchor = LayoutAnchor(edges: [.bottom, .leading]) }
      return view
    }
  }

  mutating func boundary(_ kinds: [String]) -> [LayoutBoundarySupplementaryItem] {
    kinds.prefix(Int.random(in: 0...kinds.count, using: &self)).map { kind in
      var item = LayoutBoundarySupplementaryItem(
        layoutSize: LayoutSize(
          width: pick([.fractionalWidth(1), .absolute(60)]),
          height: pick([.absolute(30), .fractionalHeight(0.1), .absolute(200)])),
        elementKind: kind, alignment: pick(RectAlignment.allCases),
        absoluteOffset: chance(0.3) ? LayoutPoint(x: 5, y: -7) : .zero)
      item.extendsBoundary = chance(0.7)
      item.contentInsets = insets()
      return item
    }
  }

  mutating func item(measuring: Bool) -> LayoutItem {
    LayoutItem(
      layoutSize: size(measuring: measuring), contentInsets: insets(), edgeSpacing: edges(),
      supplementaryItems: views(["badge", "dot"]))
  }

  /// Frames that do not depend on the environment, of which some stick out.
  mutating func customItems() -> LayoutGroupItemProvider {
    let items = (0..<Int.random(in: 0...4, using: &self)).map { _ in
      LayoutGroupCustomItem(
        frame: LayoutRect(
          x: pick([0, 5, 40.5, -3]), y: pick([0, 7, 30.25, -4]), width: pick([10, 33]),
          height: pick([8, 41.5])))
    }
    return LayoutGroupItemProvider(id: items) { _ in items }
  }

  mutating func group(depth: Int, measuring: Bool) -> LayoutGroup {
    var subitems: [LayoutSubitem] = []
    for _ in 0..<Int.random(in: 1...3, using: &self) {
      subitems.append(
        depth < 2 && chance(0.35)
          ? .group(group(depth: depth + 1, measuring: measuring))
          : .item(item(measuring: measuring)))
    }
    let count = Int.random(in: 1...4, using: &self)
    var arrangement: LayoutGroup.Arrangement = pick([
      .cycle(subitems), .cycle(subitems), .division(subitems[0], count: count),
      .repetition(subitems[0], count: count),
    ])
    if chance(0.15) { arrangement = .custom(customItems()) }
    var group = LayoutGroup(
      layoutSize: size(measuring: measuring), axis: pick(LayoutAxis.allCases),
      arrangement: arrangement)
    group.interItemSpacing = spacing()
    group.contentInsets = insets()
    group.edgeSpacing = edges()
    group.supplementaryItems = views(["frame"])
    return group
  }

  mutating func section(measuring: Bool) -> LayoutSection {
    var groups = [group(depth: 0, measuring: measuring)]
    while chance(0.25) { groups.append(group(depth: 0, measuring: measuring)) }
    var section = LayoutSection(alternating: groups)
    section.contentInsets = insets()
    section.interGroupSpacing = pick([0, 0, 8, 3.5, -6])
    section.contentInsetsReference = pick([.automatic, .automatic, .layoutMargins, .none])
    section.supplementariesFollowContentInsets = chance(0.7)
    if chance(0.4) { section.boundarySupplementaryItems = boundary(["h", "f", "g"]) }
    if chance(0.3) {
      section.decorationItems = [.background(elementKind: "bg", contentInsets: insets())]
    }
    if chance(0.3) { section.orthogonalScrollingBehavior = .continuous }
    return section
  }
}
