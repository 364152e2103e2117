import Diffable
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// A hundred thousand rows in a page, while a writer changes them.
@Suite(
  "A long list", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct LongListTests {
  private let options = "[...document.querySelectorAll(\"[role=option]\")]"

  /// What is wrong with the rows that are elements: they are those of the list at their numbers, without a gap, each where
  /// the one before ends, and they fill what can be seen.
  private static let faults = """
    (() => {
      const all = follower.list.sections.flatMap(({ items }, section) => items.map((id) => ({ id, section })))
      const shown = [...document.querySelectorAll("[role=option]")]
        .filter((row) => row !== document.activeElement && row.tabIndex !== 0)
      const scroller = document.querySelector(".scroller").getBoundingClientRect()
      const places = shown.map((row) => ({
        number: Number(row.ariaPosInSet) - 1, top: row.offsetTop, bottom: row.offsetTop + row.offsetHeight,
        text: row.querySelector(".command").textContent, screen: row.getBoundingClientRect(),
      }))
      const faults = places.flatMap(({ number, top, text }, index) => {
        const before = places[index - 1]
        const isNext = before && number === before.number + 1
        const gap = isNext && all[number].section !== all[before.number].section
          ? 36 * (all[number].section - all[before.number].section) : 0
        return [
          text === follower.list.model(all[number].id).title ? "" : `${number} is no ${text}`,
          !isNext || top === before.bottom + gap ? "" : `${number} is at ${top}, not at ${before.bottom + gap}`,
        ].filter((fault) => fault)
      })
      const last = all.length - 1
      if (places[0].number > 1 && places[0].screen.top > scroller.top) faults.push("the first row is too low")
      if (places.at(-1).number < last - 1 && places.at(-1).screen.bottom < scroller.bottom) faults.push("the last row is too high")
      return faults
    })()
    """

  /// Lets the page draw all that it has.
  private func settle(_ browser: Browser, _ source: RowSource) async throws {
    try await browser.wait(for: source)
    let _: Bool = try await browser.result(
      of: "requestAnimationFrame(() => requestAnimationFrame(() => done(true)))")
    try await browser.wait(
      until: "document.getAnimations().every((animation) => (animation.finish(), true))")
  }

  @Test("has few elements, does little for a change, and what is seen stays where it is")
  func hundredThousand() async throws {
    let source = RowSource()
    try await source.fill(100_000)
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(until: "follower.list.count === 100000 && \(options).length > 10")
      let _: Int = try await browser.value(
        of: "document.querySelector(\".scroller\").scrollTop = 1600000")
      try await browser.wait(until: "\(options).some((row) => row.ariaPosInSet === \"49951\")")
      // Where a row is on the screen, and what was done so far.
      let row = "\(options).find((row) => row.dataset.key === \"49951\")"
      let top: Double = try await browser.value(of: "\(row).getBoundingClientRect().top")
      let work =
        "[\"draws\", \"fills\", \"placements\", \"measurements\"].map((name) => view.work[name])"
      let before: [Int] = try await browser.value(of: work)
      for round in 0..<20 {
        try await source.update { draft in
          draft.snapshot.deleteItems([1 + round])
          try draft.insertItems(
            [NumberedRow(id: 200_000 + 2 * round), NumberedRow(id: 200_001 + 2 * round)],
            afterItem: 30_000)
          try draft.snapshot.moveItem(90_000 + round, beforeItem: 500)
        }
        try await browser.wait(
          until: "follower.list.count === \(100_000 + round + 1) && \(options).length > 10")
      }
      try await browser.wait(
        until: "\(row).ariaPosInSet === \"\(49_951 + 40)\" && \(row).getAnimations().length === 0"
      )
      #expect(try await browser.value(of: "\(row).getBoundingClientRect().top") == top)
      let after: [Int] = try await browser.value(of: work)
      let (draws, fills) = (after[0] - before[0], after[1] - before[1])
      #expect(try await browser.value(of: "\(options).length", as: Int.self) < 60)
      #expect(
        try await browser.value(of: "document.querySelectorAll(\"*\").length", as: Int.self) < 400
      )
      // No row that is seen has changed. The first row can be reached by the tab key, so it is an element: each round
      // deletes it, and the next one is filled. Each draw places those that are seen, and no other one.
      #expect(fills <= 20)
      #expect(draws <= 20 * 8, "\(draws)")
      #expect(after[2] - before[2] <= 60 * draws)
      #expect(after[3] - before[3] <= 60 * draws)
    }
  }

  @Test("shows the rows of the list in what can be seen, whatever changes, grows and is scrolled")
  func random() async throws {
    var random = SplitMix64(seed: 11)
    let source = RowSource()
    try await source.fill(2_500)
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(for: source)
      // Some rows are higher than supposed; none says so before it is seen.
      let _: Bool = try await browser.value(
        of: """
          [[3, 20], [7, 35]].every(([digit, padding]) => document.styleSheets[0].insertRule(
            `.row[data-key$="${digit}"] { padding-block: ${padding}px }`) === 0)
          """)
      for round in 0..<15 {
        let share = Double(random.next() % 1_000) / 1_000
        let _: Double = try await browser.value(
          of: """
            ((scroller) => scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * \(share))(
              document.querySelector(".scroller"))
            """)
        for step in 0..<4 {
          try await source.shuffle(next: 10_000 + 10 * round + step, using: &random)
        }
        try await settle(browser, source)
        #expect(try await browser.value(of: Self.faults, as: [String].self) == [], "round \(round)")
      }
    }
  }

  @Test("keeps the focus on a row that moves and is scrolled away, and keys lead to each end")
  func focus() async throws {
    let source = RowSource()
    try await source.fill(3_000)
    let focused = "document.activeElement.dataset.key"
    let isSeen = """
      ((row, scroller) => row.top >= scroller.top && row.bottom <= scroller.bottom)(
        document.activeElement.getBoundingClientRect(),
        document.querySelector(".scroller").getBoundingClientRect())
      """
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(for: source)
      // U+E015 is the arrow down, U+E010 End, U+E011 Home, U+E00E and U+E00F are the page keys.
      try await browser.type("\u{E015}", into: "#search")
      try await browser.wait(until: "\(focused) === \"1\"")
      try await browser.press("\u{E00F}")
      let page: String = try await browser.value(of: focused)
      #expect((10...25).contains(Int(page) ?? 0))
      #expect(try await browser.value(of: isSeen))
      try await browser.press("\u{E00E}")
      #expect(try await browser.value(of: focused) == "1")
      for (key, row) in [("\u{E010}", "3000"), ("\u{E011}", "1")] {
        try await browser.press(key)
        #expect(try await browser.value(of: focused) == row)
        #expect(try await browser.value(of: isSeen))
      }
      try await source.update { try $0.snapshot.moveItem(1, afterItem: 2_000) }
      try await browser.wait(until: "document.activeElement.ariaPosInSet === \"2000\"")
      #expect(try await browser.value(of: focused) == "1")
      #expect(try await browser.value(of: "document.activeElement.ariaSetSize") == "3000")
      // From there on, not from where it was.
      try await browser.press("\u{E015}")
      #expect(try await browser.value(of: focused) == "2001")
      #expect(try await browser.value(of: isSeen))
      // The last row goes while it has the focus: the one before it has the focus then.
      try await browser.press("\u{E010}")
      try await browser.wait(until: "\(focused) === \"3000\"")
      try await source.update { $0.snapshot.deleteItems([3_000]) }
      try await browser.wait(until: "\(focused) === \"2999\"")
    }
  }
}
