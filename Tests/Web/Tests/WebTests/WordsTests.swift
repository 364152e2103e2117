import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// What the page says where there is nothing to see, or where it may be old.
@Suite(
  "The page says", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct WordsTests {
  private let source = RowSource()

  /// Waits until a text can be seen, alone if `selector` finds one element.
  private func says(_ text: String, in selector: String, _ browser: Browser) async throws {
    try await browser.wait(
      until: """
        ((element) => element.checkVisibility() && element.textContent === "\(text)")(
          document.querySelector("\(selector)"))
        """)
  }

  private func show(_ list: String, _ browser: Browser) async throws {
    let _: Bool = try await browser.value(of: "!(location.hash = \"\(list)\")")
  }

  @Test("that a list is slow, cannot be reached, is refused, and has come")
  func withoutList() async throws {
    try await source.fill(20)
    let allowed = "Not allowed: open the address that the server has printed."
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      var relay: Relay?
      defer { relay?.stop() }
      try await serving([.rows(source)]) { address in
        let started = try await Relay.start(to: address.port ?? 0)
        relay = started
        try await browser.open(address.atPort(started.port).showing("rows"))
        try await browser.wait(for: source)
        #expect(try await browser.value(of: "document.querySelector(\".banner\").hidden"))
        #expect(try await browser.value(of: "document.querySelector(\".empty\").hidden"))
        started.fallSilent()
        try await show("gallery", browser)
        try await says("Loading the list", in: ".empty", browser)
        #expect(try await browser.value(of: "document.getElementById(\"count\").textContent") == "")
        // What is shown of the rows is as it was.
        try await show("rows", browser)
        started.cut(then: 1)
        try await says("Offline. This is the list as it was.", in: ".banner", browser)
        #expect(try await browser.value(of: "document.querySelector(\".empty\").hidden"))
        try await show("gallery", browser)
        try await says("Offline. The page tries again.", in: ".empty", browser)
        #expect(try await browser.value(of: "document.querySelector(\".banner\").hidden"))
      }
      try await serving([.rows(source)]) { address in
        relay?.cut(then: address.port)
        try await says(allowed, in: ".empty", browser)
        try await show("rows", browser)
        try await says("\(allowed) This is the list as it was.", in: ".banner", browser)
      }
    }
  }

  @Test("that a list or a column is empty, and that a board without columns is")
  func empty() async throws {
    let board = try await BoardSource.sample()
    try await withPage(of: [.rows(source), .board(board)], showing: "rows") { browser in
      try await says("The list is empty", in: ".empty", browser)
      try await show("board", browser)
      try await browser.wait(until: "document.querySelectorAll(\"[data-key]\").length === 5")
      let lane = "[data-section='\\\"Done\\\"']"
      #expect(try await browser.value(of: "document.querySelector(\"\(lane) .nothing\").hidden"))
      try await board.update(named: "Another page") { $0.snapshot.deleteItems(["door"]) }
      try await says("No cards", in: "\(lane) .nothing", browser)
      #expect(try await browser.value(of: "document.querySelector(\".empty\").hidden"))
      try await board.update(named: "Another page") { $0.snapshot.deleteAllItems() }
      try await says("The list is empty", in: ".empty", browser)
    }
  }

  @Test("that changes are being saved, while the server is slow, and no longer when it has them")
  func saving() async throws {
    let board = try await BoardSource.sample()
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await serving([.board(board)]) { address in
        let relay = try await Relay.start(to: address.port ?? 0)
        defer { relay.stop() }
        try await browser.open(address.atPort(relay.port).showing("board"))
        try await browser.wait(until: "document.querySelectorAll(\"[data-key]\").length === 5")
        relay.fallSilent()
        try await browser.type(" ", into: "[data-key='paint']")
        try await says("Saving 1 change", in: ".saving", browser)
        relay.cut()
        try await browser.wait(until: "document.querySelector(\".saving\").textContent === \"\"")
        try await browser.wait(until: "view.proposer.edits.edits.length === 0")
        #expect(await board.model(for: "paint")?.isDone == true)
      }
    }
  }

  @Test("which rows of the list a section has, as many as it has")
  func places() async throws {
    try await source.fill(1_200)
    let headings = """
      [...document.querySelectorAll(".heading")].map((heading) =>
        [...heading.children].map((part) => part.textContent).join(": ")).join("; ")
      """
    func shows(_ text: String, _ browser: Browser) async throws {
      try await browser.wait(until: "(\(headings)) === \"\(text)\"")
    }
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await shows("Rows 1 to 1,000: 1,000 rows", browser)
      try await source.update { draft in
        draft.snapshot.deleteItems(Array(draft.snapshot.itemIdentifiers.prefix(10)))
      }
      try await shows("Rows 1 to 990: 990 rows", browser)
      try await browser.type("115", into: "#search")
      // 115 in the first section; 1115 and 1150 to 1159 in the second one.
      try await shows("Row 1: 1 row; Rows 2 to 12: 11 rows", browser)
    }
  }
}
