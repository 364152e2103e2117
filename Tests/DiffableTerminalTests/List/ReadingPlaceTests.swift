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
      var new = try DiffableTerminalTests.list(of: sections)
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
      try await reading.show(Array(0..<10) + Array(11..<50) + [10], presentation: presentation)
      #expect(reading.rows == [9, 11, 12, 13, 14])
    }
  }

  @Test func `The focused row stays, even if it is the one that moves`() async throws {
    let reading = Reading(rows: 5, allowsFocus: true)
    try await reading.show(Array(0..<50))
    reading.list.focus(on: ItemPath(section: 0, item: 12))
    #expect(reading.rows == [8, 9, 10, 11, 12])
    try await reading.show(Array(0..<12) + Array(13..<40) + [12] + Array(40..<50))
    #expect(reading.rows == [36, 37, 38, 39, 12])
  }

  @Test func `The focus does not go to a row of which a header covers all that there is`()
    async throws
  {
    let reading = Reading(rows: 5, heights: [9: 8], allowsFocus: true, hasHeaders: true)
    try await reading.show(Array(0..<10), Array(10..<30))
    for row in 0..<4 {
      reading.list.focus(on: ItemPath(section: 1, item: 10))
      reading.list.focus(on: ItemPath(section: 1, item: row))
      for _ in 0...row { reading.scroll(-1) }
      #expect(reading.list.focusedItemPath == ItemPath(section: 0, item: 9))
      #expect(reading.texts[1] == "9.7")
    }
  }

  @Test func `The arrow keys show every line, below a header in its own place too`() async throws {
    for hasHeaders in [false, true] {
      for rows in 2...6 {
        for height in 1...9 {
          let heights = [1: height, 10: height, 12: height]
          let reading = Reading(
            rows: rows, heights: heights, allowsFocus: true, hasHeaders: hasHeaders)
          try await reading.show([0, 1, 2], [10, 11, 12], [20])
          let lines = [0, 1, 2, 10, 11, 12, 20].flatMap { row in
            (0..<(heights[row] ?? 1)).map { "\(row).\($0)" }
          }
          for isForward in [true, false] {
            _ = reading.list.press(isForward ? .home : .end)
            var seen = Set(reading.texts)
            for _ in lines {
              reading.scroll(isForward ? 1 : -1)
              seen.formUnion(reading.texts)
            }
            let unseen = lines.filter { !seen.contains($0) }
            #expect(unseen.isEmpty, "\(rows) rows, height \(height), \(hasHeaders), \(isForward)")
          }
        }
      }
    }
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

  // MARK: Without height

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

  // MARK: Showing a row

  @Test func `A list opens at a row that was never measured, and only once`() async throws {
    let reading = Reading(rows: 7, heights: [60: 3])
    #expect(!reading.controller.scroll(to: 60, at: .bottom))
    try await reading.show([])
    try await reading.show(Array(0..<100))
    #expect(reading.texts.last == "60.2")
    reading.controller.scroll(to: 20)
    #expect(reading.texts.first == "20.0")
    try await reading.show(Array(0..<101))
    #expect(reading.texts.first == "20.0")
  }
}
