import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// An aggregate, and what it is of an array.
struct AggregateCase: Sendable {
  let name: String
  /// As text, in which all numbers that are none are alike.
  let aggregate: Aggregate<AggregateCase.Row, String>
  let plain: @Sendable ([AggregateCase.Row]) -> String

  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var parent: Int?
    var number = 0.0
    var integer = 0
  }

  /// Compared by less than what it shows.
  private struct Grade: Comparable, Sendable {
    let row: Row
    private var value: Int { row.integer.signum() }
    static func == (left: Self, right: Self) -> Bool { left.value == right.value }
    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
  }

  private init<Value>(
    _ name: String, _ aggregate: Aggregate<Row, Value>,
    _ plain: @escaping @Sendable ([Row]) -> Value
  ) {
    self.name = name
    self.aggregate = aggregate.map { "\($0)" }
    self.plain = { "\(plain($0))" }
  }

  private static func numbers(_ rows: [Row]) -> [Double] { rows.map(\.number).filter { !$0.isNaN } }

  static let all = [
    Self("count", .count) { $0.count },
    Self("count where", .count { $0.integer > 0 }) { $0.filter { $0.integer > 0 }.count },
    Self("sum", .sum(of: \.number)) { PlainSum.of($0.map(\.number)) },
    Self("sum of floats", .sum { Float($0.number) }) {
      Float(PlainSum.of($0.map { Double(Float($0.number)) }))
    },
    Self("sum of integers", .sum(of: \.integer)) { rows in
      // What is too large on the way has a sign of its own.
      let sum = rows.reduce(into: (high: 0, low: UInt(0))) { sum, row in
        let (low, isOver) = sum.low.addingReportingOverflow(UInt(bitPattern: row.integer))
        sum.low = low
        sum.high += (row.integer < 0 ? -1 : 0) + (isOver ? 1 : 0)
      }
      if sum.high == 0 { return sum.low > Int.max ? .max : Int(sum.low) }
      if sum.high == -1 { return sum.low <= Int.max ? .min : Int(bitPattern: sum.low) }
      return sum.high < 0 ? .min : .max
    },
    Self("sum of durations", .sum { Duration.milliseconds($0.integer % 1000) }) { rows in
      .milliseconds(rows.reduce(0) { $0 + $1.integer % 1000 })
    },
    Self("least", .minimum(of: \.number)) { numbers($0).min() },
    Self("greatest", .maximum(of: \.number)) { rows in
      // The first of equal ones.
      numbers(rows).reduce(nil as Double?) { best, next in
        best.map { $0 < next ? next : $0 } ?? next
      }
    },
    Self("first of the least", .minimum(of: Grade.init)) { rows in
      rows.first { row in !rows.contains { Grade(row: $0) < Grade(row: row) } }.map(Grade.init)
    },
    Self("first of the greatest", .maximum(of: Grade.init)) { rows in
      rows.first { row in !rows.contains { Grade(row: $0) > Grade(row: row) } }.map(Grade.init)
    },
    Self("average", .average(of: \.number)) { rows in
      rows.isEmpty ? nil : PlainSum.of(rows.map(\.number), dividedBy: rows.count)
    },
    Self("average of integers", .average { $0.integer % 1000 }) { rows in
      rows.isEmpty ? nil : Double(rows.reduce(0) { $0 + $1.integer % 1000 }) / Double(rows.count)
    },
    Self("a list of one's own", .reduce(of: { [$0.id] }, []) { $0 + $1 }) { $0.map(\.id) },
    Self("two", .both(.count, .maximum(of: \.integer)) { ($0, $1) }) {
      ($0.count, $0.map(\.integer).max())
    },
  ]
}

@Suite("An aggregate is that of the rows there are", .deadline) struct AggregateTests {
  typealias Row = AggregateCase.Row

  static let numbers: [Double] = [
    0, -0.0, 1, 0.1, 1e16, -1e16, .infinity, -.infinity, .nan, 1e300, -1e300, 7,
  ]
  static let integers = [0, 1, -1, 7, .max, .min, .max - 3]

  /// Whatever was there, however large or strange, leaves nothing behind.
  @Test func `Exhaustively, from a few rows to a few others`() {
    let rows = zip([1.0, .nan, -.infinity, -0.0], [1, .max, .min, 0]).enumerated().map {
      Row(id: $0, number: $1.0, integer: $1.1)
    }
    let none: [[Row]] = [[]]
    let one = rows.map { [$0] }
    let two = one.flatMap { first in rows.map { first + [$0] } }
    let lists = none + one + two
    for aggregate in AggregateCase.all {
      for before in lists {
        for after in lists {
          let column = aggregate.aggregate.makeColumn()
          for rows in [before, after] {
            column.replace(0..<column.count, with: rows)
            guard column.value == aggregate.plain(rows) else {
              Issue.record("\(aggregate.name): \(column.value) of \(rows)")
              return
            }
          }
        }
      }
    }
  }

  @Test("Of any part, whatever is replaced", arguments: 1...rounds(24 as UInt64))
  func parts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var rows: [Row] = []
    let columns = AggregateCase.all.map { $0.aggregate.makeColumn() }
    func range(below count: Int) -> Range<Int> {
      let (first, second) = (random.number(below: count + 1), random.number(below: count + 1))
      return min(first, second)..<max(first, second)
    }
    for step in 0..<40 {
      let isSmall = random.chance(oneIn: 2)
      var old = range(below: rows.count)
      if isSmall { old = old.prefix(3) }
      let new = (0..<random.number(below: isSmall ? 4 : 200)).map { _ in
        Row(
          id: random.number(below: 1000), number: random.element(of: Self.numbers) ?? 0,
          integer: random.element(of: Self.integers) ?? 0)
      }
      rows.replaceSubrange(old, with: new)
      let part = range(below: rows.count)
      for column in columns { column.replace(old, with: new) }
      for (column, aggregate) in zip(columns, AggregateCase.all) {
        let plain = aggregate.plain(Array(rows[part]))
        if step.isMultiple(of: 4) {
          #expect(column.value == aggregate.plain(rows), "seed \(seed), step \(step)")
        }
        guard column.value(of: part) == plain, column.count == rows.count else {
          Issue.record(
            "seed \(seed), step \(step): \(aggregate.name) is \(column.value(of: part)), not \(plain)"
          )
          return
        }
      }
    }
  }
}

extension AggregateColumn {
  /// Replaces adjacent rows.
  fileprivate func replace(_ range: Range<Int>, with rows: [AggregateCase.Row]) {
    rows.withUnsafeBytes { bytes in
      let stride = MemoryLayout<AggregateCase.Row>.stride
      replace(
        range,
        with: rows.indices.compactMap { index in bytes.baseAddress.map { $0 + index * stride } })
    }
  }
}
