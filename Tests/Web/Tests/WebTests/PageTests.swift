import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// What a browser shows of lists that others change.
@Suite("The page", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
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
