import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@Suite("Sections that scroll across a list in a terminal stay where their reader is")
@MainActor
struct ShelfPlaceTests {
  /// A list of sections that scroll, each of which shows three items in a line.
  @MainActor
  private final class Shelves {
    let list = TerminalList(
      size: TerminalSize(columns: 21, rows: 3), layout: Layouts.continuous.layout)
    private let controller: Controller
    private let presentation: Presentation
    private var batches = Batches()
    private var successor: Shelves?

    init(_ presentation: Presentation) {
      self.presentation = presentation
      controller = Cells.controller(of: list)
    }

    func show(_ sections: [Int]..., order: [Int] = [0, 1]) async throws {
      var new = Snapshot<Int, Int>()
      for (index, items) in zip(order, sections) {
        new.appendSections([index])
        try new.appendItems(items)
      }
      await controller.show(try batches.next(new, presentation: presentation))
    }

    /// Shows what others show, of which no batch has told.
    func showContent(of others: Shelves) {
      successor = others
      list.content = others.list.content
      list.reset(keeping: .start)
    }

    /// The items of a line of the screen.
    func line(_ number: Int = 1) -> [Int] {
      list.texts.dropFirst(number).first?.split(separator: " ").compactMap { Int($0) } ?? []
    }
  }

  @Test func `If every visible item of a section goes, what was around them becomes visible`()
    async throws
  {
    for presentation in [Presentation.animated, .reset] {
      let shelves = Shelves(presentation)
      let others = Array(60..<70)
      try await shelves.show(Array(10..<40), others)
      shelves.list.focus(on: ItemPath(section: 0, item: 12))
      shelves.list.removeFocus()
      #expect(shelves.line() == [20, 21, 22])
      // A filter leaves the nearest, and others come before them.
      try await shelves.show(Array(50..<60) + Array(10..<18) + Array(25..<40), others)
      #expect(shelves.line() == [25, 26, 27])
      // They leave for another section.
      try await shelves.show(Array(10..<18) + Array(28..<40), others + [25, 26, 27])
      #expect(shelves.line() == [28, 29, 30])
      // Nothing is after them, and the section moves.
      try await shelves.show(others, Array(80..<90) + Array(10..<18), order: [1, 0])
      shelves.list.size.rows = 4
      #expect(shelves.line(3) == [15, 16, 17])
    }
  }

  @Test func `The page of a section is the one that its end is on, and at least one of one`()
    async throws
  {
    let shelves = Shelves(.animated)
    try await shelves.show(Array(0..<7), [60, 61])
    // Each item is a third of a page, and is scrolled to as little as it takes.
    for (item, page) in [0, 0, 0, 1, 1, 1, 2].enumerated() {
      shelves.list.focus(on: ItemPath(section: 0, item: item))
      let shown = try #require(shelves.list.orthogonalPage(ofSection: 0))
      #expect(shown.index == page && shown.count == 3, "\(item): \(shown)")
    }
    let other = try #require(shelves.list.orthogonalPage(ofSection: 1))
    #expect(other.index == 0 && other.count == 1)
  }

  enum Departure: CaseIterable {
    case deleted, moved, elsewhere
  }

  @Test(arguments: Departure.allCases, [Presentation.animated, .reset])
  func `Whichever of its items go, the first visible one that stays is where it was`(
    departure: Departure, presentation: Presentation
  ) async throws {
    let (visible, others) = ([20, 21, 22], Array(60..<70))
    for choice in 1..<8 {
      let gone = visible.indices.filter { choice & 1 << $0 != 0 }.map { visible[$0] }
      let shelves = Shelves(presentation)
      try await shelves.show(Array(10..<40), others)
      shelves.list.focus(on: ItemPath(section: 0, item: 12))
      shelves.list.removeFocus()
      #expect(shelves.line() == visible)
      let rest = Array(10..<40).filter { !gone.contains($0) }
      try await shelves.show(
        rest + (departure == .moved ? gone : []), others + (departure == .elsewhere ? gone : []))
      // If all go, the next one comes to the place of the first.
      let first = visible.firstIndex { !gone.contains($0) }
      let place = try #require(rest.firstIndex(of: first.map { visible[$0] } ?? 23))
      let start = place - (first ?? 0)
      #expect(shelves.line() == Array(rest[start..<start + 3]), "without \(gone)")
    }
  }

  @Test(arguments: [true, false], [[0, 1], [1, 0]])
  func `A section that gets other content is not moved by items that others have now`(
    staysThere: Bool, order: [Int]
  ) async throws {
    let (visible, others) = (Array(16..<19), Array(50..<60))
    for place in 0..<4 {
      let (shelves, next) = (Shelves(.animated), Shelves(.animated))
      shelves.list.size.rows = 4
      try await shelves.show(Array(10..<30), others)
      shelves.list.focus(on: ItemPath(section: 0, item: 8))
      shelves.list.removeFocus()
      #expect(shelves.line() == visible)
      let sections =
        staysThere
        ? [Array(40..<40 + place) + Array(10..<30), others]
        : [
          Array(10..<16) + Array(19..<30),
          others.prefix(place) + visible + others.dropFirst(place),
        ]
      try await next.show(sections[order[0]], sections[order[1]], order: order)
      shelves.showContent(of: next)
      // Where its items have left it, it stays where it was scrolled to.
      let expected = staysThere ? visible : [19, 20, 21]
      #expect(shelves.line(order == [0, 1] ? 1 : 3) == expected, "\(place) before them")
    }
  }

  @Test(arguments: [false, true])
  func `A section that is shown again from scratch looks as before`(isOutOfSight: Bool)
    async throws
  {
    for seed in 0..<rounds(80 as UInt64) {
      var random = SplitMix64(seed: seed)
      let widths = (0..<100).map { _ in 4 + random.number(below: 10) }
      let view = TerminalList(
        size: TerminalSize(columns: 21, rows: 3),
        layout: Layouts.row(width: .estimated(6), .continuous))
      let cells = CellRegistration<TerminalCell, Int> { cell, _, item in
        cell.line = StyledText(String("\(item)abcdefghijkl".prefix(widths[item])))
      }
      let controller = Cells.controller(of: view, cells: cells)
      var batches = Batches()
      var items = Array(10..<40)
      func show(_ presentation: Presentation) async throws {
        let new = try list(items, Array(50..<60), Array(60..<70))
        await controller.show(try batches.next(new, presentation: presentation))
      }
      try await show(.animated)
      // To and fro, so that the first item begins before the edge, or the last one ends after it.
      view.focus(on: ItemPath(section: 0, item: 10 + random.number(below: 10)))
      view.focus(on: ItemPath(section: 0, item: 5 + random.number(below: 10)))
      view.removeFocus()
      let screen = view.texts
      if isOutOfSight { controller.scroll(to: 65) }
      for step in 0..<3 {
        items.insert(70 + 2 * step, at: random.number(below: 3))
        items.insert(71 + 2 * step, at: items.count - random.number(below: 3))
        try await show(random.chance(oneIn: 2) ? .reset : .animated)
      }
      controller.scroll(to: .start)
      #expect(view.texts == screen, "seed \(seed)")
    }
  }
}
