import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine

@Suite("What is visible follows from the levels and flags of the final rows")
struct RowReplacementTests {
  private typealias Row = OutlineRow<Int>

  /// A row without an item.
  private struct Shape: Equatable {
    var level: Int
    var isExpanded: Bool
  }

  /// All forests of up to a number of rows, with all flags.
  private static func forests(upTo count: Int) -> [[Shape]] {
    (0...count).flatMap(everyForest(of:)).flatMap { levels in
      everySequence(of: [false, true], length: levels.count).map { flags in
        zip(levels, flags).map { Shape(level: $0, isExpanded: $1) }
      }
    }
  }

  /// All ways in which rows can stay the same rows: pairs of positions, ascending on both sides.
  private static func matchings(
    _ old: [Shape], _ new: [Shape], from start: (old: Int, new: Int) = (0, 0)
  ) -> [[(old: Int, new: Int)]] {
    var all: [[(old: Int, new: Int)]] = [[]]
    for i in start.old..<max(start.old, old.count) {
      for j in start.new..<max(start.new, new.count) where old[i] == new[j] {
        all += matchings(old, new, from: (i + 1, j + 1)).map { [(i, j)] + $0 }
      }
    }
    return all
  }

  private static func rows(_ shapes: [Shape], _ items: [Int]) -> ContiguousArray<Row> {
    ContiguousArray(
      zip(shapes, items).map { Row(id: $1, level: Int32($0.level), isExpanded: $0.isExpanded) })
  }

  /// Whether each row is visible.
  private static func visibility(_ rows: [Shape]) -> [Bool] {
    rows.indices.map { index in
      var level = rows[index].level
      for above in rows[..<index].reversed() where above.level < level {
        guard above.isExpanded else { return false }
        level = above.level
      }
      return true
    }
  }

  private static func outline(_ shapes: [Shape], _ items: [Int]) -> Outline<Int> {
    var outline = Outline<Int>(ElementKernel(Int.self), shape: .init(leafCapacity: 2, fanout: 2))
    outline.replaceRows(0..<0, with: rows(shapes, items))
    return outline
  }

  @Test func `From each small forest to each other one, whatever stays`() {
    let forests = Self.forests(upTo: scoped(usual: 3, wide: 4, long: 5))
    var number = 0
    for old in forests {
      let before = Self.visibility(old)
      for new in forests {
        number += 1
        guard isInScope(number, usual: 3, wide: 7) else { continue }
        for matching in Self.matchings(old, new) {
          var items = new.indices.map { 100 + $0 }
          for pair in matching { items[pair.new] = pair.old }
          var replacements: [RowReplacement<Int>] = []
          var end = (old: 0, new: 0)
          for pair in matching + [(old.count, new.count)] {
            if end.old < pair.old || end.new < pair.new {
              replacements.append(
                RowReplacement(
                  end.old..<pair.old,
                  with: Self.rows(
                    Array(new[end.new..<pair.new]), Array(items[end.new..<pair.new]))))
            }
            end = (pair.old + 1, pair.new + 1)
          }
          var outline = Self.outline(old, Array(old.indices))
          let toggled = outline.replaceRows(replacements)
          let after = Self.visibility(new)
          let stay = Set(matching.map(\.new))
          let isRight =
            outline.items == items
            && outline.visibleItems == zip(items, after).filter { $1 }.map(\.0)
            && toggled.filter(stay.contains)
              == matching.filter { before[$0.old] != after[$0.new] }.map(\.new)
            && items.enumerated().allSatisfy { outline.index(of: $1) == $0 }
          guard isRight else {
            Issue.record("\(old) to \(new) by \(replacements):\n\(outline), toggled \(toggled)")
            return
          }
        }
      }
    }
  }
}
