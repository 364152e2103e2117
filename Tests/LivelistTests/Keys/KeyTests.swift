import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import Foundation
import TerminalSupport
import TestScope
import Testing

@testable import livelist

@Suite("Keys of views", .deadline)
@MainActor
struct KeyTests {
  /// The keys that a screen of the help names in its table with a title.
  private func keys(in screen: Screen, below title: String) -> Set<String> {
    let lines = screen.lines.map(\.text)
    guard let start = lines.firstIndex(of: " " + title) else { return [] }
    var names: Set<String> = []
    for line in lines[(start + 1)...].prefix(while: { $0.hasPrefix("  ") }) {
      for part in line.dropFirst(2).components(separatedBy: "  ")[0].components(separatedBy: " or ")
      {
        let shift = part.hasPrefix("Shift ") ? "Shift " : ""
        let words = part.dropFirst(shift.count).components(separatedBy: ", ")
        for word in words {
          let isRun = word.allSatisfy { "↑↓←→ ".contains($0) } || !word.contains { $0.isLetter }
          let isList = word.split(separator: " ").allSatisfy { $0.count == 1 }
          let keys = isRun || isList ? word.filter { $0 != " " }.map(String.init) : [word]
          names.formUnion(keys.map { shift + $0 })
        }
      }
    }
    return names
  }

  private func checkKeys(of stage: some Stage) throws {
    stage.reset()
    let table = try #require(stage.table)
    stage.view.keyPage = KeyPage(type(of: stage.view).keyTables.map { $0.help(in: stage.view) })
    let help = stage.view.screen(TerminalSize(columns: 110, rows: 80))
    let names = keys(in: help, below: table.title)
    #expect(help.lines.contains { $0.text == " " + KeyPage.keyTable.title })
    for key in Key.all {
      stage.reset()
      _ = stage.view.screen(.standard)
      let isText = if case .character = key { names.contains("characters") } else { false }
      let isListed = names.contains(key.name) || isText
      if stage.view.press(key) != .handled(false) {
        #expect(isListed, "\(stage.name) obeys \(key), which its help does not list")
      }
      stage.reset()
      // What the list can do is not lost, except what needs several selected items.
      if case .shift = key { continue }
      if table.title == "Keys while you write" { continue }
      if stage.view.list.press(key) {
        #expect(isListed, "The list of \(stage.name) obeys \(key), which the help does not list")
      }
    }
    stage.reset()
  }

  @Test("The help of every view lists every key that the view obeys, whatever the view does")
  func everyKey() async throws {
    for stage in try await allStages() { try checkKeys(of: stage) }
    let page = KeyPage([])
    let screen = page.screen(TerminalSize(columns: 110, rows: 80))
    let names = keys(in: screen, below: KeyPage.keyTable.title)
    for key in Key.all where page.press(key) != .handled(false) {
      #expect(names.contains(key.name), "The help obeys \(key)")
    }
  }

  private func checkHints(of stage: some Stage) throws {
    stage.reset()
    let table = try #require(stage.table)
    let hints = stage.view.hints
    let ranks = table.bindings.filter { $0.isOffered(stage.view) }.compactMap { binding in
      binding.hint.flatMap { hint in
        hint.words(stage.view).map { (hint.rank, Key.names(of: binding.keys) + " " + $0) }
      }
    }
    #expect(Set(ranks.map { $0.0 }).count == ranks.count, "\(stage.name): one rank, one hint")
    #expect(hints.hints.map(\.text) == ranks.sorted { $0.0 < $1.0 }.map { $0.1 })
    for columns in 10...120 {
      let line = stage.view.screen(TerminalSize(columns: columns, rows: 12)).lines[11]
      #expect(line.columnCount <= columns)
      let text = line.text
      if stage.writesInLastLine {
        // What the user writes comes first.
        let count = (1...hints.hints.count).last { text.contains(hints.text($0)) } ?? 0
        let others = hints.hints.dropFirst(count)
        #expect(!others.contains { text.contains($0.words) }, "\(columns) columns: \(text)")
        continue
      }
      let count = try #require((0...hints.hints.count).last { text.hasPrefix(hints.text($0)) })
      if count == 0 {
        #expect(hints.text(1).columnCount > columns)
        #expect(text == hints.hints[0].text.aligned(.left, columns: columns))
        continue
      }
      let rest = text.dropFirst(hints.text(count).count).drop { $0 == " " }
      let isPlace = rest.isEmpty || rest.hasPrefix("rows ") || rest.contains(" change")
      #expect(isPlace, "\(stage.name) in \(columns) columns: \(text)")
      if count < hints.hints.count {
        let place = rest.isEmpty ? 0 : rest.count + 1
        #expect(hints.text(count + 1).columnCount + place > columns, "\(columns): \(text)")
      }
    }
  }

  @Test("In every view and width, the most important hints are shown, and none is cut")
  func everyWidth() async throws {
    for stage in try await allStages() { try checkHints(of: stage) }
  }

  @Test("Every hint is whole, and left out before one that is less important is shown")
  func hintLines() {
    let hints = KeyHints([.init("q", "quit"), .init("Page Up", "back"), .init("?", "keys")])
    let expected = [
      0: "", 1: "q", 5: "q", 6: "q quit", 7: " q quit", 20: " q quit", 21: " q quit  Page Up back",
      28: " q quit  Page Up back", 29: " q quit  Page Up back  ? keys",
    ]
    var text = ""
    for columns in 0...40 {
      text = expected[columns] ?? text
      #expect(hints.line(columns: columns).text == text.aligned(.left, columns: columns))
    }
  }

