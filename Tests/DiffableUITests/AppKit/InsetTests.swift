import AppKit
import Diffable
import DiffableUI
import DiffableViews
import StandInSupport
import TestScope
import Testing

/// What bars and pinned headers cover of a scroll view.
@Suite(.deadline) @MainActor
struct InsetTests {
  @Test(
    "Bars over a view of AppKit count as not visible",
    arguments: [ListViewKind.nsCollectionView, .nsCollectionRow, .nsMirroredRow, .nsTableView])
  func insets(kind: ListViewKind) async throws {
    func check<Fixture: ListViewFixture>(
      _ fixture: Fixture, _ scrollView: NSScrollView
    ) async throws {
      scrollView.contentInsets =
        switch kind {
        case .nsCollectionRow: NSEdgeInsets(top: 0, left: 30, bottom: 0, right: 20)
        case .nsMirroredRow: NSEdgeInsets(top: 0, left: 20, bottom: 0, right: 30)
        default: NSEdgeInsets(top: 30, left: 0, bottom: 20, right: 0)
        }
      var origin: Double {
        let bounds = scrollView.contentView.bounds
        return switch kind {
        case .nsCollectionRow: Double(bounds.minX)
        case .nsMirroredRow: Double((scrollView.documentView?.frame.width ?? 0) - bounds.maxX)
        default: Double(bounds.minY)
        }
      }
      let list = try await ShownSource(in: fixture, state(Array(0..<50)))
      #expect(fixture.host.viewport.isAtStart)
      list.controller.scroll(to: 20, at: .top)
      #expect(origin == 400 - 30)
      #expect(fixture.host.viewport.length == 150)
      list.controller.scroll(to: 30, at: .bottom)
      #expect(origin == 620 + 20 - 200)
      // The first row that no bar covers stays.
      let row = try #require(
        fixture.host.viewport.rows.first { $0.span.lowerBound >= fixture.host.viewport.offset })
      let distance = row.span.lowerBound - fixture.host.viewport.offset
      try await list.apply(state(Array(-10..<50)))
      let item = row.path.item + 10
      let moved = fixture.host.viewport.rows.first { $0.path.item == item }
      #expect(moved.map { $0.span.lowerBound - fixture.host.viewport.offset } == distance)
      list.controller.scroll(to: .start)
      #expect(fixture.host.viewport.isAtStart && origin == -30)
      try await list.apply(state(Array(-20..<50)))
      #expect(origin == -30)
      list.controller.sticksToEnd = true
      list.controller.scroll(to: .end)
      try await list.apply(state(Array(-20..<60)))
      #expect(fixture.host.viewport.isAtEnd)
      #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    }
    let fixture = kind.makeFixture(height: 200)
    if let fixture = fixture as? NSTableViewFixture {
      try await check(fixture, fixture.scrollView)
    } else if let fixture = fixture as? NSCollectionViewFixture {
      try await check(fixture, fixture.scrollView)
    }
  }

  @Test(
    "A row is scrolled to below a pinned header of AppKit, whether or not the view raises that",
    arguments: [StandInHabits.all, []])
  func pinnedHeader(habits: StandInHabits) async throws {
    let fixture = NSCollectionViewFixture(height: 100, headerHeight: 30, habits: habits)
    let list = try await ShownSource(in: fixture, state(Array(0..<50)))
    func place(of item: Int) -> Double? {
      let (path, viewport) = (list.controller.itemPath(for: item), fixture.host.viewport)
      let row = viewport.rows.first { $0.path == path }
      return row.map { $0.span.lowerBound - viewport.offset }
    }
    list.controller.scroll(to: 20, at: .top)
    #expect(place(of: 20) == 30)
    // The header covers the whole row, so the one below it stays.
    fixture.userScrolls(to: 425)
    #expect(place(of: 20) == 5 && place(of: 21) == 25)
    try await list.apply(state(Array(0..<21) + [99] + Array(21..<50)))
    #expect(place(of: 21) == 25)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
  }
}
