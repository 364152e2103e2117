import Diffable
import DiffableLayout
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Testing
import TestScope

@Suite("A list in a terminal stays where its reader is")
@MainActor
struct ReadingPlaceTests {
  /// A list of rows with chosen heights, each line named by its row and number.
  @MainActor
  private final class Reading {
    let list: TerminalList
    let controller: Controller
    var batches = Batches()
    var heights: [Int: Int]

    /// - Parameter reflows: Whether a row has half as many lines where the list is twice as wide.
    init(
      rows: Int, heights: [Int: Int] = [:], allowsFocus: Bool = false, hasHeaders: Bool = false,
      reflows: Bool = false
    ) {
      list = TerminalList(
        size: TerminalSize(columns: 20, rows: rows),
        layout: .rows(estimatedHeight: 1, headerKind: hasHeaders ? "header" : nil))
      list.allowsFocus = allowsFocus
      self.heights = heights
      let heights = Heights()
      let cells = CellRegistration<TerminalCell, Int> { cell, _, item in
        cell.drawing = { size, _ in
          let height = reflows ? max(1, heights[item] * 20 / max(1, size.columns)) : heights[item]
          return (0..<height).map { StyledText("\(item).\($0)") }
        }
      }
      controller = Cells.controller(of: list, cells: cells)
      heights.reading = self
    }

    @MainActor
    private final class Heights {
      weak var reading: Reading?

      subscript(item: Int) -> Int { reading?.heights[item] ?? 1 }
    }

    func show(
      _ sections: [Int]..., refreshing refreshed: [Int] = [],
      presentation: Presentation = .animated
    ) async throws {
      var new = Snapshot<Int, Int>()
      for (index, items) in sections.enumerated() {
        new.appendSections([index])
        try new.appendItems(items)
      }
      try new.reconfigureItems(refreshed)
      await controller.show(try batches.next(new, presentation: presentation))
    }

    /// Scrolls by lines.
    func scroll(_ lines: Int) {
      for _ in 0..<abs(lines) { _ = list.press(lines < 0 ? .up : .down) }
    }

    /// The lines of the screen, without the space that shows the focus.
    var texts: [String] {
      list.texts.map { $0.split(separator: " ").joined() }
    }

    /// The rows on the screen, each once.
    var rows: [Int] {
      var rows: [Int] = []
      for text in texts {
        guard let row = text.split(separator: ".").first.flatMap({ Int($0) }) else { continue }
        if rows.last != row { rows.append(row) }
      }
      return rows
    }
  }

  // MARK: Rows that a batch does not move

  @Test func `The row that a batch moves away does not take the list along`() async throws {
    for presentation in [Presentation.animated, .reset] {
      let reading = Reading(rows: 5)
      try await reading.show(Array(0..<50))
      reading.scroll(10)
      #expect(reading.rows == [10, 11, 12, 13, 14])
      try await reading.show(
        Array(0..<10) + Array(11..<50) + [10], presentation: presentation)
      #expect(reading.rows == [9, 11, 12, 13, 14])
    }
  }

  @Test func `A row that gets another section is a row that moves`() async throws {
    let reading = Reading(rows: 5)
    try await reading.show(Array(0..<20), Array(20..<40))
    reading.scroll(10)
    try await reading.show(Array(0..<10) + Array(11..<20), Array(20..<40) + [10])
    #expect(reading.rows == [9, 11, 12, 13, 14])
  }

  @Test func `The focused row stays, even if it is the one that moves`() async throws {
    let reading = Reading(rows: 5, allowsFocus: true)
    try await reading.show(Array(0..<50))
    reading.list.focus(on: ItemPath(section: 0, item: 12))
    #expect(reading.rows == [8, 9, 10, 11, 12])
    try await reading.show(Array(0..<12) + Array(13..<40) + [12] + Array(40..<50))
    #expect(reading.rows == [36, 37, 38, 39, 12])
  }

  // MARK: Rows that are measured again

