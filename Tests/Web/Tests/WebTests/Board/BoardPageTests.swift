import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// What browsers show of a board, and how they change it.
@Suite(
  "The board", .serialized, .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(10)))
struct BoardPageTests {
  /// Serves a board to pages whose connections can be cut.
  private func withPages(
    _ count: Int = 1,
    _ body: (_ source: BoardSource, _ pages: [Browser], _ network: Network) async throws -> Void
  ) async throws {
    let source = try await BoardSource.sample()
    try await ChromeDriver.withBrowsers(count) { browsers in
      try await serving([.board(source)]) { address in
        let relay = try await Relay.start(to: address.port ?? 0)
        defer { relay.stop() }
        let network = Network(relay: relay, address: address)
        for browser in browsers {
          try await browser.open(network.page)
          try await browser.wait(for: source)
        }
        try await body(source, browsers, network)
      }
    }
  }

  private struct Network {
    let relay: Relay
    let address: URL

    /// The page, as it can be reached through the network.
    var page: URL {
      URL(string: address.atPort(relay.port).absoluteString + "#board") ?? address
    }

    /// Nothing can be reached: nobody listens at this port.
    func goDown() { relay.cut(then: 1) }

    func comeBack() { relay.cut(then: address.port) }
  }

  /// Keys, as WebDriver names them.
  private enum Key {
    static let (enter, escape, delete) = ("\u{E007}", "\u{E00C}", "\u{E017}")
    static let (left, up, right, down) = ("\u{E012}", "\u{E013}", "\u{E014}", "\u{E015}")
    static let (alt, control) = ("\u{E00A}", "\u{E009}")
  }

