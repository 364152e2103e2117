import DiffableLayout
import TestScope
import Testing

@Suite("Measuring all cells at one length is the same as an estimate of that length")
struct MeasuredEstimateTests {
  /// Groups of cells beside each other along an axis, of estimated lengths along it.
  private func group(_ axis: LayoutAxis, _ count: Int, _ estimate: Double, edges: Double)
    -> LayoutGroup
  {
    func lengths(_ along: Double, _ across: LayoutDimension) -> LayoutSize {
      axis == .vertical
        ? size(across, .estimated(along)) : size(.estimated(along), across)
    }
    let whole: LayoutDimension = axis == .vertical ? .fractionalWidth(1) : .fractionalHeight(1)
    let cell = LayoutItem(layoutSize: lengths(estimate, whole))
    var group = LayoutGroup(
      layoutSize: lengths(Double(count) * estimate, .absolute(60)), axis: axis,
      arrangement: .repetition(.item(cell), count: count))
    group.edgeSpacing = LayoutEdgeSpacing(
      leading: .fixed(edges), top: .fixed(edges), bottom: .fixed(edges))
    return group
  }

  @Test("For groups along and across the list, full or not, in turn, shorter and longer")
  func law() throws {
    var random = SeededGenerator(seed: 1)
    var number = 0
    for behavior in [OrthogonalScrollingBehavior.none, .continuous, .groupPagingCentered] {
      for (axis, scrollAxis) in [
        (LayoutAxis.vertical, LayoutAxis.vertical), (.horizontal, .vertical),
        (.vertical, .horizontal), (.horizontal, .horizontal),
      ] {
        for counts in [[1], [2], [3], [2, 1], [1, 3]] {
          for edges in [0.0, 10] {
            func solved(_ estimate: Double, _ itemCount: Int) throws -> SolvedLayout {
              var section = LayoutSection(
                alternating: counts.map { group(axis, $0, estimate, edges: edges) })
              section.orthogonalScrollingBehavior = behavior
              section.boundarySupplementaryItems = [bar("header", .top), bar("footer", .bottom)]
              return try CompositionalLayout(
                section: section, configuration: LayoutConfiguration(scrollDirection: scrollAxis)
              ).solve(itemCounts: [itemCount, 1], in: phone)
            }
            for itemCount in 1...6 {
              number += 1
              guard isInScope(number, usual: 5) else { continue }
              for length in [30.0, 80] {
                var measured = try solved(50, itemCount)
                let paths = [(0, 0..<itemCount), (1, 0..<1)].flatMap { section, items in
                  items.map { LayoutPath(section: section, item: $0) }
                }
                for path in paths.shuffled(using: &random) {
                  try measured.setMeasuredSize(
                    LayoutExtent(width: length, height: length), of: .item(path))
                }
                let estimated = try solved(length, itemCount)
                let comment: Comment = """
                  \(behavior), \(axis) in \(scrollAxis), \(counts), \(edges), \(itemCount) at \(length)
                  """
                #expect(measured.contentSize == estimated.contentSize, comment)
                #expect(measured.frames == estimated.frames, comment)
              }
            }
          }
        }
      }
    }
  }

  @Test("For waterfalls of any number of lanes, in whatever order the cells are measured")
  func waterfalls() throws {
    var random = SeededGenerator(seed: 2)
    for axis in LayoutAxis.allCases {
      for (lanes, gap) in [(1, 0.0), (2, 6), (3, 6)] {
        func solved(_ estimate: Double, _ itemCount: Int) throws -> SolvedLayout {
          var section = LayoutSection.waterfall(
            LayoutWaterfall(
              lanes: .count(lanes), itemLength: .estimated(estimate), laneSpacing: gap,
              itemSpacing: gap))
          section.boundarySupplementaryItems = [bar("header", .top), bar("footer", .bottom)]
          return try CompositionalLayout(
            section: section, configuration: LayoutConfiguration(scrollDirection: axis)
          ).solve(itemCounts: [itemCount, 1], in: phone)
        }
        for itemCount in 1...7 {
          for length in [30.0, 80] {
            var measured = try solved(50, itemCount)
            for item in (0..<itemCount).shuffled(using: &random) {
              try measured.setMeasuredSize(
                LayoutExtent(width: length, height: length), of: .item(section: 0, item: item))
            }
            try measured.setMeasuredSize(
              LayoutExtent(width: length, height: length), of: .item(section: 1, item: 0))
            let estimated = try solved(length, itemCount)
            let comment: Comment = "\(axis), \(lanes) lanes, \(itemCount) at \(length)"
            #expect(measured.contentSize == estimated.contentSize, comment)
            #expect(measured.frames == estimated.frames, comment)
          }
        }
      }
    }
  }

  @Test("For headers, bars of the layout and badges at any side, in both directions")
  func views() throws {
    let edges: [DirectionalRectEdge] = [[], .top, [.bottom, .trailing], .leading]
    for axis in LayoutAxis.allCases {
      for direction in ReadingDirection.allCases {
        var environment = phone
        environment.direction = direction
        for (number, alignment) in RectAlignment.allCases.enumerated() {
          for extends in [true, false] {
            func lengths(_ length: Double) -> LayoutSize {
              axis == .vertical
                ? size(.absolute(80), .estimated(length)) : size(.estimated(length), .absolute(80))
            }
            func solved(_ estimate: Double) throws -> SolvedLayout {
              func bar(_ kind: String) -> LayoutBoundarySupplementaryItem {
                var bar = LayoutBoundarySupplementaryItem(
                  layoutSize: lengths(estimate), elementKind: kind, alignment: alignment,
                  absoluteOffset: LayoutPoint(x: 4, y: -6))
                bar.extendsBoundary = extends
                return bar
              }
              var item = cell(1)
              item.supplementaryItems = [
                LayoutSupplementaryItem(
                  layoutSize: lengths(estimate), elementKind: "badge",
                  containerAnchor: LayoutAnchor(edges: edges[number % edges.count]))
              ]
              var section = LayoutSection(
                group: .horizontal(
                  layoutSize: size(.absolute(100), .absolute(50)), subitems: [item]))
              section.boundarySupplementaryItems = [bar("header")]
              return try CompositionalLayout(
                section: section,
                configuration: LayoutConfiguration(
                  scrollDirection: axis, boundarySupplementaryItems: [bar("bar")])
              ).solve(itemCounts: [2, 1], in: environment)
            }
            for length in [10.0, 400] {
              var measured = try solved(30)
              let views = measured.everything.map(\.element).filter { $0.kind != nil }
              // A bar, and in each section a header and a badge for each item.
              #expect(views.count == 1 + 2 + 3)
              for view in views {
                try measured.setMeasuredSize(
                  LayoutExtent(width: length, height: length), of: view)
              }
              let estimated = try solved(length)
              let comment: Comment = """
                \(alignment), \(axis), \(direction), extends the boundary: \(extends), \(length)
                """
              #expect(measured.contentSize == estimated.contentSize, comment)
              #expect(measured.frames == estimated.frames, comment)
            }
          }
        }
      }
    }
  }
}