  @Test func `A change that is not visible leaves the screen as it was`() async throws {
    for presentation in [Presentation.animated, .reset] {
      let reading = Reading(rows: 4, heights: [3: 10])
      try await reading.show(Array(0..<9))
      reading.scroll(3 + 4)
      let screen = reading.texts
      #expect(screen == ["3.4", "3.5", "3.6", "3.7"])
      try await reading.show(Array(0..<9), refreshing: [3], presentation: presentation)
      #expect(reading.texts == screen)
      // The width changes, so every row is measured again.
      reading.list.size.columns = 12
      #expect(reading.texts == screen)
      // A row that gets shorter keeps its last line.
      reading.heights[3] = 2
      try await reading.show(Array(0..<9), refreshing: [3])
      #expect(reading.texts == ["3.1", "4.0", "5.0", "6.0"])
    }
  }

  @Test func `A row that becomes shorter is not covered by the header`() async throws {
    let reading = Reading(rows: 5, heights: [3: 6], hasHeaders: true)
    try await reading.show(Array(0..<20))
    reading.scroll(8)
    #expect(reading.texts == ["section0", "3.5", "4.0", "5.0", "6.0"])
    reading.heights[3] = 2
    try await reading.show(Array(0..<20), refreshing: [3])
    #expect(reading.texts == ["section0", "3.1", "4.0", "5.0", "6.0"])
  }

  @Test(arguments: [false, true])
  func `However often the list is resized, the reader's row is visible`(hasHeaders: Bool)
    async throws
  {
    for seed in 0..<rounds(80 as UInt64) {
      var random = SplitMix64(seed: seed)
      let heights = Dictionary(
        uniqueKeysWithValues: (0..<60).map { row in
          (row, 1 + random.number(below: random.chance(oneIn: 5) ? 12 : 4))
        })
      let reading = Reading(rows: 6, heights: heights, hasHeaders: hasHeaders, reflows: true)
      try await reading.show(Array(0..<30), Array(30..<60))
      reading.scroll(10 + random.number(below: 60))
      let row = reading.rows.first
      // Where the list ends, rows come into view before the reader's row.
      var wasAtLimit = false
      for _ in 0..<20 {
        reading.list.size = TerminalSize(
          columns: random.element(of: [10, 20, 40]) ?? 20, rows: random.number(below: 8))
        let viewport = reading.list.viewport
        if viewport.length > 0, viewport.isAtStart || viewport.isAtEnd { wasAtLimit = true }
      }
      reading.list.size = TerminalSize(columns: 20, rows: 6)
      #expect(wasAtLimit || reading.rows.first == row, "seed \(seed)")
    }
  }

  // MARK: The end

  @Test func `A list that sticks to its end shows it, whatever happens there`() async throws {
    let reading = Reading(rows: 5)
    reading.controller.sticksToEnd = true
    try await reading.show(Array(0..<50))
    #expect(reading.rows == [45, 46, 47, 48, 49], "the first display")
    reading.list.size.rows = 3
    #expect(reading.rows == [47, 48, 49])
    reading.list.size.rows = 5
    #expect(reading.rows == [45, 46, 47, 48, 49])
    try await reading.show(Array(0..<53))
    #expect(reading.rows == [48, 49, 50, 51, 52])
    for height in [3, 9, 20, 2] {
      reading.heights[52] = height
      try await reading.show(Array(0..<53), refreshing: [52])
      #expect(reading.texts.last == "52.\(height - 1)")
    }
    try await reading.show(Array(0..<40))
    #expect(reading.rows == [35, 36, 37, 38, 39])
    // Who has scrolled away is left alone, even inside the last row.
    reading.heights[40] = 20
    try await reading.show(Array(0..<41))
    #expect(reading.texts == (15..<20).map { "40.\($0)" })
    reading.scroll(-3)
    reading.heights[40] = 30
    try await reading.show(Array(0..<41), refreshing: [40])
    #expect(reading.texts == (12..<17).map { "40.\($0)" })
    _ = reading.list.press(.end)
    try await reading.show(Array(0..<43))
    #expect(reading.rows == [40, 41, 42])
  }

  @Test func `The focus leaves a list at its end, and does not hold it`() async throws {
    let reading = Reading(rows: 5, allowsFocus: true)
    reading.controller.sticksToEnd = true
    try await reading.show(Array(0..<20))
    _ = reading.list.press(.end)
    #expect(reading.list.focusedItemPath == ItemPath(section: 0, item: 19))
    try await reading.show(Array(0..<30))
    #expect(reading.rows == [25, 26, 27, 28, 29])
    _ = reading.list.press(.up)
    #expect(reading.rows.contains(18))
  }

  // MARK: Scrolling

