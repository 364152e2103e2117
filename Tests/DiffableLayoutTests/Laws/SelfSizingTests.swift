import DiffableLayout
import Testing

@Suite("Self-sizing")
struct SelfSizingTests {
  private func solved(_ counts: [Int], _ section: LayoutSection = list()) throws -> SolvedLayout {
    try solve(section, counts)
  }

  private func height(_ height: Double) -> LayoutExtent { LayoutExtent(width: 1, height: height) }

  @Test("The order in which sizes arrive makes no difference")
  func order() throws {
    for seed: UInt64 in 0..<60 {
      let random = RandomLayout(seed: seed, measuring: true)
      let (once, measured) = try random.solve()
      var again = try random.layout.solve(itemCounts: random.itemCounts, in: random.environment)
      for (path, size) in measured.sorted(by: { $0.key > $1.key })
      where again.sizeProposal(for: .item(path)) != nil {
        try again.setMeasuredSize(LayoutExtent(width: 5, height: 7), of: .item(path))
        guard again.sizeProposal(for: .item(path)) != nil else { continue }
        try again.setMeasuredSize(size, of: .item(path))
      }
      #expect(once.frames == again.frames, "seed \(seed)")
      #expect(once.contentSize == again.contentSize, "seed \(seed)")
    }
  }

  @Test("Going back to the estimate goes back to the layout as it was")
  func undo() throws {
    var compared = 0
    for seed: UInt64 in 0..<60 {
      let random = RandomLayout(seed: seed, measuring: true)
      let plain = try random.layout.solve(itemCounts: random.itemCounts, in: random.environment)
      var (solved, measured) = try random.solve()
      for path in measured.keys where solved.sizeProposal(for: .item(path)) != nil {
        try solved.setMeasuredSize(nil, of: .item(path))
      }
      guard measured.keys.allSatisfy({ solved.sizeProposal(for: .item($0)) != nil }) else {
        continue
      }
      #expect(solved.frames == plain.frames, "seed \(seed)")
      if !measured.isEmpty { compared += 1 }
    }
    #expect(compared > 0)
  }

  @Test("Only the group is laid out again, and everything behind moves by the shift")
  func change() throws {
    var solved = try solved([100, 50])
    let before = solved.frames
    let change = try solved.setMeasuredSize(height(70), of: .item(section: 0, item: 40))
    #expect(change.section == 0 && change.resized == 40..<41 && change.shift == 26)
    #expect(change.contentSize == solved.contentSize)
    #expect(change.scrollCorrection == .zero)
    for (element, frame) in solved.frames {
      let old = try #require(before[element])
      let path = element.path
      if path < LayoutPath(section: 0, item: 40) { #expect(frame == old) }
      if path > LayoutPath(section: 0, item: 40) { #expect(frame.y == old.y + 26) }
    }
  }

  @Test("A size that is refused leaves the layout as it was")
  func refused() throws {
    let cell = LayoutItem(layoutSize: size(.fractionalWidth(1), .estimated(10)))
    let pair = LayoutGroup.vertical(
      layoutSize: size(.fractionalWidth(1), .estimated(20)), subitems: [cell, cell])
    var solved = try solved([4], LayoutSection(group: pair))
    try solved.setMeasuredSize(height(1e308), of: .item(section: 0, item: 0))
    func frames() -> [LayoutRect?] {
      (0..<4).map { solved.frame(for: LayoutPath(section: 0, item: $0)) }
    }
    let before = frames()
    #expect(!before.contains(nil))
    // Together they are too long.
    let error = #expect(throws: LayoutError.self) {
      try solved.setMeasuredSize(height(1e308), of: .item(section: 0, item: 1))
    }
    #expect(error?.reason == .tooLong)
    #expect(frames() == before)
  }

  @Test("Sizes that together are too long for numbers are refused, wherever they are")
  func tooLong() throws {
    var header = bar("header", .top)
    header.layoutSize.height = .estimated(20)
    var headed = list()
    headed.boundarySupplementaryItems = [header]
    let wall = LayoutSection.waterfall(
      LayoutWaterfall(lanes: .count(1), itemLength: .estimated(30)))
    let views: [LayoutElement] = [
      .item(section: 0, item: 0), .item(section: 0, item: 1), .item(section: 1, item: 0),
      .supplementary(kind: "header", LayoutPath(section: 1, item: 0)),
    ]
    for section in [headed, wall] {
      for later in views.dropFirst() {
        var solved = try solved([2, 1], section)
        guard solved.sizeProposal(for: later) != nil else { continue }
        try solved.setMeasuredSize(height(70), of: later)
        try solved.setMeasuredSize(height(1e308), of: views[0])
        let before = views.map { solved.attributes(for: $0) }
        let size = solved.contentSize
        let error = #expect(throws: LayoutError.self) {
          try solved.setMeasuredSize(height(1e308), of: later)
        }
        #expect(error?.reason == .tooLong)
        #expect(views.map { solved.attributes(for: $0) } == before && solved.contentSize == size)
        try solved.setMeasuredSize(nil, of: views[0])
        #expect(solved.attributes(for: later)?.frame.height == 70)
      }
      var sizes = MeasuredSizes<LayoutPath>()
      let ids = (0..<2).map { LayoutPath(section: 0, item: $0) }
      for id in ids { sizes.record(height(1e308), for: id, fixedLength: 320) }
      var solved = try solved([2, 1], section)
      let before = solved.frames
      #expect(throws: LayoutError.self) { try sizes.apply(to: &solved) { $0 } }
      #expect(solved.frames == before)
    }
  }

