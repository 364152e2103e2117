import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing

/// What a reader sees in the views of UIKit and AppKit while rows are measured, grow and shrink.
@Suite(.deadline) @MainActor
struct ReaderLawTests {
  @Test(
    "However often the window is resized, also in width, the reader's row is visible",
    arguments: ListViewKind.allCases, [false, true])
  func windows(kind: ListViewKind, hasHeaders: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture, state(Array(0..<20), Array(20..<40)))
      fixture.userScrolls(to: 100 + random.number(below: 1_500))
      func readersRow() -> Int? {
        let viewport = fixture.host.viewport
        let row = viewport.rows.first { !viewport.isCovered($0) }
        return row.flatMap { list.controller.itemIdentifier(for: $0.path) }
      }
      let row = readersRow()
      // Where the list ends, rows come into view before the reader's row.
      var wasAtLimit = false
      for step in 0..<12 {
        if random.chance(oneIn: 2) {
          fixture.resizes(toWidth: random.element(of: [50, 100, 200, 400]) ?? 100)
        } else {
          fixture.resizes(toHeight: random.number(below: 120))
        }
        let viewport = fixture.host.viewport
        if viewport.length > 0, viewport.isAtStart || viewport.isAtEnd { wasAtLimit = true }
        guard !wasAtLimit, viewport.length > 40 else { continue }
        #expect(readersRow() == row, "seed \(seed), step \(step)")
      }
      fixture.resizes(toWidth: 100)
      fixture.resizes(toHeight: 90)
      #expect(wasAtLimit || readersRow() == row, "seed \(seed)")
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(16 as UInt64) {
      try await check(
        kind.makeFixture(height: 90, hasHeaders: hasHeaders, sizesItself: true), seed: seed)
    }
  }

  @Test(
    "A list that sticks to its end shows its end, whatever is appended, grows or shrinks there",
    arguments: ListViewKind.allCases)
  func end(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      var items = Array(0..<8)
      var next = 8
      try await list.apply(state(items))
      for step in 0..<10 {
        let comment: Comment = "seed \(seed), step \(step): \(items)"
        #expect(fixture.host.viewport.isAtEnd && fixture.numbers.last == items.last, comment)
        var snapshot = try state(items)
        switch random.number(below: 5) {
        case 0: items.append(next)
        case 1: items.removeLast()
        case 2: fixture.resizes(toHeight: 20 + random.number(below: 200))
        default:
          // The last row gets another height: it grows, or shrinks.
          try snapshot.renameItem(items.removeLast(), to: next)
          items.append(next)
          try await list.apply(snapshot)
        }
        if items.isEmpty { items = [next] }
        next += 1
        try await list.apply(
          state(items), presentation: random.chance(oneIn: 4) ? .reset : .animated)
      }
      // Who has scrolled away is left alone, also inside a last row that is higher than the view.
      fixture.resizes(toHeight: 90)
      try await list.apply(state(items + [8_005]))
      fixture.userScrolls(to: Int(fixture.host.viewport.offset) - 50)
      let place = fixture.places.last
      #expect(fixture.numbers.last == 8_005)
      try await list.apply(state(items + [8_005, 8_008, 8_016]))
      #expect(fixture.numbers.last == 8_005 && fixture.places.last == place, "seed \(seed)")
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(20 as UInt64) {
      try await check(kind.makeFixture(height: 90, sizesItself: true), seed: seed)
    }
  }

  @Test(
    "From the end to the beginning, every row passes, although none was measured before",
    arguments: ListViewKind.allCases, [false, true])
  func passing(kind: ListViewKind, hasHeaders: Bool) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, step: Int, seed: UInt64
    ) async throws {
      var random = SplitMix64(seed: seed)
      // Rows of all heights, in any order.
      let items = (0..<40).map { $0 * 8 + random.number(below: 8) }
      let list = try await ShownSource(in: fixture, state(items))
      list.controller.scroll(to: .end)
      #expect(fixture.numbers.last == items.last, "seed \(seed)")
      var seen = Set(fixture.numbers)
      var steps = 0
      while !fixture.host.viewport.isAtStart, steps < 3_000 {
        let former = fixture.host.viewport
        fixture.userScrolls(to: max(0, Int(former.offset) - step))
        // A line up is a line: a row that is still visible is as far down as the user has scrolled.
        let now = fixture.host.viewport
        for row in former.rows {
          guard let moved = now.rows.first(where: { $0.path == row.path }), !now.isAtStart else {
            continue
          }
          let way = moved.span.lowerBound - now.offset - row.span.lowerBound + former.offset
          #expect(abs(way - Double(step)) < 1, "seed \(seed), \(row): \(way)")
        }
        seen.formUnion(fixture.numbers)
        steps += 1
      }
      #expect(fixture.numbers.first == items.first, "seed \(seed)")
      #expect(seen == Set(items), "seed \(seed)")
      list.controller.scroll(to: .end)
      #expect(fixture.numbers.last == items.last, "seed \(seed)")
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(3 as UInt64) {
      for step in scoped(usual: [25], wide: [10, 40]) {
        try await check(
          kind.makeFixture(height: 90, hasHeaders: hasHeaders, sizesItself: true), step: step,
          seed: seed)
      }
    }
  }
}
