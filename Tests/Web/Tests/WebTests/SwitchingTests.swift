import Diffable
import Foundation
import Testing

@testable import WebLists

/// What a list keeps while another one is shown in its place.
@Suite(
  "From list to list", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct SwitchingTests {
  private func show(_ list: String, _ browser: Browser) async throws {
    let _: Bool = try await browser.value(of: "!(location.hash = \"\(list)\")")
    try await browser.wait(
      until: "document.getElementById(\"tab-\(list)\").ariaSelected === \"true\"")
    try await browser.wait(until: "follower.state === \"live\" && follower.list.token")
  }

  @Test("each list has a search of its own, and stays where it was scrolled to")
  func search() async throws {
    let (rows, gallery) = (RowSource(), GallerySource())
    try await rows.fill(3_000)
    let searched = "document.getElementById(\"search\").value"
    let scrolled = "Math.round(document.querySelector(\".scroller\").scrollTop)"
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await gallery.writing(every: .seconds(60)) {
        try await serving([.rows(rows), .gallery(gallery)]) { address in
          try await browser.open(address.showing("rows"))
          try await browser.wait(for: rows)
          try await browser.type("hazel", into: "#search")
          try await browser.wait(until: "follower.list.count === 300")
          let _: Int = try await browser.value(
            of: "document.querySelector(\".scroller\").scrollTop = 2000")
          try await show("gallery", browser)
          #expect(try await browser.value(of: searched) == "")
          try await browser.wait(until: "follower.list.count > 20")
          try await browser.type("reykjav", into: "#search")
          try await browser.wait(until: "follower.list.count === 1")
          try await show("rows", browser)
          #expect(try await browser.value(of: searched) == "hazel")
          #expect(try await browser.value(of: "follower.list.count") == 300)
          #expect(try await browser.value(of: scrolled) == 2_000)
          #expect(try await browser.faults() == [])
          #expect(try await browser.value(of: "follower.resets") == 1)
          try await show("gallery", browser)
          #expect(try await browser.value(of: searched) == "reykjav")
          try await browser.wait(
            until: "document.querySelectorAll(\".card[data-key]\").length === 1")
        }
      }
    }
  }

  @Test("a board keeps what can be taken back, and a card that was refused with its text")
  func board() async throws {
    let (board, rows) = (try await BoardSource.sample(), RowSource())
    try await rows.fill(20)
    let long = String(repeating: "x", count: 101)
    let refused = "document.querySelector(\"[data-key='new'].refused\")"
    // A card that was refused when it was added is in no count.
    let counts = """
      [[...document.querySelectorAll(".lane .heading .note")]
        .reduce((sum, { textContent }) => sum + Number(textContent), 0) + " cards",
        document.getElementById("count").textContent]
      """
    try await withPage(of: [.board(board), .rows(rows)], showing: "board") { browser in
      try await browser.wait(until: "document.querySelectorAll(\"[data-key]\").length === 5")
      // Before there can be an answer.
      let before: [String] = try await browser.value(
        of: """
          ([{ item: "fence", fields: { isDone: true } },
            { item: "new", model: { id: "new", title: "\(long)", isDone: false },
              place: { section: "Done", after: null } },
          ].map((edit) => view.proposer.edits.add(edit)), \(counts))
          """)
      #expect(before == ["6 cards", "6 cards"])
      try await browser.wait(until: "view.proposer.edits.edits.length === 0 && \(refused)")
      #expect(try await browser.value(of: counts) == ["5 cards", "5 cards"])
      #expect(await board.model(for: "fence")?.isDone == true)

      try await show("rows", browser)
      try await show("board", browser)
      #expect(
        try await browser.value(of: "\(refused).querySelector(\".title\").textContent") == long)
      #expect(
        try await browser.value(of: "\(refused).querySelector(\".note span\").textContent")
          == "Not saved: A title has at most 100 characters, not 101.")
      #expect(try await browser.value(of: counts) == ["5 cards", "5 cards"])
      // Its text can be corrected: U+E010 is the key End, U+E003 deletes backwards, U+E007 is Enter.
      try await browser.type("\u{E007}", into: "[data-key='new']")
      #expect(try await browser.value(of: "document.querySelector(\".field\").value") == long)
      try await browser.type("\u{E010}\u{E003}\u{E007}", into: ".field")
      try await browser.wait(until: "view.proposer.edits.edits.length === 0 && !\(refused)")
      #expect(await board.model(for: "new")?.title.count == 100)
      #expect(try await browser.value(of: counts) == ["6 cards", "6 cards"])

      try await show("rows", browser)
      try await show("board", browser)
      for _ in 0..<2 {
        let _: String? = try await browser.value(of: "document.querySelector(\".undo\").click()")
      }
      try await browser.wait(until: "view.proposer.edits.edits.length === 0")
      #expect(await board.model(for: "new") == nil)
      #expect(await board.model(for: "fence")?.isDone == false)
    }
  }

  @Test("changes of a board are sent while another list is shown, also those of an earlier life")
  func sending() async throws {
    let (board, rows) = (try await BoardSource.sample(), RowSource())
    try await rows.fill(20)
    let titled = { (item: String, title: String) in
      "view.proposer.edits.add({ item: \"\(item)\", fields: { title: \"\(title)\" } })"
    }
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await serving([.board(board), .rows(rows)]) { address in
        try await browser.open(address.showing("board"))
        try await browser.wait(until: "document.querySelectorAll(\"[data-key]\").length === 5")
        // The first one waits for its answer, and the others wait for that, when the board makes way.
        let _: Bool = try await browser.value(
          of: """
            [\(titled("fence", "A")), \(titled("door", "B")), \(titled("lamp", "C"))]
              .every((isNew) => isNew) && (window.board = follower, location.hash = "rows", true)
            """)
        try await browser.wait(until: "follower !== board && follower.list.count === 20")
        // The connection of the board ends when nothing waits.
        try await browser.wait(until: "board.state === \"connecting\"")
        for (item, title) in [("fence", "A"), ("door", "B"), ("lamp", "C")] {
          #expect(await board.model(for: item)?.title == title)
        }

        try await show("board", browser)
        let _: Bool = try await browser.value(of: "(follower.close(), \(titled("fence", "D")))")
        #expect(await board.model(for: "fence")?.title == "A")
        try await browser.open(address.showing("rows"))
        let _: Bool = try await browser.value(of: "(location.reload(), true)")
        try await browser.wait(
          until: "follower.path === \"lists/rows\" && follower.list.count === 20")
        for await batch in board.updates() {
          if batch.model(for: "fence")?.title == "D" { break }
        }
        #expect(await board.model(for: "fence")?.title == "D")
        #expect(try await browser.value(of: "follower.path") == "lists/rows")
      }
    }
  }
}
