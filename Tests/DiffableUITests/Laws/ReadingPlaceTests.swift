import Diffable
import DiffableTesting
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing
import UIKit

/// A list stays where its reader is, in the views of UIKit and AppKit.
@Suite(.deadline) @MainActor
struct ReadingPlaceTests {
  @Test(
    "Resized, a view keeps the row at its top, its beginning, or the end that it sticks to",
    arguments: ListViewKind.allCases, [false, true])
  func resizing(kind: ListViewKind, hasHeaders: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture, state(Array(0..<30), Array(30..<45)))
      list.controller.sticksToEnd = random.chance(oneIn: 2)
      for step in 0..<12 {
        // Where the user cannot scroll on, a view that was resized still goes back to its place.
        var goesBack = false
        switch random.number(below: 6) {
        case 0: list.controller.scroll(to: .end)
        case 1: list.controller.scroll(to: .start)
        case 2: list.controller.scroll(to: random.number(below: 45), at: .top)
        default:
          // Nobody scrolls a view that has no height.
          let offset = random.number(below: 900)
          let former = fixture.host.viewport
          if former.length > 0 {
            fixture.userScrolls(to: offset)
            goesBack = fixture.host.viewport.offset == former.offset
          }
        }
        let before = fixture.host.viewport
        fixture.resizes(toHeight: random.element(of: [0, 1, 20, 60, 90, 300]) ?? 60)
        let after = fixture.host.viewport
        if goesBack { continue }
        expectPlace(
          before, after,
          "seed \(seed), step \(step) \(before.anchor) \(before.offset) \(before.length) \(before.contentLength) → \(after.anchor) \(after.offset) \(after.length) \(after.contentLength)"
        )
      }
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(16 as UInt64) {
      try await check(
        kind.makeFixture(height: 60, hasHeaders: hasHeaders, sizesItself: !seed.isMultiple(of: 2)),
        seed: seed)
    }
  }

  private func expectPlace(_ before: Viewport, _ after: Viewport, _ comment: Comment) {
    switch before.anchor {
    case .end: #expect(after.isAtEnd || after.length == 0, comment)
    case .start: #expect(after.isAtStart, comment)
    case .offset, .target: break
    case .row(let path, let distance):
      guard after.length > 0 else { return #expect(after.anchor == before.anchor, comment) }
      guard let row = after.rows.first(where: { $0.path == path }) else {
        // There is no more content to fill a longer view, or a header covers a short one.
        return #expect(after.isAtEnd || after.length <= distance + 1, comment)
      }
      let place = row.span.lowerBound - after.offset
      let height = row.span.upperBound - row.span.lowerBound
      let wanted = max(distance, min(0, 1 - height))
      // What a header covered because there was no room comes out from under it.
      let header = before.length > 20 ? 0 : after.covered.start
      let open = max(distance, header + min(0, 1 - height))
      #expect(
        abs(place - wanted) < 1 || abs(place - open) < 1
          || (place > wanted ? after.isAtEnd || after.isAtStart : after.isAtStart),
        "\(comment.rawValue): \(path) is at \(place), not at \(wanted)")
    }
  }

  @Test(
    "Of the rows on the screen, those that a batch does not move stay",
    arguments: ListViewKind.allCases)
  func movedRow(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<50)))
      fixture.userScrolls(to: 200)
      #expect(fixture.numbers == [10, 11, 12, 13, 14])
      let moved = Array(0..<50).filter { $0 != 10 } + [10]
      try await list.apply(state(moved))
      #expect(fixture.numbers == [11, 12, 13, 14, 15] || fixture.numbers == [9, 11, 12, 13, 14])
      // Everything on the screen goes: what was around it is there.
      try await list.apply(state(Array(0..<9) + Array(20..<50)))
      #expect(fixture.numbers.contains(20) || fixture.numbers.contains(8))
      try await list.apply(state(Array(0..<9) + Array(20..<50)), presentation: .reset)
      #expect(fixture.numbers.contains(20) || fixture.numbers.contains(8))
    }
    try await check(kind.makeFixture(height: 100))
  }

  @Test(
    "A row that was never measured is scrolled to, wherever it is to be",
    arguments: ListViewKind.allCases, ListScrollPosition.allCases)
  func scrolling(kind: ListViewKind, position: ListScrollPosition) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, seed: UInt64) async throws {
      var random = SplitMix64(seed: seed)
      let list = try await ShownSource(in: fixture, state(Array(0..<40), Array(40..<80)))
      for step in 0..<6 {
        let item = random.number(below: 80)
        #expect(list.controller.scroll(to: item, at: position))
        let viewport = fixture.host.viewport
        let path = try #require(list.controller.itemPath(for: item))
        let row = try #require(
          viewport.rows.first { $0.path == path }, "seed \(seed), step \(step), \(item)")
        let (top, bottom) = (
          row.span.lowerBound - viewport.offset, row.span.upperBound - viewport.offset
        )
        let (start, end) = (viewport.covered.start, viewport.length - viewport.covered.end)
        let isTable = fixture is NSTableViewFixture
        let header = !seed.isMultiple(of: 2) ? 0 : isTable ? 20 : 10.0
        let isRight =
          switch position {
          case .top:
            // The header of a section is above its first row, and not over it.
            abs(top - start) < 1 || viewport.isAtEnd || path.item == 0 && abs(top - header) < 1
          case .bottom: abs(bottom - end) < 1 || abs(top - start) < 1 || viewport.isAtStart
          case .middle:
            // A header that is about to leave may cover less than its height.
            abs(top + bottom - start - end) < 3 + header || abs(top - start) < 1
              || viewport.isAtStart
              || viewport.isAtEnd
          case .nearest: top > start - 1 && bottom < end + 1 || top < start + 1 && bottom > end - 1
          }
        #expect(
          isRight, "seed \(seed), step \(step), \(item) is at \(top)...\(bottom) of \(viewport)")
      }
      #expect(!list.controller.scroll(to: 99, at: position))
      #expect(fixture.exceptions.isEmpty, "seed \(seed): \(fixture.exceptions)")
    }
    for seed in 0..<rounds(16 as UInt64) {
      try await check(
        kind.makeFixture(height: 90, hasHeaders: seed.isMultiple(of: 2), sizesItself: true),
        seed: seed)
    }
  }

  @Test(
    "Rows without height, of huge height, and of none that is a number, do no harm",
    arguments: ListViewKind.allCases, [0, 1, 90])
  func extremes(kind: ListViewKind, height: Int) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<20)))
      for extreme in 10_000..<10_006 where isInScope(extreme + kind.number, usual: 3) {
        let items = Array(0..<8) + [extreme] + Array(8..<20)
        try await list.apply(state(items))
        for position in ListScrollPosition.allCases {
          for item in [7, extreme, 8] { list.controller.scroll(to: item, at: position) }
          #expect(fixture.host.viewport.offset.isFinite)
        }
        list.controller.scroll(to: .end)
        try await list.apply(state(Array(0..<20)))
        // Nothing of it is left.
        fixture.resizes(toHeight: 60)
        list.controller.scroll(to: 4, at: .top)
        #expect(fixture.numbers.first == 4, "\(extreme)")
        fixture.resizes(toHeight: height)
      }
    }
    try await check(kind.makeFixture(height: height, sizesItself: true))
  }

  @Test(
    "A view that was empty opens at a row, although it was in no window",
    arguments: ListViewKind.allCases)
  func opening(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.scroll(to: 25, at: .top)
      try await list.apply(state(Array(0..<50)))
      #expect(fixture.numbers.first == 25)
    }
    try await check(kind.makeFixture(height: 100))
    try await check(kind.makeFixture(height: 100, sizesItself: true))
  }

  @Test("In UIKit a list in no window opens where it would have been", arguments: [false, true])
  func noWindow(sizesItself: Bool) async throws {
    let table = TableViewFixture(height: 100, sizesItself: sizesItself)
    table.view.show(in: nil)
    let collection = CollectionViewFixture(height: 100, sizesItself: sizesItself)
    collection.view.show(in: nil)
    func open<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state(Array(0..<50)))
      try await list.apply(state(Array(0..<60)))
      if let fixture = fixture as? TableViewFixture { fixture.view.show(in: fixture.window) }
      if let fixture = fixture as? CollectionViewFixture { fixture.view.show(in: fixture.window) }
      #expect(fixture.numbers.last == 59)
      #expect(fixture.host.viewport.anchor == .end)
    }
    try await open(table)
    try await open(collection)
  }

  @Test(
    "An animated scroll ends at the row, unless the user interrupts it; batches do not",
    arguments: ListViewKind.allCases, [false, true])
  func animated(kind: ListViewKind, sizesItself: Bool) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture) async throws {
      let list = try await ShownSource(in: fixture, state(Array(0..<100)))
      func top() -> Int? {
        let viewport = fixture.host.viewport
        let row = viewport.rows.first { $0.span.lowerBound > viewport.offset - 1 }
        return row.flatMap { list.controller.itemIdentifier(for: $0.path) }
      }
      list.controller.scroll(to: 60, at: .top, isAnimated: true)
      #expect(fixture.scrollsWithAnimation)
      fixture.timePasses(untilScrollingEnds: false)
      fixture.timePasses(untilScrollingEnds: true)
      #expect(top() == 60)
      #expect(!fixture.scrollsWithAnimation)
      // A batch on the way.
      list.controller.scroll(to: 20, at: .top, isAnimated: true)
      fixture.timePasses(untilScrollingEnds: false)
      try await list.apply(state(Array(-5..<100)))
      fixture.timePasses(untilScrollingEnds: true)
      #expect(top() == 20)
      // The user takes hold of the list.
      list.controller.scroll(to: 90, at: .top, isAnimated: true)
      fixture.timePasses(untilScrollingEnds: false)
      fixture.userScrolls(to: 333)
      fixture.timePasses(untilScrollingEnds: true)
      let read = top()
      #expect(read != 90)
      try await list.apply(state(Array(-9..<100)))
      #expect(top() == read)
      // Another scroll takes the place of one that is under way.
      list.controller.scroll(to: 10, at: .top, isAnimated: true)
      fixture.timePasses(untilScrollingEnds: false)
      list.controller.scroll(to: 70, at: .top, isAnimated: true)
      #expect(top() != 70)
      fixture.timePasses(untilScrollingEnds: false)
      #expect(fixture.scrollsWithAnimation && top() != 70)
      fixture.timePasses(untilScrollingEnds: true)
      #expect(top() == 70)
      list.controller.scroll(to: 10, at: .top, isAnimated: true)
      fixture.timePasses(untilScrollingEnds: false)
      let row = try #require(fixture.host.viewport.rows.first)
      let passed = try #require(list.controller.itemIdentifier(for: row.path))
      list.controller.scroll(to: passed, at: .top)
      fixture.timePasses(untilScrollingEnds: true)
      #expect(top() == passed)
      // Nothing moves where there is no way to go.
      list.controller.scroll(to: .start, isAnimated: false)
      list.controller.scroll(to: .start, isAnimated: true)
      #expect(!fixture.scrollsWithAnimation)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    try await check(kind.makeFixture(height: 100, sizesItself: sizesItself))
  }

  /// A delegate of an app that tells a host what happens to its table.
  private final class Forwarder: NSObject, UITableViewDelegate {
    let host: TableViewHost

    init(_ host: TableViewHost) {
      self.host = host
      super.init()
    }

    func scrollViewDidScroll(_ scrollView: UIScrollView) { host.scrollViewDidScroll(scrollView) }
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      host.scrollViewWillBeginDragging(scrollView)
    }
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
      host.scrollViewDidEndScrollingAnimation(scrollView)
    }
  }

  @Test("The first scroll that a delegate forwards is animated to its row, too")
  func forwarded() async throws {
    let fixture = TableViewFixture(height: 100, sizesItself: true)
    let forwarder = Forwarder(fixture.host)
    fixture.view.delegate = forwarder
    let list = try await ShownSource(in: fixture, state(Array(0..<100)))
    list.controller.scroll(to: 60, at: .top, isAnimated: true)
    fixture.timePasses(untilScrollingEnds: false)
    fixture.timePasses(untilScrollingEnds: true)
    let viewport = fixture.host.viewport
    let top = viewport.rows.first { $0.span.lowerBound > viewport.offset - 1 }
    #expect(top?.path == ItemPath(section: 0, item: 60))
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    withExtendedLifetime(forwarder) {}
  }

  @Test(
    "A keyboard that covers a list does not hide the end to which it sticks",
    arguments: [ListViewKind.uiCollectionView, .uiCollectionRow, .uiMirroredRow, .uiTableView])
  func keyboard(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(_ fixture: Fixture, _ view: UIScrollView) async throws {
      var offset: CGFloat {
        switch kind {
        case .uiCollectionRow: view.contentOffset.x
        case .uiMirroredRow: view.contentSize.width - view.bounds.maxX
        default: view.contentOffset.y
        }
      }
      func cover(start: CGFloat = 0, end: CGFloat = 0) {
        let insets =
          switch kind {
          case .uiCollectionRow: UIEdgeInsets(top: 0, left: start, bottom: 0, right: end)
          case .uiMirroredRow: UIEdgeInsets(top: 0, left: end, bottom: 0, right: start)
          default: UIEdgeInsets(top: start, left: 0, bottom: end, right: 0)
          }
        view.systemCovers(insets)
      }
      let list = try await ShownSource(in: fixture)
      list.controller.sticksToEnd = true
      try await list.apply(state(Array(0..<50)))
      cover(end: 40)
      #expect(offset == 940)
      try await list.apply(state(Array(0..<51)))
      #expect(offset == 960)
      cover()
      #expect(offset == 920)
      fixture.userScrolls(to: 400)
      cover(end: 40)
      #expect(offset == 400)
      // A bar above the list does not move its rows on the screen.
      cover(start: 30)
      #expect(offset == 400)
      try await list.apply(state(Array(-2..<51)))
      #expect(offset == 440)
      list.controller.scroll(to: 20, at: .top)
      #expect(offset == 410)
      list.controller.scroll(to: .start)
      #expect(offset == -30)
    }
    let fixture = kind.makeFixture(height: 100)
    if let fixture = fixture as? TableViewFixture {
      try await check(fixture, fixture.view)
    } else if let fixture = fixture as? CollectionViewFixture {
      try await check(fixture, fixture.view)
    }
  }

  @Test("A list that the user pulls beyond its beginning is not held back by a batch")
  func pulled() async throws {
    let fixture = TableViewFixture(height: 100)
    let list = try await ShownSource(in: fixture, state(Array(0..<50)))
    fixture.userScrolls(to: -30)
    try await list.apply(state(Array(-2..<50)))
    #expect(fixture.view.contentOffset.y == -30)
  }

  @Test("A data source scrolls to a row, opens at one, and sticks to its end")
  func dataSource() async throws {
    let table = TableViewFixture(height: 100)
    let tableSource = TableViewDiffableDataSource<Int, Int>(tableView: table.view) {
      view, path, _ in
      view.register(UITableViewCell.self, forCellReuseIdentifier: "row")
      return view.dequeueReusableCell(withIdentifier: "row", for: path)
    }
    tableSource.scroll(to: 25, at: .top)
    try await tableSource.apply(state(Array(0..<50)))
    #expect(table.view.contentOffset.y == 500)
    // As with Apple's data sources, a batch leaves the offset alone.
    try await tableSource.apply(state(Array(-2..<50)))
    #expect(table.view.contentOffset.y == 500)
    #expect(tableSource.scroll(to: 40, at: .bottom, animated: false))
    #expect(table.view.contentOffset.y == 760)
    #expect(tableSource.scroll(to: 0, animated: true))
    table.view.timePasses(untilScrollingEnds: true)
    #expect(table.view.contentOffset.y == 40)
    tableSource.sticksToEnd = true
    tableSource.scroll(to: .end, animated: false)
    try await tableSource.apply(state(Array(-2..<60)))
    #expect(table.view.contentOffset.y == 1140)
    #expect(!tableSource.scroll(to: 77))

    let collection = CollectionViewFixture(height: 100)
    let cells = UICollectionView.CellRegistration<UICollectionViewCell, Int> { _, _, _ in }
    let collectionSource = CollectionViewDiffableDataSource<Int, Int>(
      collectionView: collection.view
    ) { view, path, item in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
    }
    collectionSource.scroll(to: 25, at: .middle)
    try await collectionSource.apply(state(Array(0..<50)))
    #expect(collection.view.contentOffset.y == 460)
    #expect(collectionSource.scroll(to: .end, animated: true) == ())
    collection.view.timePasses(untilScrollingEnds: true)
    #expect(collection.view.contentOffset.y == 900)
  }
}
