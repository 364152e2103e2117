import Diffable
import Testing

@testable import livelist

@Suite("Live rows") struct LiveRowsTests {
  typealias Rows = LiveRows<String, Int>
  typealias State = Snapshot<String, Int>
  private static let start = ContinuousClock.now
  private static let moment = Duration.seconds(1)

  private func state(_ sections: KeyValuePairs<String, [Int]>) throws -> State {
    var state = State()
    state.appendSections(sections.map(\.key))
    for (section, items) in sections { try state.appendItems(items, toSection: section) }
    return state
  }

  /// What a subscriber that showed `old` is handed.
  private func batch(from old: State?, to new: State) throws -> UpdateBatch<String, Int> {
    UpdateBatch(
      base: old.map { _ in Revision(1) }, target: Revision(2),
      difference: try old.map { try new.difference(from: $0) } ?? SnapshotDifference(),
      previousSnapshot: old, snapshot: new, presentation: .animated)
  }

  /// Rows in a notation for people: `+` inserted, `^` and `v` moved, `-` deleted.
  private func picture(_ rows: Rows) -> String {
    rows.rows.map { row in
      let sign =
        switch row.mark {
        case .inserted: "+"
        case .movedUp: "^"
        case .movedDown: "v"
        case .deleted: "-"
        case nil: ""
        }
      return switch row.element {
      case .section(let section): "\(sign)\(section):"
      case .item(let item, _): "\(sign)\(item)"
      }
    }
    .joined(separator: " ")
  }

  @Test("Rows show for a moment what a batch did, deleted ones where they were")
  func pictures() throws {
    var rows = Rows(moment: Self.moment)
    let first = try state(["a": [1, 2, 9, 3], "b": [4, 5]])
    try rows.take(batch(from: nil, to: first), at: Self.start)
    #expect(picture(rows) == "a: 1 2 9 3 b: 4 5")
    let second = try state(["a": [3, 1, 9, 6], "c": [7]])
    try rows.take(batch(from: first, to: second), at: Self.start)
    #expect(picture(rows) == "a: ^3 1 -2 9 +6 -b: -4 -5 +c: +7")
    // What is new on top does not end the moment of what was there.
    let third = try state(["a": [3, 9, 6], "c": [7, 8]])
    try rows.take(batch(from: second, to: third), at: Self.start + Self.moment / 2)
    #expect(picture(rows) == "a: ^3 -1 -2 9 +6 -b: -4 -5 +c: +7 +8")
    var hasChanged = rows.expire(at: Self.start + Self.moment)
    #expect(hasChanged)
    #expect(picture(rows) == "a: 3 -1 9 6 c: 7 +8")
    hasChanged = rows.expire(at: Self.start + Self.moment)
    #expect(!hasChanged)
    hasChanged = rows.expire(at: Self.start + Self.moment * 2)
    #expect(hasChanged)
    #expect(picture(rows) == "a: 3 9 6 c: 7 8")
  }

  @Test("A row that comes back while it leaves is there once")
  func comesBack() throws {
    var rows = Rows(moment: Self.moment)
    let (full, empty) = (try state(["a": [1, 2]]), State())
    try rows.take(batch(from: nil, to: full), at: Self.start)
    try rows.take(batch(from: full, to: empty), at: Self.start)
    #expect(picture(rows) == "-a: -1 -2")
    try rows.take(batch(from: empty, to: full), at: Self.start)
    #expect(picture(rows) == "+a: +1 +2")
  }

  /// All ways to put three items, or some of them, in order into two sections, which may be
  /// missing or swapped.
  private func everyState() throws -> [State] {
    let orders: [[Int]] = (0..<16).flatMap { mask in
      permutations([1, 2, 3].filter { mask & (1 << $0) != 0 })
    }
    var states: [State] = []
    for order in orders {
      for cut in 0...order.count {
        let (left, right) = (Array(order[..<cut]), Array(order[cut...]))
        states.append(try state(["a": left, "b": right]))
        states.append(try state(["b": left, "a": right]))
      }
      states.append(try state(["a": order]))
    }
    var distinct: [State] = []
    for state in states where !distinct.contains(state) { distinct.append(state) }
    return distinct
  }

  private func permutations(_ items: [Int]) -> [[Int]] {
    guard let first = items.first else { return [[]] }
    return permutations(Array(items.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
    }
  }

  @Test("For every transition: what is there stands in order, what has gone stands where it was")
  func everyTransition() throws {
    let states = try everyState()
    for old in states {
      var before = Rows(moment: Self.moment)
      try before.take(batch(from: nil, to: old), at: Self.start)
      for new in states where new != old {
        var rows = before
        try rows.take(batch(from: old, to: new), at: Self.start)
        var fresh = Rows(moment: Self.moment)
        try fresh.take(batch(from: nil, to: new), at: Self.start)
        let comment = Comment("\(old) → \(new): \(picture(rows))")

        let present = rows.rows.filter { $0.mark != .deleted }.map(\.element)
        #expect(present == fresh.rows.map(\.element), comment)

        let oldItems = Set(old.itemIdentifiers), newItems = Set(new.itemIdentifiers)
        let ghosts = rows.rows.filter { $0.mark == .deleted }.map(\.element)
        #expect(Set(ghosts).count == ghosts.count, comment)
        for case .item(let item, _) in ghosts { #expect(!newItems.contains(item), comment) }
        #expect(
          ghosts.count
            == oldItems.subtracting(newItems).count
            + old.sectionIdentifiers.filter { !new.containsSection($0) }.count, comment)

        // Inside a section, rows that went and rows that kept still are in their old order.
        let still = Set(rows.rows.filter { $0.mark == nil || $0.mark == .deleted }.map(\.element))
        for name in ["a", "b"] {
          func inSection(_ rows: Rows) -> [Rows.Element] {
            rows.rows.map(\.element).filter { element in
              guard case .item(_, name) = element else { return false }
              return still.contains(element)
            }
          }
          #expect(inSection(rows) == inSection(before), comment)
        }

        rows.expire(at: Self.start + Self.moment)
        #expect(rows.rows == fresh.rows, comment)
      }
    }
  }
}
