import DiffableLayout
import Testing

@Suite("Waterfall sections")
struct WaterfallTests {
  /// Items in the lane that is shortest, one after the other.
  private func reference(
    _ lengths: [Double], lanes: Int, width: Double, gap: Double, spacing: Double
  ) -> [LayoutRect] {
    var ends = Array(repeating: 0.0, count: lanes)
    return lengths.map { length in
      let lane = ends.indices.min { (ends[$0], $0) < (ends[$1], $1) } ?? 0
      let frame = LayoutRect(
        x: Double(lane) * (width + gap), y: ends[lane], width: width, height: length)
      ends[lane] += length + spacing
      return frame
    }
  }

  @Test("Every item goes to the shortest lane", arguments: 1...9)
  func shortest(lanes: Int) throws {
    var random = SeededGenerator(seed: UInt64(lanes))
    let lengths = (0..<300).map { _ in Double(Int.random(in: 0...90, using: &random)) }
    let wall = LayoutWaterfall(
      lanes: .count(lanes),
      itemLength: .provided(LayoutItemLengthProvider(id: lanes) { item, _ in lengths[item] }),
      laneSpacing: 4, itemSpacing: 6)
    let solved = try solve(.waterfall(wall), [300])
    let width = ((320 - 4 * Double(lanes - 1)) / Double(lanes) * 2 + 0.001).rounded(.down) / 2
    let expected = reference(lengths, lanes: lanes, width: width, gap: 4, spacing: 6)
    for (item, frame) in expected.enumerated() {
      #expect(solved.frame(for: LayoutPath(section: 0, item: item)) == frame)
    }
    #expect(solved.contentSize.height == expected.map(\.maxY).max())
    for _ in 0..<60 {
      let rect = LayoutRect(
        x: Double.random(in: 0...300, using: &random),
        y: Double.random(in: 0...2_000, using: &random), width: 90, height: 200)
      let found = solved.elements(in: rect).map(\.element.path.item)
      #expect(found == expected.indices.filter { expected[$0].intersects(rect) })
    }
  }

  @Test(
    "Lanes of a minimum width",
    arguments: [
      (100.0, 3), (106, 2), (77, 4), (77.01, 3), (158, 2), (400, 1), (0.001, 65_536),
    ])
  func minimumWidth(width: Double, lanes: Int) throws {
    let wall = LayoutWaterfall(
      lanes: .minimumWidth(width), itemLength: .estimated(10), laneSpacing: width > 1 ? 4 : 0)
    let solved = try solve(.waterfall(wall), [lanes + 1])
    #expect(solved.frame(for: LayoutPath(section: 0, item: lanes - 1))?.y == 0)
    #expect(solved.frame(for: LayoutPath(section: 0, item: lanes))?.y == 10)
  }

  @Test("Lanes of a minimum width fill a view that they just fit into", arguments: 1...40)
  func exactWidth(lanes: Int) throws {
    for width in [25.6, 33.3, 0.7, 12.1] {
      for spacing in [0, 0.1, 7.3] {
        let wall = LayoutWaterfall(
          lanes: .minimumWidth(width), itemLength: .estimated(10), laneSpacing: spacing)
        let solved = try solve(
          .waterfall(wall), [lanes + 1],
          in: LayoutEnvironment(
            width: Double(lanes) * width + Double(lanes - 1) * spacing, height: 480, scale: 2))
        let tops = (0...lanes).map { solved.frame(for: LayoutPath(section: 0, item: $0))?.y }
        #expect(tops == Array(repeating: 0, count: lanes) + [10], "\(width), \(spacing)")
      }
    }
  }

  @Test("Items of a lane do not overlap, whatever the spacing", arguments: [-30.0, -1, 0, 5])
  func spacing(_ spacing: Double) throws {
    let lengths = (0..<40).map { Double(10 + $0 * 7 % 50) }
    let wall = LayoutWaterfall(
      lanes: .count(3),
      itemLength: .provided(LayoutItemLengthProvider(id: 0) { item, _ in lengths[item] }),
      itemSpacing: spacing)
    let solved = try solve(.waterfall(wall), [40])
    let expected = reference(lengths, lanes: 3, width: 106.5, gap: 0, spacing: max(0, spacing))
    for (item, frame) in expected.enumerated() {
      #expect(solved.frame(for: LayoutPath(section: 0, item: item)) == frame)
    }
  }

  @Test("Measured items push only what is behind them")
  func measuring() throws {
    let wall = LayoutWaterfall(lanes: .count(2), itemLength: .estimated(50))
    var solved = try solve(.waterfall(wall), [40])
    var lengths = Array(repeating: 50.0, count: 40)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<100 {
      let item = Int.random(in: 0..<40, using: &random)
      let former = lengths[item]
      lengths[item] = Double(Int.random(in: 10...99, using: &random))
      let change = try solved.setMeasuredSize(
        LayoutExtent(width: 0, height: lengths[item]), of: .item(section: 0, item: item))
      #expect(change.resized == (lengths[item] == former ? 0..<0 : item..<40))
      let expected = reference(lengths, lanes: 2, width: 160, gap: 0, spacing: 0)
      for (item, frame) in expected.enumerated() {
        #expect(solved.frame(for: LayoutPath(section: 0, item: item)) == frame)
      }
    }
  }

  @Test("Lanes run sideways where the layout scrolls sideways")
  func sideways() throws {
    let wall = LayoutWaterfall(lanes: .count(4), itemLength: .estimated(70))
    let solved = try CompositionalLayout(
      section: .waterfall(wall), configuration: LayoutConfiguration(scrollDirection: .horizontal)
    ).solve(itemCounts: [6], in: phone)
    #expect(
      solved.frame(for: LayoutPath(section: 0, item: 5))
        == LayoutRect(x: 70, y: 120, width: 70, height: 120))
    #expect(solved.contentSize == LayoutExtent(width: 140, height: 480))
  }
}
