import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// What a browser shows of lists that others change.
@Suite("The page", .serialized, .enabled(if: ChromeDriver.isInstalled))
struct PageTests {
  /// A list of rows, and somebody who changes it.
  private struct Rows {
    let source = RowSource()
    var random: SplitMix64
    private var next: Int

    init(_ count: Int, seed: UInt64 = 7) async throws {
      random = SplitMix64(seed: seed)
      next = count
      try await source.fill(count)
    }

    mutating func change(times: Int) async throws {
      for _ in 0..<times {
        next += 1
        try await source.shuffle(next: next, using: &random)
      }
    }
  }

  @Test("shows in two browsers what many changes have led to")
  func twoPages() async throws {
    var rows = try await Rows(2_500)
    try await ChromeDriver.withBrowsers(2) { browsers in
      try await serving([.rows(rows.source)]) { address in
        for browser in browsers { try await browser.open(address.showing("rows")) }
        for _ in 0..<5 {
          try await rows.change(times: 40)
          for browser in browsers {
            try await browser.wait(for: rows.source)
            #expect(try await browser.faults() == [])
          }
        }
        for browser in browsers {
          #expect(try await browser.value(of: "follower.resets") == 1)
        }
      }
    }
  }

  @Test("goes on where it was after its connection was cut")
  func cut() async throws {
    var rows = try await Rows(300)
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(rows.source)]) { address in
        let relay = try await Relay.start(to: address.port ?? 0)
        defer { relay.stop() }
        try await browsers[0].open(address.atPort(relay.port).showing("rows"))
        try await browsers[0].wait(for: rows.source)
        for round in 1...4 {
          relay.cut()
          try await rows.change(times: 10)
          try await browsers[0].wait(for: rows.source)
          try await browsers[0].wait(until: "follower.connections > \(round)")
          #expect(try await browsers[0].faults() == [])
        }
        #expect(try await browsers[0].value(of: "follower.resets") == 1)
      }
    }
  }

  @Test("says so when nothing arrives any longer, and goes on where it was")
  func silence() async throws {
    var rows = try await Rows(300)
    var options = WebServer.Options.forTests()
    options.events.heartbeat = .milliseconds(100)
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await serving([.rows(rows.source)], options) { address in
        let relay = try await Relay.start(to: address.port ?? 0)
        defer { relay.stop() }
        try await browser.open(address.atPort(relay.port).showing("rows"))
        try await browser.wait(for: rows.source)
        // Heartbeats can be seen, and are enough.
        try await browser.wait(until: "follower.heartbeats > 3")
        #expect(try await browser.value(of: "follower.connections") == 1)
        #expect(try await browser.value(of: "(follower.patience = 1000, follower.state)") == "live")
        try await browser.wait(until: "(follower.heartbeats = 0) === 0")
        try await browser.wait(until: "follower.heartbeats > 1")
        relay.fallSilent()
        try await browser.wait(
          until: "document.getElementById(\"state\").textContent.startsWith(\"Connection lost\")")
        try await rows.change(times: 10)
        // It has given up one connection at least, and opens others that are as silent.
        relay.cut()
        try await browser.wait(for: rows.source)
        try await browser.wait(until: "follower.state === \"live\"")
        #expect(try await browser.faults() == [])
        #expect(try await browser.value(of: "follower.resets") == 1)
      }
    }
  }

  @Test("starts from scratch after the server has started again")
  func restart() async throws {
    let (old, new) = (try await Rows(300), try await Rows(280, seed: 8))
    let options = WebServer.Options.forTests()
    try await ChromeDriver.withBrowsers { browsers in
      var relay: Relay?
      defer { relay?.stop() }
      try await serving([.rows(old.source)], options) { address in
        let started = try await Relay.start(to: address.port ?? 0)
        relay = started
        try await browsers[0].open(address.atPort(started.port).showing("rows"))
        try await browsers[0].wait(for: old.source)
      }
      // The lists have the same number of changes behind them, so that only the epoch tells them apart.
      var changed = new
      try await changed.change(times: 3)
      try await browsers[0].wait(until: "follower.state !== \"live\"")
      try await serving([.rows(changed.source)], options) { address in
        relay?.cut(then: address.port)
        try await browsers[0].wait(for: changed.source)
        #expect(try await browsers[0].faults() == [])
        #expect(try await browsers[0].value(of: "follower.resets") == 2)
      }
    }
  }

  @Test("asks for everything after a delta that does not fit")
  func misfit() async throws {
    var rows = try await Rows(300)
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(rows.source)]) { address in
        try await browsers[0].open(address.showing("rows"))
        try await browsers[0].wait(for: rows.source)
        let _: String = try await browsers[0].value(of: "follower.list.token = \"another\"")
        try await rows.change(times: 1)
        try await browsers[0].wait(for: rows.source)
        #expect(try await browsers[0].faults() == [])
        #expect(try await browsers[0].value(of: "follower.resets") == 2)
      }
    }
  }

  @Test("says so when it may not read any longer, and tries no further")
  func refusal() async throws {
    let rows = try await Rows(300)
    try await ChromeDriver.withBrowsers { browsers in
      var relay: Relay?
      defer { relay?.stop() }
      try await serving([.rows(rows.source)]) { address in
        let started = try await Relay.start(to: address.port ?? 0)
        relay = started
        try await browsers[0].open(address.atPort(started.port).showing("rows"))
        try await browsers[0].wait(for: rows.source)
      }
      // Another server has other secrets.
      try await serving([.rows(rows.source)]) { address in
        relay?.cut(then: address.port)
        try await browsers[0].wait(until: "follower.state === \"refused\"")
        try await browsers[0].wait(
          until: "document.getElementById(\"state\").textContent.startsWith(\"Not allowed\")")
      }
    }
  }

  @Test("scrolls through ten thousand rows, of which few are elements")
  func scrolling() async throws {
    let rows = try await Rows(10_000)
    let last = NumberedRow(id: 10_000).title
    let shown = "[...document.querySelectorAll(\"[role=option]\")]"
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(rows.source)]) { address in
        let browser = browsers[0]
        try await browser.open(address.showing("rows"))
        try await browser.wait(until: "follower.list.count === 10000 && \(shown).length > 10")
        let _: Int = try await browser.value(
          of: "document.querySelector(\".scroller\").scrollTop = 1e9")
        try await browser.wait(
          until: "\(shown).at(-1).querySelector(\".command\").textContent === \"\(last)\"")
        #expect(try await browser.value(of: "\(shown).at(-1).ariaPosInSet") == "10000")
        #expect(try await browser.value(of: "\(shown).length", as: Int.self) < 60)
        #expect(try await browser.faults() == [])
        // The last row can be seen, and the first heading above it is that of its section.
        let bottom: Bool = try await browser.value(
          of: """
            \(shown).at(-1).getBoundingClientRect().bottom <=
              document.querySelector(".scroller").getBoundingClientRect().bottom + 1
            """)
        #expect(bottom)
        #expect(
          try await browser.value(of: "document.querySelector(\".heading\").firstChild.textContent")
            == "Rows 9,001 to 10,000")
      }
    }
  }

  @Test("can be used by the keyboard")
  func keyboard() async throws {
    let rows = try await Rows(1_000)
    let focused = "document.activeElement.ariaPosInSet"
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(rows.source)]) { address in
        let browser = browsers[0]
        try await browser.open(address.showing("rows"))
        try await browser.wait(for: rows.source)
        // Down from the search, one further, and to the end: U+E015 is the arrow, U+E010 the key End.
        try await browser.type("\u{E015}", into: "#search")
        try await browser.wait(until: "\(focused) === \"1\"")
        try await browser.type("\u{E015}\u{E015}", into: "[role=option][tabindex='0']")
        try await browser.wait(until: "\(focused) === \"3\"")
        try await browser.type("\u{E010}", into: "[role=option][tabindex='0']")
        try await browser.wait(until: "\(focused) === \"1000\"")
        // The row that has the focus goes: the one before it has the focus then.
        try await rows.source.update { $0.snapshot.deleteItems([1_000]) }
        try await browser.wait(until: "\(focused) === \"999\"")
        #expect(try await browser.faults() == [])
      }
    }
  }

  @Test("shows what a search finds, without starting from scratch")
  func search() async throws {
    var rows = try await Rows(3_000)
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(rows.source)]) { address in
        let browser = browsers[0]
        try await browser.open(address.showing("rows"))
        try await browser.wait(for: rows.source)
        try await browser.type("hazel 12", into: "#search")
        let found = rows.source.derived { query in
          query.filter { $0.title.contains("Hazel") && $0.title.contains("12") }
        }
        let count = await found.snapshot.numberOfItems
        #expect(count > 0)
        try await browser.wait(until: "follower.list.count === \(count)")
        #expect(try await browser.faults() == [])
        // Others go on writing.
        try await rows.change(times: 30)
        // U+E003 is the key that deletes backwards.
        try await browser.type(String(repeating: "\u{E003}", count: 8), into: "#search")
        try await browser.wait(for: rows.source)
        #expect(try await browser.faults() == [])
        #expect(try await browser.value(of: "follower.resets") == 1)
      }
    }
  }

  @Test("shows the gallery and the processes of this machine")
  func machine() async throws {
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      let (processes, gallery) = (ProcessSource(), GallerySource())
      try await processes.writing(every: .milliseconds(500)) {
        try await gallery.writing(every: .milliseconds(100)) {
          try await serving([.processes(processes), .gallery(gallery)]) { address in
            try await browser.open(address.showing("processes"))
            let number = ProcessInfo.processInfo.processIdentifier
            try await browser.wait(
              until: "follower.list.sections.some(({ items }) => items.some((item) => "
                + "follower.list.model(item).number === \(number)))")
            let _: Bool = try await browser.value(of: "!(location.hash = \"gallery\")")
            try await browser.wait(
              until: "document.querySelectorAll(\".card[data-key]\").length === follower.list.count"
                + " && follower.list.count > 20")
          }
        }
      }
    }
  }
}
