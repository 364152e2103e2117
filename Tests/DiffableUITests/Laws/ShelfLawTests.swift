import Diffable
import DiffableLayout
import DiffableTesting
import DiffableUI
import DiffableViews
import TestScope
import Testing
import UIKit

/// Sections that scroll across a view of UIKit stay where their reader is, as the view does.
@Suite(.deadline) @MainActor
struct ShelfLawTests {
  @Test(
    "The laws of hosts hold for sections that scroll across the view",
    arguments: OrthogonalScrollingBehavior.allCases, [LayoutDimension.absolute(40), .estimated(30)])
  func laws(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async {
    for height in [100, 20] {
      let fixture = ShelfFixture(behavior, width: width, height: height)
      let violations = await ListHostLaw.violations(
        of: fixture.host, seeds: 0..<UInt64(rounds(4))
      ) { [unowned fixture] cells, path, item in
        try fixture.cell(cells, path, item)
      }
      #expect(violations.isEmpty, "\(violations)")
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
  }

  @Test(
    "What is visible in a section stays, or what was around it becomes visible",
    arguments: OrthogonalScrollingBehavior.allCases.filter { $0 != .none },
    [LayoutDimension.absolute(40), .estimated(30)])
  func batches(behavior: OrthogonalScrollingBehavior, width: LayoutDimension) async throws {
    // Pages do not begin with items, and the edge of another group is elsewhere if it is not as wide.
    let isExact = behavior == .continuous || width == .absolute(40) && behavior != .paging
    for seed in 0..<rounds(16 as UInt64) {
      let fixture = ShelfFixture(behavior, width: width, isMirrored: !seed.isMultiple(of: 2))
      var shelves = Shelves(seed: seed)
      try await fixture.show(shelves.snapshot)
      for step in 0..<8 {
        let former = shelves
        if !shelves.random.chance(oneIn: 4) {
          fixture.scroll(former.first, to: Double(shelves.random.number(below: 500)))
        }
        let before = fixture.places(ofSection: former.first)
        let wasAtStart = fixture.isAtStart(former.first)
        shelves.change(around: before.map(\.item))
        try await fixture.show(
          shelves.snapshot, presentation: shelves.random.chance(oneIn: 3) ? .reset : .animated)
        let after = fixture.places(ofSection: shelves.first)
        let comment: Comment = "seed \(seed), step \(step): \(before) → \(after)"
        if wasAtStart {
          #expect(fixture.isAtStart(shelves.first), comment)
        } else {
          #expect(try shelves.keep(before, in: after, from: former, exactly: isExact), comment)
        }
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
  }

  /// Two sections, whose first one the user scrolls, and what happens to it.
  private struct Shelves {
    typealias Place = (item: Int, x: Double)

    var random: SplitMix64
    private var sections = [0, 1]
    private var items = [Array(0..<20), Array(20..<40)]
    private var next = 100

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The index of the section.
    var first: Int { sections[0] == 0 ? 0 : 1 }

    var snapshot: Snapshot<Int, Int> {
      get throws {
        var snapshot = Snapshot<Int, Int>()
        snapshot.appendSections(sections)
        for section in sections { try snapshot.appendItems(items[section], toSection: section) }
        return snapshot
      }
    }

    /// Changes the section, and the order of both.
    mutating func change(around visible: [Int]) {
      if random.chance(oneIn: 4) { sections.reverse() }
      if random.chance(oneIn: 3) { return leave(visible) }
      // Items come and go everywhere but among the visible ones.
      for _ in 0..<3 {
        let place = random.number(below: items[0].count + 1)
        let isInside =
          (1..<items[0].count).contains(place)
          && visible.contains(items[0][place - 1]) && visible.contains(items[0][place])
        guard !isInside else { continue }
        if random.chance(oneIn: 2) || items[0].count < 15 {
          insert(at: place)
        } else if place < items[0].count, !visible.contains(items[0][place]) {
          items[0].remove(at: place)
        }
      }
    }

    /// Lets the visible items go, maybe with some around them, and maybe but for one.
    private mutating func leave(_ visible: [Int]) {
      let start = items[0].firstIndex { visible.contains($0) } ?? 0
      let end = (items[0].lastIndex { visible.contains($0) } ?? -1) + 1
      let range =
        max(0, start - random.number(below: 3))..<min(items[0].count, end + random.number(below: 3))
      var gone = Array(items[0][range])
      items[0].removeSubrange(range)
      if random.chance(oneIn: 3), let kept = random.element(of: gone) {
        gone.removeAll { $0 == kept }
        items[0].insert(kept, at: range.lowerBound)
      }
      switch random.number(below: 3) {
      case 0: items[1].insert(contentsOf: gone, at: random.number(below: items[1].count + 1))
      case 1: items[0].append(contentsOf: gone)
      default: break
      }
      while items[0].count < 15 { insert(at: random.number(below: items[0].count + 1)) }
    }

    private mutating func insert(at place: Int) {
      items[0].insert(next, at: place)
      next += 1
    }

    /// Whether the first item that stays in the section is where it was, or else whether what was
    /// next to the visible items is visible.
    ///
    /// - Parameter isExact: Whether the item is at its place, and not just visible.
    func keep(
      _ before: [Place], in after: [Place], from former: Shelves, exactly isExact: Bool
    ) throws -> Bool {
      let old = try former.snapshot
      let moved = Set(
        try snapshot.difference(from: old).itemMoves.compactMap { old.itemIdentifier(for: $0.from) }
      )
      func remains(_ item: Int) -> Bool { items[0].contains(item) }
      func stays(_ item: Int) -> Bool { remains(item) && !moved.contains(item) }
      func isVisible(_ item: Int) -> Bool { after.contains { $0.item == item } }
      if let first = before.first(where: { stays($0.item) }) {
        // At its ends, a section has nothing more to show, and a group may not be where one rests.
        let isAtEnd = [former.items[0], items[0]].contains { items in
          (before + after).contains { $0.item == items.last }
        }
        let isAtLimit = isAtEnd || after.first?.item == items[0].first
        return after.contains { place in
          place.item == first.item && (place.x == first.x || isAtLimit || !isExact)
        }
      }
      let rest = former.items[0]
      let start = rest.firstIndex { $0 == before.first?.item } ?? 0
      let end = rest.firstIndex { $0 == before.last?.item } ?? -1
      let neighbours = [
        rest[(end + 1)...].first(where: remains), rest[..<start].last(where: remains),
      ]
      .compactMap(\.self)
      let wanted =
        neighbours.first(where: stays) ?? before.map(\.item).first(where: remains)
        ?? neighbours.first
      return wanted.map(isVisible) ?? true
    }
  }
}

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
        // It is at the first one.
        if item != 35 { fixture.controller.scroll(to: item) }
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
