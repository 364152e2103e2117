import Diffable
import DiffableTesting
import TestScope
import Testing

@testable import DiffableQueries

private struct Amount: Identifiable, Equatable, Sendable {
  let id: Int
  var parent: Int?
  var value = 0.0
}

private struct Part: ModelledSection {
  typealias SectionModel = Double
  let number: Int
}

/// What a sum has been leaves nothing behind, however large, small or strange it was.
///
/// Numbers are compared bit by bit, apart from the many that are no numbers.
@Suite("A sum follows from its rows alone", .deadline) struct ExtremeSumTests {
  private typealias Rows = ModelSource<Part, Amount>

  private static let values: [Double] = [
    0, -0.0, 1, 1e308, -1e308, 1e16, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
  ]

  /// How rows 1 and 2 may be: each with a value, or missing.
  private static let cases: [[Double?]] = {
    let few: [Double] = [-0.0, 1e308, .infinity, .nan]
    let some = scoped(usual: few, wide: few + [-1e308, 1], long: Self.values)
    let values = some.map(Optional.some) + [nil]
    return values.flatMap { first in values.map { [first, $0] } }
  }()

  private static func isSame(_ left: Double, _ right: Double) -> Bool {
    left.isNaN ? right.isNaN : left.bitPattern == right.bitPattern
  }

  /// Sums of a section, and of what is below row 0, which is always there.
  private struct Sums {
    let rows = Rows()
    let sections: DerivedSource<ModelBatch<Part, Amount>, ModelBatch<Part, Amount>>
    let trees: DerivedSource<ModelBatch<Part, Amount>, ModelBatch<Part, Amount>>

    init() {
      sections = rows.derived { query in
        query.sectionModels(.sum(of: \.value)) { _, _, sum in sum }
      }
      trees = rows.derived { query in
        query.outlined(by: \.parent).aggregatingDescendants(.sum(of: \.value)) { row, _, sum in
          Amount(id: row.id, parent: row.parent, value: sum)
        }
      }
    }

    func write(_ state: [Double?]) async throws {
      try await rows.apply(
        [Amount(id: 0, value: 3)]
          + state.enumerated().compactMap { index, value in
            value.map { Amount(id: index + 1, parent: 0, value: $0) }
          }, section: { _ in Part(number: 0) })
    }

    func expect(_ state: [Double?], _ what: String) async throws {
      let below = PlainSum.of(state.compactMap { $0 })
      let all = PlainSum.of(state.compactMap { $0 } + [3])
      let section = try #require(await sections.snapshot.sectionModel(of: Part(number: 0)))
      let tree = try #require(await trees.element(for: 0)).value
      #expect(isSame(section, all) && isSame(tree, below), "\(what)")
    }
  }

  @Test func `From all values of two rows to all others`() async throws {
    let sums = Sums()
    for (number, first) in Self.cases.enumerated() {
      for (other, second) in Self.cases.enumerated()
      where isInScope(number + other, usual: 7, wide: 2) {
        try await sums.write(first)
        try await sums.expect(first, "\(first)")
        try await sums.write(second)
        try await sums.expect(second, "\(first) then \(second)")
      }
    }
  }

  /// Many rows are in several nodes of the tree of sums.
  @Test("Many rows, of which some are extreme for a while", arguments: 1...rounds(32 as UInt64))
  func many(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let sums = Sums()
    let count = 1 + random.number(below: 200)
    var state: [Double?] = (0..<count).map { Double($0 % 7) }
    for step in 0..<12 {
      var extreme = state
      for _ in 0..<1 + random.number(below: 4) {
        extreme[random.number(below: count)] = random.element(of: Self.values) ?? nil
      }
      try await sums.write(extreme)
      _ = await (sums.sections.snapshot, sums.trees.snapshot)
      for _ in 0..<random.number(below: 5) {
        state[random.number(below: count)] =
          random.chance(oneIn: 4) ? nil : Double(random.number(below: 100))
      }
      try await sums.write(state)
      try await sums.expect(state, "seed \(seed), step \(step)")
    }
  }

  /// Numbers of a row that is to be added before another one is taken away would be too large.
  @Test func `Integers near their limits need no more room than their sum`() async throws {
    let rows = ModelSource<Part, Entry>()
    let summed = rows.derived { $0.sectionModels(.sum(of: \.value)) { _, _, sum in Double(sum) } }
    _ = await summed.snapshot
    for (first, second) in [(Int.max - 3, 3), (3, Int.max - 3), (-5, Int.max), (-1, Int.max)] {
      try await rows.apply(
        [Entry(id: 1, value: first), Entry(id: 2, value: second)],
        section: { _ in Part(number: 0) })
      #expect(
        await summed.snapshot.sectionModel(of: Part(number: 0)) == Double(first + second))
    }
  }

  private struct Entry: Identifiable, Equatable, Sendable {
    let id: Int
    var value: Int
  }
}
