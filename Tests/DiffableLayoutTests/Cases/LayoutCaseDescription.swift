import DiffableLayout

/// A description in the vocabulary of the case file.
struct LayoutCaseDescription: Decodable, Sendable {
  let sections: [Section]
  let scroll: String?
  let interSection: Double?
  let boundary: [Boundary]?
  let insetsReference: String?

  struct Section: Decodable, Sendable {
    let group: Node
    let interGroup: Double?
    let insets: [Double]?
    let followInsets: Bool?
    let boundary: [Boundary]?
    let decorations: [Decoration]?
    let insetsReference: String?
    let orthogonal: String?
  }

  /// An item or a group.
  final class Node: Decodable, Sendable {
    let type: String
    let axis: String?
    let w: [String: Double]
    let h: [String: Double]
    let subitems: [Node]?
    let interItem: [String: Double]?
    let insets: [Double]?
    let edge: [String: [String: Double]]?
    let supplementary: [Supplementary]?
    let count: Int?
    let keepSize: Bool?
    let frames: [[Double]]?
  }

  struct Supplementary: Decodable, Sendable {
    let kind: String
    let w: [String: Double]
    let h: [String: Double]
    let containerAnchor: Anchor
    let itemAnchor: Anchor?
  }

  struct Anchor: Decodable, Sendable {
    let edges: [String]
    let absolute: [Double]?
    let fractional: [Double]?
  }

  struct Boundary: Decodable, Sendable {
    let kind: String
    let w: [String: Double]
    let h: [String: Double]
    let alignment: String
    let offset: [Double]?
    let extends: Bool?
    let pin: Bool?
  }

  struct Decoration: Decodable, Sendable {
    let kind: String
    let insets: [Double]?
  }
}

extension LayoutCase {
  /// The case's description.
  var compositionalLayout: CompositionalLayout {
    let configuration = LayoutConfiguration(
      scrollDirection: layout.scroll == "horizontal" ? .horizontal : .vertical,
      interSectionSpacing: layout.interSection ?? 0,
      contentInsetsReference: ContentInsetsReference(
        rawValue: layout.insetsReference ?? "safeArea") ?? .safeArea,
      boundarySupplementaryItems: layout.boundary?.map(\.item) ?? [])
    let sections = layout.sections.map(\.section)
    return sections.count == 1
      ? CompositionalLayout(section: sections[0], configuration: configuration)
      : CompositionalLayout(sections: sections, configuration: configuration)
  }

  /// What the case is solved in.
  var environment: LayoutEnvironment {
    LayoutEnvironment(
      width: container.w, height: container.h, scale: scale,
      safeArea: LayoutInsets(edges: safeArea), layoutMargins: LayoutInsets(edges: layoutMargins))
  }
}

extension LayoutCaseDescription.Section {
  var section: LayoutSection {
    var section = LayoutSection(group: group.group)
    section.interGroupSpacing = interGroup ?? 0
    section.contentInsets = LayoutInsets(edges: insets)
    section.supplementariesFollowContentInsets = followInsets ?? true
    section.boundarySupplementaryItems = boundary?.map(\.item) ?? []
    section.decorationItems =
      decorations?.map {
        .background(elementKind: $0.kind, contentInsets: LayoutInsets(edges: $0.insets))
      } ?? []
    section.contentInsetsReference =
      insetsReference.flatMap(ContentInsetsReference.init) ?? .automatic
    section.orthogonalScrollingBehavior =
      orthogonal.flatMap(OrthogonalScrollingBehavior.init) ?? .none
    return section
  }
}

extension LayoutCaseDescription.Node {
  private var size: LayoutSize { LayoutSize(width: dimension(w), height: dimension(h)) }

  var subitem: LayoutSubitem { type == "item" ? .item(item) : .group(group) }

  private var item: LayoutItem {
    LayoutItem(
      layoutSize: size, contentInsets: LayoutInsets(edges: insets), edgeSpacing: edgeSpacing,
      supplementaryItems: supplementary?.map(\.item) ?? [])
  }