  @Test("In every width, the titles say how the processes are sorted")
  func sorting() {
    for width in 10...120 {
      for order in ProcessOrder.allCases {
        for showsUser in [false, true] {
          let columns = ProcessColumns(width: width, showsUser: showsUser)
          let title = columns.titles(sortedBy: order)
          #expect(title.columnCount <= width)
          #expect(title.contains(order.title), "\(width): \(title)")
          let others = ProcessOrder.allCases.filter { $0 != order }
          #expect(!others.contains { title.contains($0.title) })
        }
      }
    }
    let narrow = ProcessColumns(width: 40, showsUser: false).titles(sortedBy: .memory)
    #expect(narrow == "      PID   CPU % COMMAND by ▾MEMORY")
  }

  @Test("The help scrolls through all of its lines, in every size, and closes by ? and Esc")
  func helpPages() async throws {
    let view = try await BoardView.filled()
    for columns in [10, 17, 40, 50, 80, 120] {
      // Each height with half of the widths.
      for rows in columns.isMultiple(of: 20) ? [1, 3, 10, 24] : [2, 4, 12, 80] {
        let size = TerminalSize(columns: columns, rows: rows)
        let above = rows >= 4 ? 1 : 0
        func body() -> [String] {
          let lines = view.screen(size).lines.map(\.text)
          return Array(lines.dropFirst(above).dropLast(rows >= 2 ? 1 : 0))
        }
        #expect(view.press(.character("?")) == .handled(true))
        var (lines, last) = (body(), body())
        while true {
          _ = view.press(.down)
          let next = body()
          if next == last, next.dropFirst().elementsEqual(last.dropFirst()) { break }
          #expect(Array(next.dropLast()) == Array(last.dropFirst()))
          lines.append(next[next.count - 1])
          last = next
        }
        let all = KeyHelp.lines(
          BoardView.keyTables.map { $0.help(in: view) } + [KeyPage.keyTable.help], columns: columns
        ).map(\.text)
        #expect(lines.prefix(all.count) == all[...], "\(columns)×\(rows)")
        #expect(lines.dropFirst(all.count).allSatisfy { $0 == "" })
        #expect(all.allSatisfy { $0.columnCount <= columns })
        _ = view.press(.character("g"))
        #expect(body() == Array(lines.prefix(body().count)))
        #expect(view.press(rows.isMultiple(of: 2) ? .escape : .character("?")) == .handled(true))
        #expect(!view.screen(size).lines.contains { $0.text.contains("Keys") })
      }
    }
    #expect(view.press(.character("?")) == .handled(true))
    #expect(view.press(.character("x")) == .handled(false))
    #expect(view.press(.character("q")) == .quit)
  }
}

@Suite("Screens of keys", .deadline)
@MainActor
struct KeyScreenTests {
  private static let sizes = [
    TerminalSize.standard, TerminalSize(columns: 40, rows: 12),
    TerminalSize(columns: 120, rows: 40),
  ]

  private func show(
    _ view: some ListScreen, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for size in Self.sizes {
      var screen = GoldenScreen(size: size)
      try screen.show(
        view.screen(size), matches: "\(name)-\(size.columns)", sourceLocation: sourceLocation)
    }
  }

  @Test("? shows the keys of a view")
  func help() async throws {
    let processes = try await ProcessView.filled(.tree)
    _ = processes.press(.character("?"))
    try show(processes, "keys-processes")
    let board = try await BoardView.filled()
    _ = board.press(.character("?"))
    try show(board, "keys-board")
  }

  @Test("A search that finds nothing says so, and how to end it")
  func nothingFound() async throws {
    let processes = try await ProcessView.filled()
    let gallery = try await GalleryView.filled()
    let rows = processes.screen(.standard).lines
    for scalar in "/zebra".unicodeScalars {
      _ = processes.press(.character(scalar))
      _ = gallery.press(.character(scalar))
    }
    try await wait {
      processes.controller.snapshot.numberOfItems == 0
        && gallery.controller.snapshot.numberOfItems == 0
    }
    try show(processes, "nothing-found-processes")
    _ = processes.press(.enter)
    try show(processes, "nothing-kept-processes")
    // What the title counts, and the revision, depend on how many letters became one search.
    let text = gallery.screen(.standard).text
    #expect(
      text.contains("No exhibits match “zebra”. Esc ends the search and shows everything again."))
    _ = processes.press(.escape)
    _ = gallery.press(.escape)
    try await wait {
      processes.controller.snapshot.numberOfItems == 5
        && gallery.controller.snapshot.numberOfItems == 24
    }
    #expect(processes.screen(.standard).lines == rows)
    #expect(!gallery.screen(.standard).text.contains("No exhibits"))
  }

  @Test("A board that nobody has reached says that it has no columns, and why")
  func unreachedBoard() async throws {
    let board = try await BoardView.unreached("cannot connect to the server")
    try show(board, "board-unreached")
    _ = board.press(.character("a"))
    try show(board, "board-unreached-adding")
  }
}