  @Test("A change that only its view shows is a change", arguments: ["badge", "cover"])
  func attached(_ kind: String) throws {
    let size = LayoutSize(width: .fractionalWidth(1), height: .estimated(10))
    var cell = LayoutItem(layoutSize: size)
    cell.supplementaryItems = [
      LayoutSupplementaryItem(
        layoutSize: size, elementKind: "badge", containerAnchor: LayoutAnchor(edges: .top))
    ]
    var section = LayoutSection(group: .vertical(layoutSize: size, subitems: [cell]))
    var cover = LayoutBoundarySupplementaryItem(
      layoutSize: size, elementKind: "cover", alignment: .top)
    cover.extendsBoundary = false
    section.boundarySupplementaryItems = [cover]
    var solved = try solved([3], section)
    let view = LayoutElement.supplementary(kind: kind, LayoutPath(section: 0, item: 0))
    let others = solved.frames.filter { $0.key != view }
    #expect(try !solved.setMeasuredSize(height(7), of: view).isEmpty)
    #expect(solved.frames.filter { $0.key != view } == others)
    #expect(try solved.setMeasuredSize(height(7), of: view).isEmpty)
  }

  @Test("A size that is measured again changes nothing, and what changes nothing moves nothing")
  func again() throws {
    for seed: UInt64 in 0..<60 {
      let random = RandomLayout(seed: seed, measuring: true)
      var solved = try random.layout.solve(itemCounts: random.itemCounts, in: random.environment)
      for (path, size) in random.measured.sorted(by: { $0.key < $1.key })
      where solved.sizeProposal(for: .item(path)) != nil {
        let before = solved.frames
        let isEmpty = try solved.setMeasuredSize(size, of: .item(path)).isEmpty
        #expect(!isEmpty || solved.frames == before, "seed \(seed), \(path)")
        guard solved.sizeProposal(for: .item(path)) != nil else { continue }
        let again = try solved.setMeasuredSize(size, of: .item(path))
        #expect(again.isEmpty, "seed \(seed), \(path)")
      }
    }
    var wall = try solved(
      [9], .waterfall(LayoutWaterfall(lanes: .count(2), itemLength: .estimated(30))))
    for (length, isEmpty) in [(30.0, true), (40, false), (40, true), (30, false)] {
      let change = try wall.setMeasuredSize(height(length), of: .item(section: 0, item: 3))
      #expect(change.isEmpty == isEmpty)
    }
  }