  @Test("can be changed by the keyboard alone, and says what it does")
  func keyboard() async throws {
    try await withPages { source, pages, _ in
      let page = pages[0]
      func says(_ text: String) async throws {
        try await page.wait(
          until: "document.querySelector(\".spoken\").textContent.trim() === \"\(text)\"")
        try await page.wait(for: source)
      }
      let focused = "document.activeElement.dataset.key"
      try await page.type(Key.down, into: "[data-key='paint']")
      #expect(try await page.value(of: focused) == "gutter")
      try await page.press(" ")
      try await says("Clean the gutter: done.")
      try await page.press(Key.alt + Key.up)
      try await says("Clean the gutter: moved, 1 of 3 in To do.")
      try await page.press(Key.alt + Key.right)
      try await says("Clean the gutter: moved, 1 of 2 in Doing.")
      // The focus goes with the card.
      #expect(try await page.value(of: focused) == "gutter")
      try await page.press(Key.enter)
      try await page.type("Clean all gutters" + Key.enter, into: ".field")
      try await says("Clean the gutter: renamed to Clean all gutters.")
      #expect(try await page.value(of: focused) == "gutter")
      try await page.press(Key.delete)
      try await says("Clean all gutters: deleted.")
      #expect(try await page.value(of: focused) == "fence")
      try await page.press(Key.control + "z")
      try await says("Clean all gutters: taken back.")
      try await page.type("Oil the gate" + Key.enter, into: "[aria-label='Add a card to Done']")
      try await says("Oil the gate: added, 2 of 2 in Done.")
      #expect(
        await source.text
          == "To do:Choose a paint for the door,Buy a lamp for the stairs;"
          + "Doing:Clean all gutters*,Mend the fence;Done:Sand the door*,Oil the gate")
    }
  }

  @Test("lets the mouse drag cards between columns, and a click tick them")
  func mouse() async throws {
    try await withPages { source, pages, _ in
      try await pages[0].drag(from: "[data-key='lamp'] .title", to: "[data-key='door']")
      try await pages[0].wait(for: source)
      #expect(await source.snapshot.sectionIdentifier(containingItem: "lamp") == "Done")
      let _: String? = try await pages[0].value(
        of: "document.querySelector(\"[data-key='lamp'] .tick\").click()")
      try await pages[0].wait(until: "view.proposer.edits.edits.length === 0")
      #expect(await source.model(for: "lamp")?.isDone == true)
    }
  }

  @Test("shows a refusal at the card, with its reason, and nothing else is lost")
  func refusal() async throws {
    try await withPages { source, pages, network in
      let page = pages[0]
      network.goDown()
      try await page.wait(until: "!document.querySelector(\".banner\").hidden")
      let long = String(repeating: "x", count: 101)
      let _: [Bool] = try await page.value(
        of: """
          [{ item: "lamp", fields: { title: "\(long)" } }, { item: "fence", fields: { isDone: true } },
            { item: "n", model: { id: "n", title: "\(long)", isDone: false }, place: { section: "Done", after: null } },
            { item: "n", fields: { isDone: true } },
            { item: "m", model: { id: "m", title: "Oil the gate", isDone: false }, place: { section: "Done", after: "n" } },
          ].map((edit) => view.proposer.edits.add(edit))
          """)
      #expect(try await page.value(of: "document.querySelectorAll(\".pending\").length") == 4)
      network.comeBack()
      try await page.wait(for: source)
      let reason = "Not saved: A title has at most 100 characters, not 101."
      for item in ["lamp", "n"] {
        let card = "document.querySelector(\"[data-key='\(item)'].refused\")"
        let shown = "\(card).querySelector(\".note span\").textContent"
        #expect(try await page.value(of: shown) == reason)
        #expect(try await page.value(of: "\(card).ariaLabel.endsWith(\"\(reason)\")"))
      }
      try await page.type(Key.escape, into: "[data-key='n']")
      try await page.wait(until: "!document.querySelector(\"[data-key='n']\")")
      #expect(await source.model(for: "fence")?.isDone == true)
      // What came after it is at the end now.
      #expect(await source.snapshot.items(inSection: "Done").elementsEqual(["door", "m"]))
      #expect(await source.model(for: "lamp")?.title == "Buy a lamp for the stairs")
    }
  }

  @Test("takes cards and keeps them also in a page that came without encryption")
  func plain() async throws {
    let source = try await BoardSource.sample()
    var options = WebServer.Options.forTests()
    options.names = [Browser.plainHost]
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([.board(source)], options) { address in
        let page = browsers[0]
        try await page.open(address.showing("board"))
        try await page.wait(for: source)
        #expect(try await page.value(of: "isSecureContext || 'locks' in navigator") == false)
        for title in ["Oil the gate", "Mow the lawn"] {
          try await page.type(title + Key.enter, into: "[aria-label='Add a card to Doing']")
        }
        try await page.wait(until: "view.count === 7")
        #expect(try await page.value(of: "view.proposer.isKept"))
        try await page.wait(for: source)
        #expect(await source.text.contains("Oil the gate"))
      }
    }
  }

  @Test("keeps changes while it is offline, also when it is loaded again, and takes them back")
  func offline() async throws {
    try await withPages { source, pages, network in
      let page = pages[0]
      network.goDown()
      try await page.wait(until: "!document.querySelector(\".banner\").hidden")
      try await page.type(" ", into: "[data-key='paint']")
      try await page.press(Key.alt + Key.right)
      try await page.press(Key.delete)
      try await page.press(Key.control + "z")
      let banner = "document.querySelector(\".banner\").textContent"
      #expect(try await page.value(of: banner) == "Offline. 2 changes wait here, and will be sent.")
      #expect(
        try await page.value(of: "document.querySelector(\"[data-key='paint']\").ariaLabel")
          == "Choose a paint for the door, done, not saved yet")
      // Meanwhile others go on.
      try await source.update(named: "Another page") { draft in
        try draft.insertItems([BoardCard(id: "gate", title: "Oil the gate")], beforeItem: "fence")
      }
      // The page is gone; nothing can be loaded.
      try? await page.open(network.page)
      network.comeBack()
      try await page.open(network.page)
      try await page.wait(for: source)
      #expect(await source.model(for: "paint")?.isDone == true)
      #expect(await source.snapshot.sectionIdentifier(containingItem: "paint") == "Doing")
      #expect(await source.snapshot.numberOfItems == 6)
      try await page.wait(until: "document.querySelector(\".banner\").hidden")
    }
  }

  /// Makes random edits, and remembers what must be there at the end: the titles of this page's own cards.
  private static let edit = """
    const [name, seed, count] = arguments
    const { edits } = view.proposer
    const ledger = JSON.parse(sessionStorage.ledger ?? "{}")
    let state = seed
    const random = (end) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor(state / 2 ** 32 * end)
    }
    for (let index = 0; index < count; index += 1) {
      const all = edits.sections.flatMap(({ items }) => items)
      const own = Object.keys(ledger).filter((id) => edits.model(id))
      const { id: section, items } = edits.sections[random(3)]
      const place = { section, after: [null, ...items][random(items.length + 1)] }
      const [any, mine] = [all[random(all.length)], own[random(own.length)]]
      const title = `${name} ${seed}-${index}`
      const act = random(8)
      if (act < 2 || !mine) {
        const item = `${name}-${seed}-${index}`
        edits.add({ item, model: { id: item, title, isDone: false }, place })
        ledger[item] = title
      } else if (act < 4) edits.add({ item: any, fields: { isDone: !edits.model(any).isDone } })
      else if (act === 4) edits.add({ item: any, place })
      else if (act === 5) {
        if (edits.add({ item: mine, fields: { title } })) ledger[mine] = title
      } else if (act === 6) edits.add({ item: mine, fields: { title: " ".repeat(random(4)) } })
      else if (edits.add({ item: mine, deletes: true })) delete ledger[mine]
      sessionStorage.ledger = JSON.stringify(ledger)
      await new Promise(requestAnimationFrame)
    }
    done(true)
    """

  @Test(
    "loses nothing but what is refused, while two pages and a terminal write and connections are cut"
  )
  func randomEdits() async throws {
    try await withPages(2) { source, pages, network in
      let terminal = try await BoardTerminal(network.page)
      defer { terminal.stop() }
      await terminal.wait(for: source)
      for round in 1...6 {
        if round % 3 == 0 { network.goDown() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          for (index, page) in pages.enumerated() {
            tasks.addTask {
              let _: Bool = try await page.result(
                of: "(async () => {\(Self.edit)})(...arguments)", ["p\(index)", round, 25])
            }
          }
          if round % 3 == 1 { network.relay.cut() }
          try await terminal.edit(seed: UInt64(round), times: 25)
          try await tasks.waitForAll()
        }
        // One page is loaded again while nothing can be reached, and once more when it can.
        if round == 3 { try? await pages[0].open(network.page) }
        network.comeBack()
        if round == 3 { try await pages[0].open(network.page) }
        for page in pages { try await page.wait(until: "follower.list.token") }
      }
      for page in pages {
        try await page.wait(until: "view.proposer.edits.edits.length === 0")
      }
      try await terminal.settle()
      for page in pages { try await page.wait(for: source) }
      await terminal.wait(for: source)
      var expected = try await BoardSource.sample().snapshot.itemIdentifiers.map { $0 }
      for page in pages {
        let ledger: [String: String] = try await page.value(of: "JSON.parse(sessionStorage.ledger)")
        expected += ledger.keys
        for (item, title) in ledger { #expect(await source.model(for: item)?.title == title) }
      }
      let ledger = await terminal.ledger
      expected += ledger.keys
      for (item, title) in ledger {
        #expect(await source.model(for: item)?.title == title)
      }
      #expect(await Set(source.snapshot.itemIdentifiers) == Set(expected))
    }
  }
}

