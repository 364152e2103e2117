import DiffableLayout
import TestScope
import Testing

@Suite("What an update leaves valid")
struct UpdateTests {
  private static let wall = LayoutSection.waterfall(
    LayoutWaterfall(lanes: .count(3), itemLength: .estimated(44), itemSpacing: 2))

  private func measured(_ section: LayoutSection, _ counts: [Int], seed: UInt64) throws -> (
    SolvedLayout, [LayoutPath: LayoutExtent]
  ) {
    var random = SeededGenerator(seed: seed)
    var solved = try solve(section, counts)
    var sizes: [LayoutPath: LayoutExtent] = [:]
    for (section, count) in counts.enumerated() {
      for item in 0..<count where random.chance(0.4) {
        let path = LayoutPath(section: section, item: item)
        sizes[path] = LayoutExtent(
          width: 320, height: Double(Int.random(in: 10...99, using: &random)))
        try solved.setMeasuredSize(sizes[path], of: .item(path))
      }
    }
    return (solved, sizes)
  }

  @Test(
    "An update is a fresh layout with the sizes where the items went", arguments: [false, true])
  func replay(isWaterfall: Bool) throws {
    let section = isWaterfall ? Self.wall : list()
    for seed: UInt64 in 0..<80 {
      var random = SeededGenerator(seed: seed + 1_000)
      let counts = (0..<5).map { _ in Int.random(in: 0...12, using: &random) }
      let (solved, sizes) = try measured(section, counts, seed: seed)
      let first = Int.random(in: 0...5, using: &random)
      // The sections from `first` on, with their items shuffled, some dropped, some added.
      var moved: [LayoutPath: LayoutPath] = [:]
      var after = Array(counts[..<first])
      for section in first..<5 {
        let kept = (0..<counts[section]).filter { _ in random.chance(0.8) }.shuffled(using: &random)
        for (place, item) in kept.enumerated() {
          moved[LayoutPath(section: section, item: item)] = LayoutPath(
            section: section, item: place + 1)
        }
        after.append(kept.count + 2)
      }
      let updated = try solved.updated(itemCounts: after, from: first, newSection: { $0 }) { path in
        #expect(path.section >= first, "asked about a section that was not touched")
        return moved[path]
      }
      var fresh = try solve(section, after)
      for (path, size) in sizes {
        guard let target = path.section < first ? path : moved[path] else { continue }
        try fresh.setMeasuredSize(size, of: .item(target))
      }
      #expect(updated.frames == fresh.frames, "seed \(seed)")
      #expect(updated.contentSize == fresh.contentSize, "seed \(seed)")
    }
  }

  @Test("A size stays only where it would be measured at the same length", arguments: 0..<40)
  func otherLengths(seed: UInt64) throws {
    func row(_ cell: LayoutSize) -> LayoutSection {
      let row = size(.fractionalWidth(1), cell.height)
      return LayoutSection(
        group: .horizontal(layoutSize: row, subitems: [LayoutItem(layoutSize: cell)]))
    }
    let layout = CompositionalLayout(sections: [
      list(), row(size(.fractionalWidth(0.5), .estimated(44))),
      row(size(.estimated(60), .absolute(30))), Self.wall,
    ])
    var random = SeededGenerator(seed: seed)
    let counts = [6, 6, 6, 6]
    var solved = try layout.solve(itemCounts: counts, in: phone)
    var sizes = MeasuredSizes<LayoutPath>()
    let paths = counts.indices.flatMap { section in
      (0..<counts[section]).map { LayoutPath(section: section, item: $0) }
    }
    for path in paths where random.chance(0.7) {
      let proposal = try #require(solved.sizeProposal(for: .item(path)))
      let answer = LayoutExtent(
        width: Double(Int.random(in: 10...99, using: &random)),
        height: Double(Int.random(in: 10...99, using: &random)))
      try solved.setMeasuredSize(answer, of: .item(path))
      sizes.record(answer, for: path, fixedLength: proposal.fixedLength)
    }
    let targets = Dictionary(
      uniqueKeysWithValues: zip(paths, paths.shuffled(using: &random)))
    let updated = try solved.updated(itemCounts: counts, from: 0, newSection: { $0 }) {
      targets[$0]
    }
    var fresh = try layout.solve(itemCounts: counts, in: phone)
    try sizes.apply(to: &fresh) { targets[$0] }
    #expect(updated.frames == fresh.frames)
    #expect(updated.contentSize == fresh.contentSize)
  }

  @Test("A waterfall is filled once for all of its measured sizes") func manyMeasured() throws {
    let count = scoped(usual: 20_000, wide: 100_000)
    let start = ContinuousClock.now
    func length(_ item: Int) -> Double { Double(10 + item * 7 % 90) }
    var sizes = MeasuredSizes<Int>()
    var solved = try solve(Self.wall, [count])
    let width = try #require(solved.sizeProposal(for: .item(section: 0, item: 0))).fixedLength
    for item in 0..<count {
      sizes.record(
        LayoutExtent(width: width, height: length(item)), for: item, fixedLength: width)
    }
    try sizes.apply(to: &solved) { LayoutPath(section: 0, item: $0) }
    let updated = try solved.updated(itemCounts: [count - 1], from: 0, newSection: { $0 }) {
      $0.item == 0 ? nil : LayoutPath(section: 0, item: $0.item - 1)
    }
    var forgotten = solved
    try forgotten.takeIfMeasured(
      Dictionary(
        uniqueKeysWithValues: (0..<count).map { (LayoutPath(section: 0, item: $0), nil) }))
    #expect(forgotten.contentSize == (try solve(Self.wall, [count])).contentSize)
    for (layout, first) in [(solved, 0), (updated, 1)] {
      var ends = [0.0, 0, 0]
      for item in first..<count {
        let lane = ends.indices.min { (ends[$0], $0) < (ends[$1], $1) } ?? 0
        let frame = layout.frame(for: LayoutPath(section: 0, item: item - first))
        guard frame?.y == ends[lane], frame?.height == length(item) else {
          Issue.record("\(item) from \(first): \(String(describing: frame))")
          break
        }
        ends[lane] += length(item) + 2
      }
    }
    // Half a second. Filled once for each of them, the larger number takes many minutes.
    #expect(start.duration(to: .now) < .seconds(120))
  }

