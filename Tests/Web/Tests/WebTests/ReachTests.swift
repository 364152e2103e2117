import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// The page for those who hear it, hold it in the hand, or may not see it yet.
@Suite("The page", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct ReachTests {
  private let source = RowSource()

  private func text(of selector: String, _ browser: Browser) async throws -> String {
    try await browser.value(of: "document.querySelector(\"\(selector)\").textContent")
  }

  private func isSeen(_ selector: String, _ browser: Browser) async throws -> Bool {
    try await browser.value(
      of: "document.querySelector(\"\(selector)\")?.checkVisibility() ?? false")
  }

  private func style(_ name: String, of selector: String, _ browser: Browser) async throws -> String
  {
    try await browser.value(of: "getComputedStyle(document.querySelector(\"\(selector)\")).\(name)")
  }

  /// Types into the search, in place of what is there.
  private func search(for text: String, in browser: Browser) async throws {
    let _: Bool = try await browser.value(
      of: "((field) => { field.value = \"\"; return true })(document.getElementById(\"search\"))")
    // U+E003 deletes backwards: the field changes although it was empty.
    try await browser.type(text.isEmpty ? " \u{E003}" : text, into: "#search")
  }

  private func says(_ text: String, _ browser: Browser) async throws {
    try await browser.wait(until: "document.getElementById(\"found\").textContent === \"\(text)\"")
  }

  @Test("says how much a search has found, and nothing of what others change")
  func found() async throws {
    try await source.fill(3_000)
    let isEmptyShown = "!document.querySelector(\".empty\").hidden"
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(for: source)
      #expect(try await style("display", of: "#found", browser) != "none")
      #expect(
        try await browser.value(of: "document.getElementById(\"found\").getAttribute(\"role\")")
          == "status")
      try await search(for: "hazel 2995", in: browser)
      try await says("1 row found", browser)
      #expect(try await text(of: "#count", browser) == "1 row")
      try await source.update { try $0.update(2_995) { $0.title = "Elm" } }
      try await browser.wait(until: isEmptyShown)
      #expect(try await text(of: ".empty", browser) == "Nothing found")
      try await source.update { try $0.update(2_995) { $0.title = "Hazel 2995" } }
      try await browser.wait(until: "!(\(isEmptyShown))")
      #expect(try await text(of: "#found", browser) == "1 row found")
      try await search(for: "nothing of the kind", in: browser)
      try await says("Nothing found", browser)
      #expect(try await browser.value(of: isEmptyShown))
      try await search(for: "", in: browser)
      try await says("3,000 rows", browser)
    }
  }

  @Test("says what a search has found when a slow server has sent it")
  func foundLate() async throws {
    try await source.fill(3_000)
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      try await browser.wait(for: source)
      let _: Bool = try await browser.value(
        of: """
          ((add, field) => {
            EventSource.prototype.addEventListener = function (name, act) {
              const late = (event) => setTimeout(() => act(event), 1_500)
              add.call(this, name, name === "delta" ? late : act)
            }
            field.value = "hazel 2995"
            return field.dispatchEvent(new Event("input"))
          })(EventSource.prototype.addEventListener, document.getElementById("search"))
          """)
      try await says("1 row found", browser)
    }
  }

  @Test("says so in the gallery as well")
  func gallery() async throws {
    let gallery = GallerySource()
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await gallery.writing(every: .seconds(60)) {
        try await serving([.gallery(gallery)]) { address in
          try await browser.open(address.showing("gallery"))
          try await browser.wait(until: "follower.list.count > 20")
          try await search(for: "nothing of the kind", in: browser)
          try await says("Nothing found", browser)
          #expect(try await text(of: ".empty", browser) == "Nothing found")
          #expect(try await isSeen(".empty", browser))
          // Without the headings of sections that have nothing.
          #expect(try await !isSeen("h2", browser))
          try await search(for: "reykjav", in: browser)
          try await says("1 exhibit found", browser)
          #expect(try await !isSeen(".empty", browser))
        }
      }
    }
  }

  @Test("counts in words")
  func plurals() async throws {
    try await source.fill(2)
    try await withPage(of: [.rows(source)], showing: "rows") { browser in
      let expected = [
        (1, "changed 1 time"), (2, "changed 2 times"), (1_000, "changed 1,000 times"),
      ]
      for (count, words) in expected {
        try await source.update { try $0.update(1) { $0.count = count } }
        try await browser.wait(
          until: "document.querySelector(\"[role=option] .note\").textContent === \"\(words)\"")
        #expect(
          try await browser.value(of: "document.querySelector(\"[role=option]\").ariaLabel")
            == "\(NumberedRow(id: 1).title), \(words)")
      }
    }
  }

  @Test("can be read on a phone, long commands too, and does not grow when somebody types")
  func phone() async throws {
    let processes = ProcessSource()
    let longest = """
      [...document.querySelectorAll("[role=option]")].slice(0, 4)
        .sort((a, b) => b.textContent.length - a.textContent.length)[0]
      """
    try await ChromeDriver.withBrowsers { browsers in
      let browser = browsers[0]
      try await processes.writing(every: .seconds(60)) {
        try await serving([.processes(processes)]) { address in
          try await browser.resize(width: 390, height: 844, isPhone: true)
          try await browser.open(address.showing("processes"))
          try await browser.wait(until: "document.querySelectorAll('[role=option]').length > 3")
          #expect(try await browser.value(of: "document.documentElement.scrollWidth") == 390)
          #expect(try await style("fontSize", of: "#search", browser) == "16px")
          // Two lines of its own, as wide as the page.
          #expect(try await browser.value(of: "(\(longest)).offsetHeight") == 72)
          let width: Int = try await browser.value(
            of: "(\(longest)).querySelector(\".command\").offsetWidth")
          #expect(width > 300)
          let _: Bool = try await browser.value(of: "((row) => (row.click(), true))(\(longest))")
          try await browser.wait(until: "document.querySelector(\".detail\").checkVisibility()")
          #expect(
            try await browser.value(
              of: """
                document.querySelector(".detail").textContent
                  === document.activeElement.querySelector(".command").textContent
                """))
          // It is as wide as the page, breaks where it must, and can be scrolled to its end.
          #expect(
            try await browser.value(
              of: """
                (({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(
                  document.querySelector(".detail"))
                """))
          #expect(try await style("overflowY", of: ".detail", browser) == "auto")
          // Held the other way, it is as wide as a window, and is still touched by fingers.
          try await browser.resize(width: 844, height: 390, isPhone: true)
          try await browser.wait(
            until: "document.querySelector('[role=option]').offsetHeight === 44")
          #expect(try await style("fontSize", of: "#search", browser) == "16px")
          try await browser.resize(width: 1_000, height: 700)
          try await browser.wait(
            until: "getComputedStyle(document.querySelector('#search')).fontSize === '14px'")
        }
      }
    }
  }

  @Test("says on a page what to do, where somebody opens it without a ticket")
  func refusal() async throws {
    try await source.fill(20)
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(source)]) { address in
        try await browsers[0].open(address.plain("/"))
        #expect(try await browsers[0].value(of: "document.title") == "You need a ticket")
        let words = "Open the address that the server has printed."
        #expect(try await browsers[0].value(of: "document.body.innerText.includes(\"\(words)\")"))
        // The browser takes the style of the page.
        #expect(try await style("fontSize", of: "h1", browsers[0]) == "22.4px")
        try await browsers[0].open(address.showing("rows"))
        try await browsers[0].wait(for: source)
      }
    }
  }

  @Test("takes turns where more tabs are open than a browser has connections")
  func tabs() async throws {
    try await source.fill(20)
    var options = WebServer.Options.forTests()
    options.events.lifetime = .seconds(1)
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.rows(source)], options) { address in
        for tab in 1...8 {
          if tab > 1 { try await browsers[0].openTab() }
          try await browsers[0].open(address.showing("rows"))
          try await browsers[0].wait(for: source)
        }
      }
    }
  }

  @Test("waits for a place where all are taken, and says so")
  func full() async throws {
    try await source.fill(20)
    var options = WebServer.Options.forTests()
    options.views = 1
    try await ChromeDriver.withBrowsers(2) { browsers in
      try await serving([.rows(source)], options) { address in
        try await browsers[0].open(address.showing("rows"))
        try await browsers[0].wait(for: source)
        try await browsers[1].open(address.showing("rows"))
        try await browsers[1].wait(
          until: "document.getElementById(\"state\").textContent.startsWith(\"The server is full\")"
        )
        #expect(try await browsers[1].value(of: "follower.state") == "full")
        let _: Bool = try await browsers[0].value(of: "!follower.close()")
        try await browsers[1].wait(until: "follower.state === \"live\"")
        try await browsers[1].wait(for: source)
      }
    }
  }
}