extension BoardSource {
  /// The board as a page can tell it.
  var text: String {
    snapshot.sectionIdentifiers.map { section in
      let cards = snapshot.items(inSection: section).compactMap { model(for: $0) }
      return section + ":" + cards.map { $0.title + ($0.isDone ? "*" : "") }.joined(separator: ",")
    }.joined(separator: ";")
  }
}

extension Browser {
  /// The cards that the page shows, as a text.
  private static let board = """
    [...document.querySelectorAll(".lane")].map((lane) => lane.querySelector(".title").textContent + ":"
      + [...lane.querySelectorAll("[data-key]")]
        // A card that was refused when it was added is shown, and not in the list.
        .filter((card) => !card.matches(".refused") || view.proposer.edits.model(card.dataset.key))
        .map((card) => card.querySelector(".title").textContent
          + (card.querySelector(".tick").checked ? "*" : "")).join()).join(";")
    """

  /// Waits until nothing waits in the page.
  private func waitUntilSaved() async throws {
    try await wait(until: "view.proposer.edits.edits.length === 0 && follower.list.token")
  }

  /// Waits until nothing waits in the page, and it shows the cards of a text: see `BoardSource.text`.
  func wait(forBoard text: String) async throws {
    try await waitUntilSaved()
    try await wait(until: "\(Self.board) === \"\(text)\"")
  }

  /// Waits until nothing waits in the page, and it shows the cards of a source.
  fileprivate func wait(for source: BoardSource) async throws {
    // What waits is part of the source when it is saved.
    try await waitUntilSaved()
    try await wait(forBoard: await source.text)
  }
}