  @Test("Sections before the first change are not solved again")
  func untouched() throws {
    let calls = Counter()
    let layout = CompositionalLayout(id: "counted") { _, _ in
      calls.count()
      return list()
    }
    let solved = try layout.solve(itemCounts: [3, 3, 3, 3], in: phone)
    #expect(calls.value == 4)
    _ = try solved.updated(itemCounts: [3, 3, 5, 3], from: 2, newSection: { $0 }) { $0 }
    #expect(calls.value == 6)
    let same = try solved.updated(itemCounts: [3, 3, 3, 3], from: 99, newSection: { $0 }) { $0 }
    #expect(calls.value == 6 && same.frames == solved.frames)
    #expect(
      try solved.updated(itemCounts: [], from: 0, newSection: { $0 }) { $0 }.contentSize.height == 0
    )
    #expect(
      try solved.updated(itemCounts: [1], from: -7, newSection: { $0 }) { _ in nil }.itemCounts == [
        1
      ])
  }

  @Test("Sizes of headers stay with their sections")
  func headers() throws {
    var section = list()
    var header = bar("header", .top)
    header.layoutSize.height = .estimated(20)
    section.boundarySupplementaryItems = [header]
    var solved = try solve(section, [2, 2])
    let element = LayoutElement.supplementary(kind: "header", LayoutPath(section: 1, item: 0))
    try solved.setMeasuredSize(LayoutExtent(width: 320, height: 60), of: element)
    let updated = try solved.updated(itemCounts: [3, 2], from: 0, newSection: { $0 }) { $0 }
    #expect(updated.attributes(for: element)?.frame.height == 60)
    let moved = try solved.updated(itemCounts: [1, 2, 2], from: 0, newSection: { $0 + 1 }) { $0 }
    #expect(moved.supplementaryFrame(kind: "header", section: 1)?.height == 20)
    #expect(moved.supplementaryFrame(kind: "header", section: 2)?.height == 60)
    // A section that is shown anew has its estimate again.
    let renewed = try solved.updated(itemCounts: [2, 2], from: 0, newSection: { _ in nil }) { $0 }
    #expect(renewed.attributes(for: element)?.frame.height == 20)
  }

  @Test("The size of a header is not that of a badge, although they are of one kind")
  func kinds() throws {
    let row = size(.fractionalWidth(1), .estimated(20))
    var headed = list()
    var header = bar("title", .top)
    header.layoutSize = row
    headed.boundarySupplementaryItems = [header]
    var item = LayoutItem(layoutSize: row)
    item.supplementaryItems = [
      LayoutSupplementaryItem(
        layoutSize: row, elementKind: "title", containerAnchor: LayoutAnchor(edges: .top))
    ]
    let badged = LayoutSection(group: .horizontal(layoutSize: row, subitems: [item]))
    let layout = CompositionalLayout(sections: [headed, badged])
    var solved = try layout.solve(itemCounts: [2, 2], in: phone)
    let element = LayoutElement.supplementary(kind: "title", LayoutPath(section: 0, item: 0))
    try solved.setMeasuredSize(LayoutExtent(width: 320, height: 60), of: element)
    let swapped = try solved.updated(itemCounts: [2, 2], from: 0, newSection: { 1 - $0 }) { _ in
      nil
    }
    #expect(swapped.frames == (try layout.solve(itemCounts: [2, 2], in: phone)).frames)
  }

  @Test("Sizes of the layout's own headers stay, whatever becomes of the sections")
  func layoutHeaders() throws {
    var top = bar("top", .top)
    top.layoutSize.height = .estimated(20)
    var bottom = bar("bottom", .bottom)
    bottom.layoutSize.height = .estimated(20)
    var solved = try CompositionalLayout(
      section: list(),
      configuration: LayoutConfiguration(boundarySupplementaryItems: [top, bottom])
    ).solve(itemCounts: [2, 2], in: phone)
    for (kind, height) in [("top", 70.0), ("bottom", 90)] {
      try solved.setMeasuredSize(
        LayoutExtent(width: 320, height: height), of: .supplementary(kind: kind, .layout))
    }
    let updates = [([2, 2], 0), ([2, 2], 2), ([2, 5, 2], 1), ([], 0), ([3], 0), ([2], 1)]
    for (counts, first) in updates {
      let updated = try solved.updated(itemCounts: counts, from: first, newSection: { $0 }) { $0 }
      let rows = counts.reduce(0, +)
      #expect(updated.contentSize.height == 70 + 90 + 44 * Double(rows), "\(counts)")
      #expect(
        updated.attributes(for: .supplementary(kind: "top", .layout))?.frame
          == LayoutRect(x: 0, y: 0, width: 320, height: 70))
      // And once more, from what an update made.
      let again = try updated.updated(itemCounts: counts, from: 0, newSection: { $0 }) { $0 }
      #expect(again.frames == updated.frames, "\(counts)")
    }
  }
}
