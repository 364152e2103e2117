import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

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

/// A list that sticks to its end, in views of UIKit and AppKit that change their size.
@Suite(.deadline) @MainActor
struct StickingToEndTests {
  @Test(
    "A chat of five rows at its end shows the last three when it becomes shorter",
    arguments: ListViewKind.allCases)
  func shorterChat(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state(Array(0..<50)))
      #expect(fixture.numbers == [45, 46, 47, 48, 49])
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [47, 48, 49])
      try await list.apply(state(Array(0..<51)))
      #expect(fixture.numbers == [48, 49, 50])
      fixture.resizes(toHeight: 0)
      try await list.apply(state(Array(0..<60)))
      fixture.resizes(toHeight: 100)
      #expect(fixture.numbers == [55, 56, 57, 58, 59])
      // A user who has scrolled away is left alone.
      fixture.userScrolls(to: 800)
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [40, 41, 42])
      try await list.apply(state(Array(0..<61)))
      #expect(fixture.numbers == [40, 41, 42])
      fixture.resizes(toHeight: 0)
      try await list.apply(state(Array(-5..<61)))
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [40, 41, 42])
    }
    try await check(kind.makeFixture(height: 100))
  }

  @Test(
    "A list that sticks to its end shows it when the view becomes too short for all rows",
    arguments: ListViewKind.allCases)
  func tooShort(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state([0, 1, 2]))
      list.controller.scroll(to: .end)
      #expect(fixture.numbers == [0, 1, 2])
      fixture.resizes(toWidth: 50)
      fixture.resizes(toHeight: 40)
      #expect(fixture.numbers == [1, 2])
      #expect(fixture.host.viewport.contentLength == 60)
      try await list.apply(state([0, 1, 2, 3]))
      #expect(fixture.numbers == [2, 3])
      fixture.resizes(toHeight: 100)
      fixture.resizes(toHeight: 40)
      #expect(fixture.numbers == [2, 3])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 100))
  }
}

/// A view of UIKit or AppKit remembers its place while it is too long or too short to show it.
@Suite(.deadline) @MainActor
struct RememberedPlaceTests {
  @Test(
    "A view that was longer for a while shows what it showed before",
    arguments: ListViewKind.allCases, [false, true])
  func longer(kind: ListViewKind, hasHeaders: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture, state(Array(0..<20), Array(20..<30)))
      list.controller.sticksToEnd = random.chance(oneIn: 2)
      for step in 0..<4 {
        switch random.number(below: 5) {
        case 0: list.controller.scroll(to: .end)
        case 1: list.controller.scroll(to: random.number(below: 30), at: .middle)
        default: fixture.userScrolls(to: random.number(below: 600))
        }
        let (numbers, places) = (fixture.numbers, fixture.places)
        for _ in 0..<1 + random.number(below: 3) {
          fixture.resizes(toHeight: 60 + random.number(below: 3_000))
          // The view can be laid out again without a reason.
          let height = Int(fixture.host.viewport.length)
          if random.chance(oneIn: 2) { fixture.resizes(toHeight: height) }
        }
        fixture.resizes(toHeight: 60)
        #expect(fixture.numbers == numbers, "seed \(seed), step \(step)")
        #expect(fixture.places == places, "seed \(seed), step \(step)")
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(16 as UInt64) {
      try await check(
        kind.makeFixture(height: 60, hasHeaders: hasHeaders, sizesItself: !seed.isMultiple(of: 2)),
        seed: seed)
    }
  }

  @Test(
    "A view in which there was only room for headers shows what it showed before",
    arguments: ListViewKind.allCases)
  func onlyHeaders(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture, state(Array(0..<20), Array(20..<40)))
      fixture.userScrolls(to: 40 + random.number(below: 300))
      let (numbers, places) = (fixture.numbers, fixture.places)
      var first = 0
      for step in 0..<3 {
        for _ in 0..<1 + random.number(below: 3) {
          fixture.resizes(toHeight: random.number(below: 10))
        }
        if random.chance(oneIn: 2) {
          first -= 3
          try await list.apply(state(Array(first..<20), Array(20..<40)))
        }
        fixture.resizes(toHeight: 60)
        #expect(fixture.numbers == numbers, "seed \(seed), step \(step)")
        #expect(fixture.places == places, "seed \(seed), step \(step)")
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(16 as UInt64) {
      try await check(kind.makeFixture(height: 60, hasHeaders: true, sizesItself: true), seed: seed)
    }
  }

  @Test(
    "A row that gets another identifier while the view has no height is where it was",
    arguments: ListViewKind.allCases, [false, true])
  func renamed(kind: ListViewKind, isReset: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<30)))
      fixture.userScrolls(to: 210)
      #expect(fixture.numbers == [10, 11, 12, 13])
      fixture.resizes(toHeight: 0)
      var snapshot = try state(Array(0..<30))
      try snapshot.renameItem(10, to: 80)
      try await list.apply(snapshot, presentation: isReset ? .reset : .animated)
      var longer = try state([-2, -1] + Array(0..<10) + [80] + Array(11..<30))
      try longer.renameItem(80, to: 90)
      try await list.apply(longer, presentation: isReset ? .reset : .animated)
      fixture.resizes(toHeight: 60)
      #expect(fixture.numbers == [90, 11, 12, 13])
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 60))
  }

  @Test("In UIKit a view out of its window follows its rows through every batch")
  func noWindow() async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, show: (_ isInWindow: Bool) -> Void
    ) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<30)))
      fixture.userScrolls(to: 210)
      let (numbers, places) = (fixture.numbers, fixture.places)
      show(false)
      for first in [-4, -9, -11] { try await list.apply(state(Array(first..<30))) }
      show(true)
      #expect(fixture.numbers == numbers)
      #expect(fixture.places == places)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    for sizesItself in [false, true] {
      let table = TableViewFixture(height: 60, sizesItself: sizesItself)
      try await check(table) { table.view.show(in: $0 ? table.window : nil) }
      let collection = CollectionViewFixture(height: 60, sizesItself: sizesItself)
      try await check(collection) { collection.view.show(in: $0 ? collection.window : nil) }
    }
  }
}
