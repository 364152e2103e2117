import Diffable
import DiffableTesting
import DiffableViews
import TestScope
import Testing
import UIKit

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