  var group: LayoutGroup {
    let children = subitems?.map(\.subitem) ?? []
    var arrangement = LayoutGroup.Arrangement.cycle(children)
    if axis == "custom" {
      let items = (frames ?? []).map {
        LayoutGroupCustomItem(
          frame: LayoutRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]),
          zIndex: $0.count > 4 ? Int($0[4]) : 0)
      }
      arrangement = .custom(LayoutGroupItemProvider(id: items) { _ in items })
    } else if let count {
      arrangement =
        keepSize == true
        ? .repetition(children[0], count: count) : .division(children[0], count: count)
    }
    var group = LayoutGroup(
      layoutSize: size, axis: axis == "vertical" ? .vertical : .horizontal,
      arrangement: arrangement)
    group.interItemSpacing = interItem.map(spacing) ?? .zero
    group.contentInsets = LayoutInsets(edges: insets)
    group.edgeSpacing = edgeSpacing
    group.supplementaryItems = supplementary?.map(\.item) ?? []
    return group
  }

  private var edgeSpacing: LayoutEdgeSpacing {
    LayoutEdgeSpacing(
      leading: edge?["leading"].map(spacing) ?? .zero, top: edge?["top"].map(spacing) ?? .zero,
      trailing: edge?["trailing"].map(spacing) ?? .zero,
      bottom: edge?["bottom"].map(spacing) ?? .zero)
  }
}

extension LayoutCaseDescription.Supplementary {
  var item: LayoutSupplementaryItem {
    LayoutSupplementaryItem(
      layoutSize: LayoutSize(width: dimension(w), height: dimension(h)), elementKind: kind,
      containerAnchor: containerAnchor.anchor, itemAnchor: itemAnchor?.anchor)
  }
}

extension LayoutCaseDescription.Anchor {
  var anchor: LayoutAnchor {
    let names: [String: DirectionalRectEdge] = [
      "top": .top, "leading": .leading, "bottom": .bottom, "trailing": .trailing,
    ]
    let set = edges.reduce(into: DirectionalRectEdge()) { $0.formUnion(names[$1] ?? []) }
    if let fractional {
      return LayoutAnchor(
        edges: set, fractionalOffset: LayoutPoint(x: fractional[0], y: fractional[1]))
    }
    return LayoutAnchor(
      edges: set, absoluteOffset: LayoutPoint(x: absolute?[0] ?? 0, y: absolute?[1] ?? 0))
  }
}

extension LayoutCaseDescription.Boundary {
  var item: LayoutBoundarySupplementaryItem {
    var item = LayoutBoundarySupplementaryItem(
      layoutSize: LayoutSize(width: dimension(w), height: dimension(h)), elementKind: kind,
      alignment: RectAlignment(rawValue: alignment) ?? .none,
      absoluteOffset: LayoutPoint(x: offset?[0] ?? 0, y: offset?[1] ?? 0))
    item.extendsBoundary = extends ?? true
    item.pinToVisibleBounds = pin ?? false
    return item
  }
}

extension LayoutInsets {
  /// Insets in the order of the case file: top, leading, bottom, trailing.
  fileprivate init(edges: [Double]?) {
    let edges = edges ?? [0, 0, 0, 0]
    self.init(top: edges[0], leading: edges[1], bottom: edges[2], trailing: edges[3])
  }
}

private func dimension(_ value: [String: Double]) -> LayoutDimension {
  switch value.first {
  case ("fractionalWidth", let number)?: .fractionalWidth(number)
  case ("fractionalHeight", let number)?: .fractionalHeight(number)
  case ("estimated", let number)?: .estimated(number)
  case ("uniformAcrossSiblings", let number)?: .uniformAcrossSiblings(estimate: number)
  case (_, let number)?: .absolute(number)
  case nil: .absolute(.nan)
  }
}

private func spacing(_ value: [String: Double]) -> LayoutSpacing {
  if let length = value["flexible"] { return .flexible(length) }
  return .fixed(value["fixed"] ?? 0)
}
