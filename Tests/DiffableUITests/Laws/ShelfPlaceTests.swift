import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

/// What a section that scrolls across a view of UIKit shows after scrolls, batches and resizes.
@Suite(.deadline) @MainActor
struct ShelfPlaceTests {
  @Test(
    "A section that is out of sight for some batches shows what it showed before",
    arguments: [LayoutDimension.absolute(40), .estimated(30)], [false, true])
  func outOfSight(width: LayoutDimension, leavesWindow: Bool) async throws {
    for seed in 0..<rounds(40 as UInt64) {
      var random = SplitMix64(seed: seed)
      let fixture = ShelfFixture(.continuous, width: width, height: 30)
      var items = Array(0..<20)
      try await fixture.show(state(items, Array(20..<40), Array(40..<60)))
      fixture.scroll(0, to: Double(1 + random.number(below: 300)))
      let places = fixture.places(ofSection: 0)
      if leavesWindow {
        fixture.view.show(in: nil)
      } else {
        fixture.controller.scroll(to: 45)
      }
      for step in 0..<3 {
        let first = items.firstIndex { $0 == places.first?.item } ?? 0
        let last = items.firstIndex { $0 == places.last?.item } ?? 0
        items.insert(100 + step, at: random.number(below: first + 1))
        items.insert(200 + step, at: min(items.count, last + 2 + random.number(below: 2)))
        try await fixture.show(
          state(items, Array(20..<40), Array(40..<60)),
          presentation: random.chance(oneIn: 2) ? .reset : .animated)
      }
      fixture.view.show(in: fixture.window)
      fixture.controller.scroll(to: .start)
      fixture.view.layoutIfNeeded()
      #expect(fixture.places(ofSection: 0).elementsEqual(places, by: ==), "seed \(seed)")
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  @Test(
    "What the user drags across stays under the finger while what comes into sight is measured",
    arguments: OrthogonalScrollingBehavior.allCases.filter { $0 != .none }, [false, true])
  func dragging(behavior: OrthogonalScrollingBehavior, isMirrored: Bool) async throws {
    for seed in 0..<rounds(40 as UInt64) {
      var random = SplitMix64(seed: seed)
      let fixture = ShelfFixture(behavior, width: .estimated(30), isMirrored: isMirrored)
      try await fixture.show(state(Array(0..<40)))
      // Those before the last ones were never measured.
      fixture.scroll(0, to: 600, isOver: false)
      for step in 0..<30 {
        let former = fixture.places(ofSection: 0)
        let distance = Double(random.number(below: 60) - 45)
        fixture.scroll(0, to: fixture.layout.offset(ofSection: 0) + distance, isOver: false)
        let items = fixture.places(ofSection: 0)
        // At its ends, a section may have less to show than was estimated.
        guard let first = items.first?.item, let last = items.last?.item, first > 0, last < 39
        else { break }
        let moved = former.filter { (-14...99).contains($0.x - distance) }.first
        guard let moved else { continue }
        #expect(
          items.contains { $0.item == moved.item && $0.x == moved.x - distance },
          "seed \(seed), step \(step): \(former) by \(distance) → \(items)")
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  @Test(
    "A section that had another width for a while shows what it showed before",
    arguments: OrthogonalScrollingBehavior.allCases.filter { $0 != .none },
    [LayoutDimension.absolute(40), .estimated(30)])
  func resizing(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async throws {
    for seed in 0..<rounds(40 as UInt64) {
      var random = SplitMix64(seed: seed)
      let fixture = ShelfFixture(behavior, width: width, isMirrored: !seed.isMultiple(of: 2))
      try await fixture.show(state(Array(0..<20)))
      fixture.scroll(0, to: Double(random.number(below: 600)), isOver: random.chance(oneIn: 2))
      let places = fixture.places(ofSection: 0)
      for _ in 0..<3 {
        fixture.view.systemResizes(to: CGSize(width: 40 + random.number(below: 400), height: 100))
      }
      fixture.view.systemResizes(to: CGSize(width: 100, height: 100))
      let now = fixture.places(ofSection: 0)
      if behavior == .paging, width != .absolute(40) {
        // More of the items before the page are measured now, so it may begin at another one.
        let first = places.first { $0.x >= 0 } ?? places[0]
        #expect(now.contains { $0.item == first.item }, "seed \(seed): \(places) → \(now)")
      } else {
        #expect(now.elementsEqual(places, by: ==), "seed \(seed)")
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  @Test("A section that the user drags is not moved to a group by a batch")
  func dragged() async throws {
    let fixture = ShelfFixture(.groupPaging)
    try await fixture.show(state(Array(0..<20)))
    fixture.scroll(0, to: 90, isOver: false)
    try await fixture.show(state([50, 51] + Array(0..<20)))
    #expect(fixture.layout.offset(ofSection: 0) == 170)
    fixture.layout.endScrolling(ofSection: 0, velocity: 0, draggedFrom: 160)
    #expect(fixture.layout.offset(ofSection: 0) == 160)
  }

  @Test("A moved item does not take its section along, and a section takes its place along")
  func moves() async throws {
    let fixture = ShelfFixture(.continuous)
    try await fixture.show(state(Array(0..<20), Array(20..<40)))
    fixture.scroll(0, to: 200)
    #expect(fixture.items(ofSection: 0) == [5, 6, 7])
    try await fixture.show(state(Array(0..<5) + Array(6..<20) + [5], Array(20..<40)))
    #expect(fixture.items(ofSection: 0) == [4, 6, 7])
    // It leaves for another section.
    try await fixture.show(state(Array(0..<4) + Array(6..<20) + [5], [4] + Array(20..<40)))
    #expect(fixture.items(ofSection: 0) == [3, 6, 7])
    for presentation in [Presentation.animated, .reset] {
      var moved = fixture.controller.snapshot
      try moved.moveSection(100, afterSection: 101)
      try await fixture.show(moved, presentation: presentation)
      #expect(fixture.items(ofSection: 1) == [3, 6, 7])
      #expect(fixture.layout.offset(ofSection: 0) == 0)
      try moved.moveSection(100, beforeSection: 101)
      try await fixture.show(moved, presentation: presentation)
      #expect(fixture.items(ofSection: 0) == [3, 6, 7])
    }
  }

  @Test(
    "Whichever visible items leave, the first one that stays is where it was",
    arguments: [false, true], [Presentation.animated, .reset])
  func departures(isMirrored: Bool, presentation: Presentation) async throws {
    for choice in 1..<8 {
      let fixture = ShelfFixture(.continuous, isMirrored: isMirrored)
      try await fixture.show(state(Array(0..<20), Array(20..<40)))
      fixture.scroll(0, to: 210)
      let before = fixture.places(ofSection: 0)
      #expect(before.map(\.item) == [5, 6, 7])
      let gone = (0..<3).filter { choice & 1 << $0 != 0 }.map { $0 + 5 }
      let rest = Array(0..<20).filter { !gone.contains($0) }
      try await fixture.show(state(rest, Array(20..<40) + gone), presentation: presentation)
      let after = fixture.places(ofSection: 0)
      // If all leave, the next one comes to their place.
      let first = before.first { !gone.contains($0.item) }
      #expect(
        after.contains { $0.item == first?.item ?? 8 && (first == nil || $0.x == first?.x) },
        "without \(gone): \(before) → \(after)")
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test(
    "A row that is scrolled to is visible in its section, too, from right to left in the same place",
    arguments: OrthogonalScrollingBehavior.allCases.filter { $0 != .none },
    [LayoutDimension.absolute(40), .estimated(30)])
  func scrolling(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async throws {
    var seen: [[Double]] = []
    for isMirrored in [false, true] {
      let fixture = ShelfFixture(behavior, width: width, height: 60, isMirrored: isMirrored)
      // An empty view opens there.
      fixture.controller.scroll(to: 35)
      try await fixture.show(state(Array(0..<20), Array(20..<40), Array(40..<60), [60]))
      var places: [Double] = []
      for item in [35, 12, 58, 3, 39, 21] {
        fixture.controller.scroll(to: item)
        fixture.view.layoutIfNeeded()
        let path = try #require(fixture.controller.itemPath(for: item))
        let place = fixture.places(ofSection: path.section).first { $0.item == item }
        places.append(try #require(place, "\(item)").x)
      }
      seen.append(places)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    // Which items beyond the edges have been measured is not the same in both.
    #expect(width != .absolute(40) || seen[0] == seen[1], "\(seen)")
  }
}