  @Test(arguments: [false, true])
  func `From the end up, every line passes`(allowsFocus: Bool) async throws {
    for seed in 0..<rounds(12 as UInt64) {
      var random = SplitMix64(seed: seed)
      let heights = Dictionary(
        uniqueKeysWithValues: (0..<40).map { row in
          (row, 1 + random.number(below: random.chance(oneIn: 4) ? 12 : 3))
        })
      for key in [Key.up, .pageUp] {
        let reading = Reading(
          rows: 2 + random.number(below: 6), heights: heights, allowsFocus: allowsFocus)
        try await reading.show(Array(0..<40))
        _ = reading.list.press(.end)
        #expect(reading.texts.last == "39.\((heights[39] ?? 0) - 1)", "seed \(seed)")
        var seen = Set(reading.texts)
        var presses = 0
        while !reading.list.viewport.isAtStart, presses < 1_000 {
          let before = reading.texts
          _ = reading.list.press(key)
          presses += 1
          seen.formUnion(reading.texts)
          if !allowsFocus, key == .up {
            #expect(Array(reading.texts.dropFirst()) == Array(before.dropLast()))
          }
        }
        #expect(reading.texts.first == "0.0", "seed \(seed), \(key)")
        #expect(seen.count == heights.values.reduce(0, +), "seed \(seed), \(key)")
      }
    }
  }

  // MARK: Gaps

  @Test func `If every visible row goes, what was around them becomes visible`() async throws {
    for presentation in [Presentation.animated, .reset] {
      let reading = Reading(rows: 5)
      try await reading.show(Array(0..<50))
      reading.scroll(10)
      try await reading.show(
        Array(0..<10) + Array(15..<50), presentation: presentation)
      #expect(reading.rows == [15, 16, 17, 18, 19])
      // Wherever the batch has put them.
      reading.scroll(-5)
      #expect(reading.rows == [5, 6, 7, 8, 9])
      try await reading.show(
        Array(20..<50) + Array(0..<5) + Array(15..<20), presentation: presentation)
      #expect(reading.rows.contains(4) || reading.rows.contains(15))
      // A filter leaves the nearest.
      try await reading.show(Array(0..<200), presentation: .reset)
      _ = reading.list.press(.home)
      reading.scroll(100)
      try await reading.show(
        (0..<200).filter { $0 < 90 || $0 > 150 }, presentation: presentation)
      #expect(reading.rows == [151, 152, 153, 154, 155])
      // Nothing is after them.
      try await reading.show(Array(0..<90), presentation: presentation)
      #expect(reading.rows == [85, 86, 87, 88, 89])
    }
  }

  @Test func `A list without height remembers its place`() async throws {
    let reading = Reading(rows: 5, heights: [12: 3])
    try await reading.show(Array(0..<50))
    reading.scroll(13)
    let screen = reading.texts
    #expect(screen.first == "12.1")
    reading.list.size.rows = 0
    try await reading.show([90, 91] + Array(0..<50))
    try await reading.show([90, 91] + Array(0..<50), refreshing: [12], presentation: .reset)
    reading.list.size.rows = 5
    #expect(reading.texts == screen)
  }

  @Test func `Where there is only room for headers, the list remembers its place`() async throws {
    let reading = Reading(rows: 5, hasHeaders: true)
    try await reading.show(Array(0..<30), Array(30..<60))
    reading.scroll(12)
    let screen = reading.texts
    #expect(screen[1] == "12.0")
    for change in [Array(0..<30), [90, 91] + Array(0..<30)] {
      reading.list.size.rows = 1
      #expect(reading.texts == ["section0"])
      try await reading.show(change, Array(30..<60))
      reading.list.size.rows = 5
      #expect(reading.texts == screen)
    }
    // The headers of two sections, one below the other.
    reading.scroll(18)
    let others = reading.texts
    #expect(others[...2] == ["section0", "section1", "30.0"])
    reading.list.size.rows = 2
    reading.list.size.rows = 5
    #expect(reading.texts == others)
  }

  // MARK: The beginning

  @Test func `At its beginning a list stays there, unless it is to keep its place`() async throws {
    let reading = Reading(rows: 3)
    try await reading.show(Array(0..<9))
    try await reading.show([20, 21] + Array(0..<9))
    #expect(reading.rows == [20, 21, 0])
    try await reading.show(Array(30..<40) + [20, 21] + Array(0..<9), presentation: .inPlace)
    #expect(reading.rows == [20, 21, 0])
  }

