import DiffableLayout
import Testing
import TestScope

/// Random descriptions, solved and worked out one item after the other.
@Suite("Random descriptions against a plain solver")
struct ReferenceLayoutTests {
  /// The number of descriptions of each kind.
  static let rounds = scoped(usual: 100, wide: 500, long: 20_000 as UInt64)

  @Test("The oracle itself agrees with UIKit", arguments: LayoutCase.all)
  func oracle(_ layoutCase: LayoutCase) {
    guard !layoutCase.isPicture else { return }
    let layout = layoutCase.compositionalLayout
    let descriptions = layoutCase.items.indices.map {
      layoutCase.layout.sections[$0 % layoutCase.layout.sections.count].section
    }
    var measured: [LayoutPath: LayoutExtent] = [:]
    for (name, size) in layoutCase.measured ?? [:] {
      let parts = name.split(separator: ".").compactMap { Int($0) }
      measured[LayoutPath(section: parts[0], item: parts[1])] = LayoutExtent(
        width: size[0], height: size[1])
    }
    let reference = ReferenceLayout(
      layout, descriptions, itemCounts: layoutCase.items, environment: layoutCase.environment,
      measured: measured)
    for expected in layoutCase.expected {
      let frame = reference.frames[expected.element]
      #expect(frame?.isClose(to: expected.frame) == true, "\(expected.element)")
    }
  }

  @Test("Every frame and the content size", arguments: [false, true])
  func frames(measuring: Bool) throws {
    for seed in 0..<Self.rounds {
      let random = RandomLayout(seed: seed, measuring: measuring)
      let (solved, measured) = try random.solve()
      let reference = random.reference(measured: measured)
      let everything = LayoutRect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
      let found = solved.elements(in: everything)
      let seen = reference.frames.filter { $0.value.width > 0 && $0.value.height > 0 }
      let difference = Set(found.map(\.element)).symmetricDifference(seen.keys)
      try #require(difference.isEmpty, "seed \(seed), measuring \(measuring)")
      for attributes in found {
        let expected = try #require(seen[attributes.element])
        try #require(
          attributes.frame.isNear(expected),
          "seed \(seed), measuring \(measuring), \(attributes.element): \(attributes.frame), expected \(expected)"
        )
      }
      try #require(
        LayoutRect(origin: .zero, size: solved.contentSize)
          .isNear(LayoutRect(origin: .zero, size: reference.contentSize)),
        "seed \(seed), measuring \(measuring): \(solved.contentSize), expected \(reference.contentSize)"
      )
    }
  }

  @Test("Every rectangle finds what meets it", arguments: [false, true])
  func queries(measuring: Bool) throws {
    for seed in 0..<Self.rounds {
      let random = RandomLayout(seed: seed, measuring: measuring)
      let (solved, measured) = try random.solve()
      let frames = random.reference(measured: measured).frames
      var generator = SeededGenerator(seed: seed &+ 1_000_000)
      for _ in 0..<4 {
        let rect = LayoutRect(
          x: Double.random(in: -50...400, using: &generator),
          y: Double.random(in: -50...solved.contentSize.height + 50, using: &generator),
          width: Double.random(in: 1...300, using: &generator),
          height: Double.random(in: 1...300, using: &generator))
        let found = solved.elements(in: rect).map(\.element)
        try #require(Set(found).count == found.count, "seed \(seed): found twice")
        // What merely touches may be rounded either way.
        let certain = frames.filter { $0.value.shrunk.intersects(rect) }.keys
        let possible = frames.filter { $0.value.grown.intersects(rect) }.keys
        try #require(Set(certain).subtracting(found).isEmpty, "seed \(seed), \(rect): missing")
        try #require(Set(found).subtracting(possible).isEmpty, "seed \(seed), \(rect): too many")
      }
    }
  }
}

extension LayoutRect {
  /// Whether all four edges agree to what sums in another order are off by.
  func isNear(_ other: LayoutRect) -> Bool {
    abs(x - other.x) < 1e-6 && abs(y - other.y) < 1e-6 && abs(width - other.width) < 1e-6
      && abs(height - other.height) < 1e-6
  }

  /// The rectangle without the edges that a sum may be off by.
  var shrunk: LayoutRect {
    LayoutRect(x: x + 1e-6, y: y + 1e-6, width: width - 2e-6, height: height - 2e-6)
  }

  fileprivate var grown: LayoutRect {
    LayoutRect(x: x - 1e-6, y: y - 1e-6, width: width + 2e-6, height: height + 2e-6)
  }
}
