import Diffable
import DiffableTerminal
import DiffableViews
import TerminalSupport
import TestScope
import Testing

@testable import livelist

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