  // MARK: Showing a row

  @Test func `A program scrolls to a row before it was ever measured`() async throws {
    let reading = Reading(rows: 7, heights: [60: 3, 80: 9])
    #expect(!reading.controller.scroll(to: 60, at: .bottom))
    try await reading.show([])
    try await reading.show(Array(0..<100))
    #expect(reading.texts.last == "60.2", "the list opens there")
    reading.controller.scroll(to: 60, at: .top)
    #expect(reading.texts.first == "60.0")
    reading.controller.scroll(to: 60, at: .middle)
    #expect(reading.texts[2...4] == ["60.0", "60.1", "60.2"])
    reading.controller.scroll(to: 62)
    #expect(reading.texts[2...4] == ["60.0", "60.1", "60.2"], "it is visible already")
    reading.controller.scroll(to: 20)
    #expect(reading.texts.first == "20.0")
    try await reading.show(Array(0..<101))
    #expect(reading.texts.first == "20.0", "it opens only once")
    reading.controller.scroll(to: 80)
    #expect(reading.texts.first == "80.0", "a row that does not fit begins at the top")
    reading.controller.scroll(to: .end)
    #expect(reading.rows.last == 100)
    #expect(!reading.controller.scroll(to: 101))
    #expect(reading.rows.last == 100)
  }

  // MARK: Sections that scroll across the list

  @Test func `In a section that scrolls sideways, what is visible stays`() async throws {
    for presentation in [Presentation.animated, .reset] {
      let list = TerminalList(
        size: TerminalSize(columns: 21, rows: 3), layout: Layouts.continuous.layout)
      let controller = Cells.controller(of: list)
      var batches = Batches()
      func show(_ sections: [Int]...) async throws {
        var new = Snapshot<Int, Int>()
        for (index, items) in sections.enumerated() {
          new.appendSections([index])
          try new.appendItems(items)
        }
        await controller.show(try batches.next(new, presentation: presentation))
      }
      func line() -> [Int] {
        list.texts.dropFirst().first?.split(separator: " ").compactMap { Int($0) } ?? []
      }
      try await show(Array(10..<30))
      #expect(line() == [10, 11, 12])
      try await show([40] + Array(10..<30))
      #expect(line() == [40, 10, 11], "at its beginning it stays there")
      list.focus(on: ItemPath(section: 0, item: 8))
      list.removeFocus()
      #expect(line() == [15, 16, 17])
      try await show([41, 42, 40] + Array(10..<30))
      #expect(line() == [15, 16, 17])
      if presentation == .animated {
        try await show([41, 42, 40] + Array(10..<15) + Array(16..<30) + [15])
        #expect(line() == [14, 16, 17], "the moved row does not take the section along")
      }
    }
  }

  @Test func `If every visible item of a section goes, what was around them becomes visible`()
    async throws
  {
    for presentation in [Presentation.animated, .reset] {
      let list = TerminalList(
        size: TerminalSize(columns: 21, rows: 3), layout: Layouts.continuous.layout)
      let controller = Cells.controller(of: list)
      var batches = Batches()
      func show(_ sections: [Int]..., order: [Int] = [0, 1]) async throws {
        var new = Snapshot<Int, Int>()
        for (index, items) in zip(order, sections) {
          new.appendSections([index])
          try new.appendItems(items)
        }
        await controller.show(try batches.next(new, presentation: presentation))
      }
      func line(_ number: Int = 1) -> [Int] {
        list.texts.dropFirst(number).first?.split(separator: " ").compactMap { Int($0) } ?? []
      }
      let others = Array(60..<70)
      try await show(Array(10..<40), others)
      list.focus(on: ItemPath(section: 0, item: 12))
      list.removeFocus()
      #expect(line() == [20, 21, 22])
      // A filter leaves the nearest, and others come before them.
      try await show(Array(50..<60) + Array(10..<18) + Array(25..<40), others)
      #expect(line() == [25, 26, 27])
      // They leave for another section.
      try await show(Array(10..<18) + Array(28..<40), others + [25, 26, 27])
      #expect(line() == [28, 29, 30])
      // Nothing is after them, and the section moves.
      try await show(others, Array(80..<90) + Array(10..<18), order: [1, 0])
      list.size.rows = 4
      #expect(line(3) == [15, 16, 17])
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
