import Benchmark
import DiffableLayout
import DiffableTesting

func registerLayoutBenchmarks() {
  for count in [1_000, 1_000_000] {
    registerSolve(count: count)
    registerQuery("query", sections: 1, itemsPerSection: count, size: count)
    registerMeasuring(count: count)
  }
  for sections in [100, 100_000] {
    registerQuery("query-sections", sections: sections, itemsPerSection: 10, size: sections)
  }
}

private let environment = LayoutEnvironment(width: 390, height: 844, scale: 3)

/// Three cells a row, or one whose height is to be measured.
private func layout(estimated: Bool = false) -> CompositionalLayout {
  let height: LayoutDimension = estimated ? .estimated(44) : .fractionalWidth(1 / 3)
  let cell = LayoutItem(
    layoutSize: LayoutSize(
      width: .fractionalWidth(estimated ? 1 : 1 / 3),
      height: estimated ? height : .fractionalHeight(1)))
  let row = LayoutGroup.horizontal(
    layoutSize: LayoutSize(width: .fractionalWidth(1), height: height), subitems: [cell])
  return CompositionalLayout(section: LayoutSection(group: row))
}

private func registerSolve(count: Int) {
  Benchmark("layout/solve/\(count)/ours/x100") { (benchmark, layout: CompositionalLayout) in
    var solved: [SolvedLayout] = []
    benchmark.startMeasurement()
    for _ in 0..<100 { solved.append(try layout.solve(itemCounts: [count], in: environment)) }
    benchmark.stopMeasurement()
    let last = solved.last?.frame(for: LayoutPath(section: 0, item: count - 1))
    try expect(last != nil, "the last item has a frame")
  } setup: {
    layout()
  }
}

private func registerQuery(_ name: String, sections: Int, itemsPerSection: Int, size: Int) {
  Benchmark("layout/\(name)/\(size)/ours/x100") { (benchmark, solved: SolvedLayout) in
    var random = SplitMix64(seed: 51)
    let screens = (0..<100).map { _ in
      let top = random.number(below: Int(solved.contentSize.height) - 844)
      return LayoutRect(x: 0, y: Double(top), width: 390, height: 844)
    }
    var found = 0
    benchmark.startMeasurement()
    for screen in screens { found += solved.elements(in: screen).count }
    benchmark.stopMeasurement()
    try expect(found >= 100 * 10, "screens are full")
  } setup: {
    try layout().solve(
      itemCounts: Array(repeating: itemsPerSection, count: sections), in: environment)
  }
}

/// One more measured size where some are measured already: one in a hundred, but at most 10,000.
private func registerMeasuring(count: Int) {
  Benchmark("layout/measure/\(count)/ours/x100") { (benchmark, measured: MeasuredLayout) in
    let (places, heights) = measured.draw(100)
    benchmark.startMeasurement()
    for (place, height) in zip(places, heights) { try measured.measure(place, height) }
    benchmark.stopMeasurement()
    let last = places[99]
    let frame = measured.solved.frame(for: LayoutPath(section: 0, item: last))
    try expect(frame?.size.height == heights[99], "the item is as high as measured")
  } setup: {
    try MeasuredLayout(count: count)
  }
}

private final class MeasuredLayout {
  private(set) var solved: SolvedLayout
  private let count: Int
  private var random = SplitMix64(seed: 52)

  init(count: Int) throws {
    self.count = count
    solved = try layout(estimated: true).solve(itemCounts: [count], in: environment)
    for _ in 0..<count / 100 {
      try measure(random.number(below: count), 60)
    }
  }

  /// Places, and heights that an item can have on a screen with three pixels in a point.
  func draw(_ number: Int) -> (places: [Int], heights: [Double]) {
    (
      (0..<number).map { _ in random.number(below: count) },
      (0..<number).map { _ in Double(30 + random.number(below: 90)) }
    )
  }

  func measure(_ item: Int, _ height: Double) throws {
    try solved.setMeasuredSize(
      LayoutExtent(width: 390, height: height), of: .item(section: 0, item: item))
  }
}
