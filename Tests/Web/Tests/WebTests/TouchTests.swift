import Diffable
import Foundation
import Testing

@testable import WebLists

/// The page under fingers, on a phone that is 390 points wide.
@Suite(
  "Fingers", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct TouchTests {
  /// What can be touched and is too small for a finger, or cannot be hit in its middle.
  private static let misses = """
    [...document.querySelectorAll("button, input, [role=tab], [role=option], .grip")]
      // A tick is hit by its label.
      .map((part) => part.closest("label") ?? part)
      .filter((part) => part.checkVisibility())
      .flatMap((part) => {
        const { left, top, right, bottom, width, height } = part.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        const name = `${part.className} ${part.textContent || part.ariaLabel}: ${width} × ${height}`
        if (width < 44 || height < 44) return [name]
        if (part.matches("[role=option]")) return []
        part.scrollIntoView({ block: "nearest" })
        const place = part.getBoundingClientRect()
        const hit = document.elementFromPoint(place.left + width / 2, place.top + height / 2)
        return part.contains(hit) ? [] : [`${name} is hidden`]
      })
    """

  private func withPhone(
    _ lists: [ServedList], showing list: String, _ body: (Browser, URL) async throws -> Void
  ) async throws {
    try await ChromeDriver.withBrowsers { browsers in
      try await serving(lists) { address in
        try await browsers[0].resize(width: 390, height: 844, isPhone: true)
        try await browsers[0].open(address.showing(list))
        try await body(browsers[0], address)
      }
    }
  }

  @Test("hit all that can be touched")
  func targets() async throws {
    let (rows, board, processes) = (RowSource(), try await BoardSource.sample(), ProcessSource())
    try await rows.fill(300)
    try await processes.writing(every: .seconds(60)) {
      try await withPhone([.rows(rows), .board(board), .processes(processes)], showing: "rows") {
        browser, _ in
        for list in ["rows", "processes", "board"] {
          try await browser.tap("#tab-\(list)")
          try await browser.wait(
            until: """
              document.getElementById("tab-\(list)").ariaSelected === "true"
                && document.querySelectorAll("[data-key]").length > 3
              """)
          if list == "board" {
            // The buttons of a card can be seen when it is touched.
            try await browser.tap("[data-key='fence'] .title")
            try await browser.wait(
              until: "document.querySelector(\"[data-key='fence'] .tools\").checkVisibility()")
          }
          #expect(try await browser.value(of: Self.misses, as: [String].self) == [], "\(list)")
          #expect(try await browser.value(of: "document.documentElement.scrollWidth") == 390)
          // The lists are near the thumb.
          #expect(
            try await browser.value(
              of: "document.getElementById(\"tab-board\").getBoundingClientRect().top > 700"))
        }
        // They work: one moves a card, one takes that back, and one ticks it.
        try await browser.tap("[data-key='fence'] [title='Move to the next column']")
        try await browser.wait(until: "view.proposer.edits.edits.length === 0")
        #expect(await board.snapshot.sectionIdentifier(containingItem: "fence") == "Done")
        try await browser.tap(".undo")
        try await browser.tap("[data-key='paint'] .hit")
        try await browser.wait(
          until:
            "view.proposer.edits.edits.length === 0 && view.proposer.edits.model('paint').isDone"
        )
        #expect(await board.snapshot.sectionIdentifier(containingItem: "fence") == "Doing")
      }
    }
  }

  @Test("drag a card by its grip, to a column that is out of sight, and scroll by the rest of it")
  func dragging() async throws {
    let board = try await BoardSource.sample()
    try await board.update(named: "Another page") { draft in
      let cards = (1...8).map { BoardCard(id: "c\($0)", title: "Card \($0)") }
      try draft.insertItems(cards, afterItem: "fence")
    }
    let scrolled = "document.querySelector(\".lanes\").scrollTop"
    let door = "document.querySelector(\"[data-key='door']\").getBoundingClientRect()"
    try await withPhone([.board(board)], showing: "board") { browser, _ in
      try await browser.wait(until: "document.querySelectorAll(\"[data-key]\").length === 13")
      #expect(try await browser.value(of: "\(door).top > innerHeight"))
      // Held at the lower edge, it comes there.
      let grip = try await browser.middle(of: "[data-key='lamp'] .grip")
      try await browser.touch(.start, grip)
      try await browser.touch(.move, [grip[0], grip[1] + 30])
      let edge: [Int] = try await browser.value(
        of: """
          (({ left, bottom }) => [left + 150, bottom - 10].map(Math.round))(
            document.querySelector(".lanes").getBoundingClientRect())
          """)
      try await browser.touch(.move, edge)
      try await browser.wait(until: "\(door).bottom < \(edge[1])")
      // The page itself stays where it is.
      #expect(try await browser.value(of: "document.scrollingElement.scrollTop") == 0)
      try await browser.touch(.move, try await browser.middle(of: "[data-key='door']"))
      try await browser.touch(.end)
      try await browser.wait(until: "view.proposer.edits.edits.length === 0")
      #expect(await board.snapshot.sectionIdentifier(containingItem: "lamp") == "Done")
      #expect(try await browser.value(of: "document.querySelector(\".flying\") === null"))

      // A finger on the title scrolls, and drags nothing.
      let _: Int = try await browser.value(of: "document.querySelector(\".lanes\").scrollTop = 0")
      let action: String = try await browser.value(
        of: "getComputedStyle(document.querySelector(\"[data-key='c5'] .title\")).touchAction")
      #expect(action == "auto")
      let before = await board.text
      let title = try await browser.middle(of: "[data-key='c5'] .title")
      try await browser.touch(.start, title)
      for step in 1...8 { try await browser.touch(.move, [title[0], title[1] - 25 * step]) }
      try await browser.wait(until: "\(scrolled) > 100")
      #expect(try await browser.value(of: "document.querySelector(\".flying\") === null"))
      try await browser.touch(.end)
      #expect(await board.text == before)
    }
  }
}
