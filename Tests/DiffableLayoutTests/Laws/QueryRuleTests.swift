import DiffableLayout
import Testing

@Suite("Which elements a rectangle meets")
struct QueryRuleTests {
  /// One group of 100 × 50 in which one cell sticks out below and one lies wholly outside.
  private func solved() throws -> SolvedLayout {
    let group = LayoutGroup.custom(
      layoutSize: size(.absolute(100), .absolute(50)), id: "sticking out"
    ) { _ in
      [
        LayoutGroupCustomItem(frame: LayoutRect(x: 0, y: 30, width: 50, height: 60)),
        LayoutGroupCustomItem(frame: LayoutRect(x: 150, y: 10, width: 50, height: 20)),
      ]
    }
    var section = LayoutSection(group: group)
    section.decorationItems = [.background(elementKind: "bg")]
    return try solve(section, [2, 2])
  }

  private func names(_ rect: LayoutRect, _ rule: LayoutQueryRule) throws -> [String] {
    try solved().elements(in: rect, rule: rule).map(\.element.description)
  }

  @Test("What sticks out of its group")
  func stickingOut() throws {
    let below = LayoutRect(x: 0, y: 60, width: 60, height: 15)
    #expect(try names(below, .frames) == ["0.0", "bg 1.0"])
    #expect(try names(below, .uiKit) == ["bg 1.0"])
    let inside = LayoutRect(x: 0, y: 30, width: 60, height: 15)
    #expect(try names(inside, .uiKit) == ["0.0", "bg 0.0"])
    let beside = LayoutRect(x: 150, y: 0, width: 60, height: 30)
    #expect(try names(beside, .frames) == ["0.1", "bg 0.0"])
    #expect(try names(beside, .uiKit) == ["bg 0.0"])
    #expect(try solved().frame(for: LayoutPath(section: 0, item: 1)) != nil)
  }

  @Test("What merely touches")
  func touching() throws {
    let above = LayoutRect(x: 0, y: 20, width: 20, height: 30)
    #expect(try names(above, .frames) == ["0.0", "bg 0.0"])
    #expect(try names(above, .uiKit) == ["0.0", "bg 0.0", "bg 1.0"])
    let line = LayoutRect(x: 0, y: 50, width: 320, height: 0)
    #expect(try names(line, .frames).isEmpty)
    #expect(try names(line, .uiKit) == ["bg 0.0", "bg 1.0"])
  }

  @Test("A measured badge is found wherever it reaches")
  func measuredBadge() throws {
    let row = size(.fractionalWidth(1), .absolute(20))
    var item = LayoutItem(layoutSize: row)
    item.supplementaryItems = [
      LayoutSupplementaryItem(
        layoutSize: size(.absolute(10), .estimated(10)), elementKind: "badge",
        containerAnchor: LayoutAnchor(edges: [.top, .leading]))
    ]
    var solved = try solve(
      LayoutSection(group: .horizontal(layoutSize: row, subitems: [item])), [100, 100])
    let badge = LayoutElement.supplementary(kind: "badge", LayoutPath(section: 0, item: 90))
    try solved.setMeasuredSize(LayoutExtent(width: 10, height: 1_000), of: badge)
    let far = LayoutRect(x: 0, y: 2_790, width: 320, height: 5)
    #expect(solved.elements(in: far).map(\.element).contains(badge))
  }
}