  @Test("The anchor stays where it is on the screen")
  func anchors() throws {
    var solved = try solved([1_000])
    let anchor = LayoutElement.item(section: 0, item: 500)
    var offset = try #require(solved.attributes(for: anchor)).frame.y
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let item = Int.random(in: 0..<1_000, using: &random)
      let change = try solved.setMeasuredSize(
        height(Double(Int.random(in: 10...90, using: &random))), of: .item(section: 0, item: item),
        anchor: .element(anchor))
      offset += change.scrollCorrection.y
      #expect(solved.attributes(for: anchor)?.frame.y == offset)
    }
    let y = try #require(solved.frame(for: LayoutPath(section: 0, item: 300))).y
    let change = try solved.setMeasuredSize(
      height(200), of: .item(section: 0, item: 10), anchor: .offset(y - 1))
    #expect(
      solved.frame(for: LayoutPath(section: 0, item: 300))?.y == y + change.scrollCorrection.y)
    #expect(change.scrollCorrection.y == change.shift)
  }

  @Test("The anchor stays where it is, whatever the directions")
  func anchorsInAllDirections() throws {
    for axis in LayoutAxis.allCases {
      for direction in ReadingDirection.allCases {
        let length = LayoutDimension.estimated(50)
        let cell =
          axis == .vertical
          ? size(.fractionalWidth(1), length) : size(length, .fractionalHeight(1))
        let group = LayoutGroup(
          layoutSize: cell, axis: axis, arrangement: .cycle([.item(LayoutItem(layoutSize: cell))]))
        var environment = phone
        environment.direction = direction
        var solved = try CompositionalLayout(
          section: LayoutSection(group: group),
          configuration: LayoutConfiguration(scrollDirection: axis)
        ).solve(itemCounts: [40], in: environment)
        let anchor = LayoutElement.item(section: 0, item: 20)
        func measure(_ item: Int, _ length: Double, _ given: ScrollAnchor) throws {
          let before = try #require(solved.attributes(for: anchor)?.frame)
          let change = try solved.setMeasuredSize(
            LayoutExtent(width: length, height: length), of: .item(section: 0, item: item),
            anchor: given)
          let after = try #require(solved.attributes(for: anchor)?.frame)
          let leading = direction == .rightToLeft && axis == .horizontal
          #expect(
            (leading ? after.maxX - before.maxX : after.x - before.x) == change.scrollCorrection.x)
          #expect(after.y - before.y == change.scrollCorrection.y)
        }
        for (item, length) in [(3, 80.0), (30, 10), (20, 95), (19, 0)] {
          try measure(item, length, .element(anchor))
        }
        // The anchor is longer than the screen, and nothing else begins there.
        try measure(20, 3_000, .element(anchor))
        for (item, length) in [(3, 10.0), (30, 90), (20, 4_000), (19, 70)] {
          try measure(item, length, .offset(20 * 50 + 1_000))
        }
      }
    }
  }

  @Test("A view is asked for the axes that are estimated, at the length that stands")
  func proposals() throws {
    let solved = try solved([3])
    let proposal = try #require(solved.sizeProposal(for: .item(section: 0, item: 1)))
    #expect(proposal.measuresHeight && !proposal.measuresWidth)
    #expect(proposal.fixedLength == 320 && proposal.size == LayoutExtent(width: 320, height: 44))
    let fixed = try solve(grid(columns: 2), [3])
    #expect(fixed.sizeProposal(for: .item(section: 0, item: 1)) == nil)
  }

  @Test("The length that stands is that of the other axis, or of the container for both")
  func fixedLengths() throws {
    for (width, height, axes, fixed) in [
      (.estimated(70), .absolute(30), (true, false), 30.0),
      (.absolute(70), .estimated(30), (false, true), 70),
      (.estimated(70), .estimated(30), (true, true), 320),
    ] as [(LayoutDimension, LayoutDimension, (Bool, Bool), Double)] {
      let cell = size(width, height)
      let group = LayoutGroup.horizontal(layoutSize: cell, subitems: [LayoutItem(layoutSize: cell)])
      let solved = try solved([2], LayoutSection(group: group))
      let proposal = try #require(solved.sizeProposal(for: .item(section: 0, item: 0)))
      #expect((proposal.measuresWidth, proposal.measuresHeight) == axes)
      #expect(proposal.fixedLength == fixed)
    }
  }

  @Test("A last row that is not full is measured like the others, and changes none of them")
  func lastRow() throws {
    let item = LayoutItem(layoutSize: size(.absolute(300), .estimated(40)))
    let row = LayoutGroup.horizontal(
      layoutSize: size(.estimated(600), .estimated(40)), subitems: [item, item])
    for count in 1...6 {
      let plain = try solved([count], LayoutSection(group: row))
      var measured = plain
      for item in (0..<count).reversed() {
        try measured.setMeasuredSize(height(70), of: .item(section: 0, item: item))
        #expect(measured.contentSize.width == plain.contentSize.width, "\(item) of \(count)")
      }
      for item in 0..<count {
        try measured.setMeasuredSize(nil, of: .item(section: 0, item: item))
      }
      #expect(measured.frames == plain.frames && measured.contentSize == plain.contentSize)
    }
  }

  @Test("Headers, layout bars and badges are measured too")
  func supplementaries() throws {
    var section = list()
    var header = bar("header", .top)
    header.layoutSize.height = .estimated(20)
    section.boundarySupplementaryItems = [header]
    if case .groups(var groups) = section.content,
      case .cycle(let subitems) = groups[0].arrangement, case .item(var item) = subitems[0]
    {
      item.supplementaryItems = [
        LayoutSupplementaryItem(
          layoutSize: size(.estimated(10), .absolute(10)), elementKind: "badge",
          containerAnchor: LayoutAnchor(edges: [.top, .trailing]))
      ]
      groups[0].arrangement = .cycle([.item(item)])
      section.content = .groups(groups)
    }
    header.elementKind = "bar"
    var solved = try CompositionalLayout(
      section: section, configuration: LayoutConfiguration(boundarySupplementaryItems: [header])
    ).solve(itemCounts: [3], in: phone)
    let first = LayoutPath(section: 0, item: 0)
    try solved.setMeasuredSize(height(50), of: .supplementary(kind: "header", first))
    #expect(solved.frame(for: first)?.y == 70)
    try solved.setMeasuredSize(height(25), of: .supplementary(kind: "bar", .layout))
    #expect(solved.frame(for: first)?.y == 75)
    let badge = LayoutElement.supplementary(kind: "badge", LayoutPath(section: 0, item: 1))
    try solved.setMeasuredSize(LayoutExtent(width: 40, height: 99), of: badge)
    #expect(
      solved.attributes(for: badge)?.frame == LayoutRect(x: 280, y: 119, width: 40, height: 10))
    #expect(solved.supplementaryFrame(kind: "badge", section: 0, item: 2)?.width == 10)
  }

  @Test("What cannot be measured is an error, and changes nothing")
  func errors() throws {
    var solved = try solved([3])
    let before = solved.frames
    for element in [LayoutElement.item(section: 0, item: 3), .item(section: 1, item: 0)] {
      #expect(throws: LayoutError.self) { try solved.setMeasuredSize(height(5), of: element) }
    }
    for length in [Double.nan, .infinity, -.infinity] {
      #expect(throws: LayoutError(.notFinite, at: LayoutPart(.section(0), .item(1)))) {
        try solved.setMeasuredSize(height(length), of: .item(section: 0, item: 1))
      }
    }
    #expect(solved.frames == before)
    try solved.setMeasuredSize(height(-5), of: .item(section: 0, item: 1))
    #expect(solved.frame(for: LayoutPath(section: 0, item: 1))?.height == 0)
  }

  @Test("Rows of equal height without measuring everything")
  func equalRows() throws {
    let item = LayoutItem(
      layoutSize: size(.fractionalWidth(0.5), .uniformAcrossSiblings(estimate: 40)))
    let row = LayoutGroup.horizontal(
      layoutSize: size(.fractionalWidth(1), .uniformAcrossSiblings(estimate: 40)),
      subitems: [item])
    var solved = try self.solved([1_000_000], LayoutSection(group: row))
    #expect(solved.contentSize.height == 500_000 * 40)
    let change = try solved.setMeasuredSize(height(70), of: .item(section: 0, item: 2))
    #expect(change.resized == 0..<1_000_000)
    for item in [0, 1, 2, 3, 777_777] {
      #expect(solved.frame(for: LayoutPath(section: 0, item: item))?.height == 70)
    }
    #expect(solved.contentSize.height == 500_000 * 70)
    // A smaller answer elsewhere moves nothing.
    #expect(try solved.setMeasuredSize(height(55), of: .item(section: 0, item: 9)).shift == 0)
  }

  @Test("Answers are remembered by identifier and width")
  func memory() throws {
    var sizes = MeasuredSizes<String>()
    let ids = ["a", "b", "c", "d"]
    func path(_ id: String) -> LayoutPath? {
      ids.firstIndex(of: id).map { LayoutPath(section: 0, item: $0) }
    }
    sizes.record(height(30), for: "b", fixedLength: 320)
    sizes.record(height(90), for: "b", fixedLength: 480)
    sizes.record(height(60), for: "gone", fixedLength: 320)
    sizes.record(height(60), for: "c", fixedLength: .nan)
    sizes.record(height(.infinity), for: "d", fixedLength: 320)
    #expect(sizes.count == 2 && sizes.size(for: "b", fixedLength: 320) == height(30))
    for (width, expected) in [(320.0, 30.0), (480, 90), (500, 44)] {
      var solved = try solve(list(), [4], in: LayoutEnvironment(width: width, height: 480))
      try sizes.apply(to: &solved, path: path)
      #expect(solved.frame(for: LayoutPath(section: 0, item: 1))?.height == expected)
      #expect(solved.frame(for: LayoutPath(section: 0, item: 2))?.height == 44)
    }
    sizes.remove("b")
    #expect(sizes.size(for: "b", fixedLength: 320) == nil)
    sizes.removeAll()
    #expect(sizes.count == 0)
  }
}
