import DiffableLayout
import Testing

@Suite("Validation names the part")
struct ValidationTests {
  private func error(
    _ layout: CompositionalLayout, counts: [Int] = [3]
  ) -> LayoutError? {
    do throws(LayoutError) {
      _ = try layout.solve(itemCounts: counts, in: phone)
      return nil
    } catch {
      return error
    }
  }

  private func error(_ section: LayoutSection) -> LayoutError? {
    error(CompositionalLayout(section: section))
  }

  private let row = size(.fractionalWidth(1), .absolute(50))

  @Test("A dimension deep inside")
  func dimension() {
    let bad = LayoutItem(layoutSize: size(.fractionalWidth(.nan), .absolute(5)))
    let inner = LayoutGroup.vertical(layoutSize: row, subitems: [cell(1), bad])
    let outer = LayoutGroup.horizontal(layoutSize: row, subitems: [cell(0.5), inner])
    let found = error(
      CompositionalLayout(sections: [grid(columns: 2), LayoutSection(group: outer)]))
    #expect(found == nil)
    let used = error(
      CompositionalLayout(sections: [grid(columns: 2), LayoutSection(group: outer)]),
      counts: [1, 1])
    #expect(
      used?.description
        == "section 1 › group 0 › subitem 1 › subitem 1 › width: the number is infinite or not a number."
    )
  }

  @Test("Empty groups and sections")
  func empty() {
    #expect(
      error(LayoutSection(group: .horizontal(layoutSize: row, subitems: [])))
        == LayoutError(.empty, at: LayoutPart(.section(0), .group(0))))
    #expect(
      error(LayoutSection(alternating: [])) == LayoutError(.empty, at: LayoutPart(.section(0))))
  }

  @Test("Counts", arguments: [0, -5, 65_537])
  func counts(count: Int) {
    let part = LayoutPart(.section(0), .group(0), .property("count"))
    let reason: LayoutError.Reason = count < 1 ? .countBelowOne(count) : .tooManySlots
    for group in [
      LayoutGroup.horizontal(layoutSize: row, subitem: cell(1), count: count),
      .vertical(layoutSize: row, repeatingSubitem: cell(1), count: count),
    ] {
      #expect(error(LayoutSection(group: group)) == LayoutError(reason, at: part))
    }
    #expect(
      error(.waterfall(LayoutWaterfall(lanes: .count(count), itemLength: .estimated(5))))?.reason
        == reason)
  }

  @Test("Element kinds that would share a path")
  func kinds() {
    var section = grid(columns: 2)
    section.boundarySupplementaryItems = [bar("h", .top), bar("h", .bottom)]
    #expect(
      error(section)
        == LayoutError(
          .duplicateElementKind("h"), at: LayoutPart(.section(0), .boundaryItem(kind: "h"))))
    var item = cell(0.5)
    let badge = LayoutSupplementaryItem(
      layoutSize: row, elementKind: "badge", containerAnchor: LayoutAnchor(edges: .top))
    item.supplementaryItems = [badge]
    section = LayoutSection(group: .horizontal(layoutSize: row, subitems: [item, item]))
    #expect(error(section) == nil, "one kind on several items is counted through")
    section.boundarySupplementaryItems = [bar("badge", .top)]
    #expect(error(section)?.reason == .duplicateElementKind("badge"))
    item.supplementaryItems = [badge, badge]
    section = LayoutSection(group: .horizontal(layoutSize: row, subitems: [cell(0.5), item]))
    #expect(
      error(section)?.part
        == LayoutPart(
          .section(0), .group(0), .subitem(1), .supplementaryItem(kind: "badge")))
    #expect(
      error(
        CompositionalLayout(
          section: grid(columns: 1),
          configuration: LayoutConfiguration(
            boundarySupplementaryItems: [bar("x", .top), bar("x", .bottom)])))?.part
        == LayoutPart(.configuration, .boundaryItem(kind: "x")))
  }

  @Test("A section with items needs a description")
  func missing() throws {
    let listed = CompositionalLayout(sections: [grid(columns: 1)])
    #expect(
      error(listed, counts: [1, 2])
        == LayoutError(.missingSection(itemCount: 2), at: LayoutPart(.section(1))))
    #expect(error(listed, counts: [1, 0]) == nil)
    let provided = CompositionalLayout(id: "none") { _, _ in nil }
    #expect(error(provided, counts: [0, 1])?.part == LayoutPart(.section(1)))
  }

  @Test("Groups nested too deep")
  func depth() {
    var group = LayoutGroup.horizontal(layoutSize: row, subitems: [cell(1)])
    for _ in 0..<200 { group = .vertical(layoutSize: row, subitems: [group]) }
    #expect(error(LayoutSection(group: group))?.reason == .tooDeep)
    // The limits themselves are allowed.
    for (depth, reason) in [(64, nil), (65, LayoutError.Reason.tooDeep)] {
      var group = LayoutGroup.horizontal(layoutSize: row, subitems: [cell(1)])
      for _ in 1..<depth { group = .vertical(layoutSize: row, subitems: [group]) }
      #expect(error(LayoutSection(group: group))?.reason == reason)
    }
    for (count, reason) in [(65_536, nil), (65_537, LayoutError.Reason.tooManySlots)] {
      let wide = LayoutGroup.horizontal(layoutSize: row, subitem: cell(1), count: count)
      #expect(error(LayoutSection(group: wide))?.reason == reason)
    }
  }

  @Test("A grid of no scale is one of whole points", arguments: [0, -2, .nan, .infinity])
  func scales(_ scale: Double) {
    let grid = PixelGrid(scale: scale)
    #expect(grid.scale == 1 && grid.floored(3.7) == 3 && grid.nearest(3.7) == 4)
  }

  @Test("Nested groups with too many slots together")
  func slots() {
    let inner = LayoutGroup.vertical(layoutSize: row, subitem: cell(1), count: 1_000)
    let outer = LayoutGroup.horizontal(layoutSize: row, subitem: inner, count: 1_000)
    #expect(
      error(LayoutSection(group: outer))
        == LayoutError(.tooManySlots, at: LayoutPart(.section(0), .group(0))))
  }

  @Test("What a provider answers")
  func providers() {
    let custom = LayoutGroup.custom(layoutSize: row, id: "nan") { _ in
      [
        LayoutGroupCustomItem(frame: .zero),
        LayoutGroupCustomItem(frame: LayoutRect(x: .nan, y: 0, width: 1, height: 1)),
      ]
    }
    #expect(
      error(LayoutSection(group: .horizontal(layoutSize: row, subitems: [cell(0.5), custom])))?.part
        == LayoutPart(.section(0), .group(0), .subitem(1), .customItem(1)))
    let wall = LayoutWaterfall(
      lanes: .count(2),
      itemLength: .provided(LayoutItemLengthProvider(id: 0) { item, _ in item == 2 ? .nan : 9 }))
    #expect(
      error(.waterfall(wall))
        == LayoutError(.notFinite, at: LayoutPart(.section(0), .waterfall, .item(2))))
  }

  @Test("Content longer than numbers can say")
  func tooLong() {
    var section = grid(columns: 1, height: 1e308)
    #expect(error(section)?.reason == .tooLong)
    section = grid(columns: 1)
    section.contentInsets = LayoutInsets(top: 1e308, bottom: 1e308)
    #expect(error(section)?.reason == .tooLong)
  }

  @Test("Errors are sentences")
  func sentences() {
    let reasons: [LayoutError.Reason] = [
      .notFinite, .negative, .empty, .countBelowOne(0), .tooManySlots, .tooDeep,
      .duplicateElementKind("x"), .missingSection(itemCount: 2), .tooLong, .notMeasurable,
    ]
    let sentences = reasons.map {
      LayoutError($0, at: LayoutPart(.section(2), .waterfall, .decorationItem(kind: "bg")))
        .description
    }
    #expect(Set(sentences).count == reasons.count)
    #expect(sentences.allSatisfy { $0.hasPrefix("section 2 › waterfall › decoration item “bg”: ") })
    #expect(LayoutPart().description == "layout")
  }
}
