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
