import Diffable
import DiffablePages
import DiffableQueries
import DiffableTesting
import DiffableViews
import Synchronization
import TestScope
import Testing

/// A list that drives a loader, and stays where it was scrolled to.
@Suite(.deadline)
@MainActor
struct PageListTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
  }

  /// Rows by their number; the first page begins in the middle.
  actor Server {
    private(set) var requests = 0
    private let count: Int
    private var mark = ""

    init(_ count: Int) { self.count = count }

    func change() { mark = "!" }

    func page(_ request: PageRequest<Int>) -> Page<Row, Int> {
      requests += 1
      let size = request.size
      let range =
        switch request.place {
        case .first: count / 2..<count / 2 + size
        case .before(let end): max(0, end - size)..<end
        case .after(let start): start..<min(count, start + size)
        }
      return Page(
        range.map { Row(id: $0, text: "\($0)\(mark)") },
        previous: range.lowerBound > 0 ? range.lowerBound : nil,
        next: range.upperBound < count ? range.upperBound : nil)
    }
  }

  private let host = Host(profile: .collectionView, visibleRowCount: 5)
  private let source = ModelSource<Int, Row>()
  private let server = Server(100)

  /// Waits until the list shows what is live and nothing is loaded any longer.
  private func settle(
    _ controller: Controller, _ loader: PageLoader<Int, Row, Int>, until isDone: () -> Bool
  ) async throws {
    while true {
      await controller.displayed(source.revision)
      if isDone(), !loader.states.isLoading { return }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Waits until nothing has been loaded for some turns, and checks something in each of them.
  private func settle(
    _ controller: Controller, _ source: ModelSource<Int, Row>, _ loader: PageLoader<Int, Row, Int>,
    check: @MainActor () async throws -> Void
  ) async throws {
    var calm = 0
    while calm < 20 {
      try Task.checkCancellation()
      await controller.displayed(source.revision)
      await Task.yield()
      calm = loader.states.isLoading ? 0 : calm + 1
      try await check()
    }
  }

  private func controller(
    _ host: Host, _ source: ModelSource<Int, Row>, _ loader: PageLoader<Int, Row, Int>,
    saysWhatItShows: Bool = true
  ) -> Controller {
    let rows = CellRegistration<SimulatedView, Row> { cell, _, row in cell.text = row.text }
    return ListController(host: host, following: source) { cells, path, row in
      if saysWhatItShows { loader.willShow([row.id]) }
      return try cells.dequeueConfiguredReusableCell(using: rows, for: path, item: row)
    }
  }

  @Test func `Pages before what is on the screen do not move it, nor does a refresh`()
    async throws
  {
    let loader = PageLoader<Int, Row, Int>(
      source, section: 0, options: PageOptions(pageSize: 10, prefetchDistance: 3)
    ) { [server] in await server.page($0) }
    let controller = controller(host, source, loader, saysWhatItShows: false)
    await loader.refresh()
    try await settle(controller, loader) { controller.snapshot.numberOfItems == 10 }
    host.scroll(toRow: 3)
    loader.willShow(controller.visibleItems)
    try await settle(controller, loader) { controller.snapshot.numberOfItems == 30 }
    #expect(host.firstVisibleRow == 13)
    let shown = controller.visibleItems
    #expect(shown == Array(53..<58))
    try await source.update { draft in
      try draft.insertItems([Row(id: 1000, text: "mine")], beforeItem: shown[0])
      draft.setModel(Row(id: shown[1], text: "mine"))
      draft.deleteItems([shown[4]])
    }
    await server.change()
    await loader.refresh()
    try await settle(controller, loader) { true }
    #expect(controller.visibleItems.prefix(4) == shown.prefix(4))
    #expect(host.texts[0] == "\(shown[0])!")
    #expect(host.texts[1] == "mine")
    #expect(controller.snapshot.containsItem(1000))
    #expect(!controller.snapshot.containsItem(shown[4]))
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test func `A list of any length keeps no more than a maximum`() async throws {
    let loader = PageLoader<Int, Row, Int>(
      source, section: 0,
      options: PageOptions(pageSize: 10, prefetchDistance: 6, maximumCount: 30)
    ) { [server] in await server.page($0) }
    let controller = controller(host, source, loader)
    await loader.refresh()
    try await settle(controller, loader) { controller.snapshot.numberOfItems >= 20 }
    for target in [99, 0, 99] {
      while controller.visibleItems.last != target, controller.visibleItems.first != target {
        let rows = controller.snapshot.numberOfItems
        host.scroll(
          toRow: target == 0 ? max(0, host.firstVisibleRow - 3) : host.firstVisibleRow + 3)
        loader.willShow(controller.visibleItems)
        try await settle(controller, loader) { true }
        #expect(rows <= 50)
      }
      let items = controller.snapshot.items(inSection: 0)
      #expect(Array(items) == Array(items[0]...(items.last ?? 0)), "without gaps")
    }
    #expect(host.violations.isEmpty, "\(host.violations)")
  }

  @Test(
    "An untouched list asks for no more than what is near to what it shows",
    arguments: [1, 3, 10], [0, 3, 20])
  func untouched(size: Int, distance: Int) async throws {
    var number = size + distance
    for height in [1, 5, 30] {
      for origin in [PagePlace<Int>.first, .after(500)] {
        for hasStatus in [false, true] {
          number += 1
          guard isInScope(number, usual: 5) else { continue }
          let source = ModelSource<Int, Row>()
          let host = Host(profile: .collectionView, visibleRowCount: height)
          let server = Server(1_000)
          let status = PageLoaderRows<Int, Row>(before: 1, after: 2) { load, state in
            state.isLoading
              ? Row(id: load == .end ? -2 : load == .start ? -1 : -3, text: "…") : nil
          }
          let loader = PageLoader<Int, Row, Int>(
            source, section: 0,
            options: PageOptions(pageSize: size, prefetchDistance: distance), origin: origin,
            rows: hasStatus ? status : PageLoaderRows()
          ) { await server.page($0) }
          let controller = controller(host, source, loader)
          await loader.refresh()
          try await settle(controller, source, loader) {
            // Pages may come before the list shows its first row.
            let wanted = 2 * (2 * distance + height + 2 * size)
            let count = await server.requests
            try #require(
              count <= wanted / size + 4, "\(height) rows, \(origin), status rows: \(hasStatus)")
          }
          #expect(host.violations.isEmpty, "\(host.violations)")
        }
      }
    }
  }

  @Test(
    "A user's row at the very top, whose page is away, does not load the list to its beginning",
    arguments: [false, true], [1, 8])
  func displaced(saysAllItShows: Bool, count: Int) async throws {
    for height in [3, 12] {
      for distance in [0, 3] where isInScope(height + distance + count, usual: 4) {
        let source = ModelSource<Int, Row>()
        let host = Host(profile: .collectionView, visibleRowCount: height)
        let server = Server(1_000)
        let loader = PageLoader<Int, Row, Int>(
          source, section: 0,
          options: PageOptions(pageSize: 10, prefetchDistance: distance, maximumCount: 60)
        ) { await server.page($0) }
        let controller = controller(host, source, loader, saysWhatItShows: !saysAllItShows)
        if saysAllItShows {
          controller.displayHandler = { [weak controller] _ in
            loader.willShow(controller?.visibleItems ?? [])
          }
        }
        func settle() async throws {
          if saysAllItShows { loader.willShow(controller.visibleItems) }
          let start = await server.requests
          try await self.settle(controller, source, loader) {
            let asked = await server.requests - start
            try #require(asked < 8 + height / 10, "\(height) rows, distance \(distance)")
          }
        }
        await loader.refresh()
        try await settle()
        let own = (0..<count).map { Row(id: 2000 + $0, text: "mine") }
        try await source.update { try $0.insertItems(own, afterItem: 503) }
        try await settle()
        while !controller.snapshot.containsItem(650) {
          host.scroll(toRow: .max)
          try await settle()
        }
        #expect(controller.snapshot.itemPath(for: 2000)?.item == 0)
        host.scroll(toRow: 0)
        try await settle()
        // It comes home when the user scrolls there.
        var scrolls = 0
        while !controller.snapshot.containsItem(503), scrolls < 300 {
          host.scroll(toRow: host.firstVisibleRow == 0 ? 1 : 0)
          scrolls += 1
          try await settle()
        }
        let items = Array(controller.snapshot.items(inSection: 0))
        let place = try #require(items.firstIndex(of: 503))
        #expect(Array(items[(place + 1)...].prefix(count)) == own.map(\.id))
        #expect(host.violations.isEmpty, "\(host.violations)")
      }
    }
  }
}

/// Lists that are derived from what a loader loads.
@Suite("Pages behind a filter", .deadline)
@MainActor
struct FilteredPagesTests {
  private struct Note: Identifiable, Equatable, Sendable {
    let id: Int
    let isOpen: Bool
  }

  private typealias Host = SimulatorHost<SimulatedView, SimulatedView>

  private static let cells = CellRegistration<SimulatedView, Note> { cell, _, note in
    cell.text = "\(note.id)"
  }

  /// Loads 400 notes, of which every n-th is open.
  private func loader(_ notes: ModelSource<String, Note>, every step: Int) -> PageLoader<
    String, Note, Int
  > {
    PageLoader(
      notes, section: "Notes", options: PageOptions(pageSize: 20, prefetchDistance: 10)
    ) { request in
      let start = if case .after(let number) = request.place { number } else { 0 }
      let end = min(start + request.size, 400)
      return Page(
        (start..<end).map { Note(id: $0, isOpen: $0 % step == step - 1) },
        next: end < 400 ? end : nil)
    }
  }

  /// Shows the open ones of 400 notes, of which every n-th is open; returns what was loaded at rest.
  private func shown(
    every step: Int, rows: Int
  ) async throws -> (shown: Int, loaded: Int, isAtEnd: Bool) {
    let notes = ModelSource<String, Note>()
    let loader = loader(notes, every: step)
    let open = notes.derived { $0.filter(\.isOpen) }
    let host = Host(profile: .collectionView, visibleRowCount: rows)
    let controller = ListController(host: host, following: open) { dequeuer, path, note in
      loader.willShow([note.id], of: open)
      return try dequeuer.dequeueConfiguredReusableCell(using: Self.cells, for: path, item: note)
    }
    // In any order.
    controller.displayHandler = { [weak controller] _ in
      loader.willShow((controller?.visibleItems ?? []).reversed(), of: open)
    }
    loader.willShow([], of: open)
    _ = await loader.refresh()
    let enough = rows + 10
    try await wait {
      if 400 / step < enough { return loader.states.end.isEndReached }
      return await open.snapshot.numberOfItems >= enough && !loader.states.isLoading
    }
    return (
      await open.snapshot.numberOfItems, await notes.snapshot.numberOfItems,
      loader.states.end.isEndReached
    )
  }

  @Test("are loaded until the list has enough rows, though it hides most of those that come")
  func enough() async throws {
    for step in [1, 2, 5, 10] {
      let (shown, loaded, isAtEnd) = try await shown(every: step, rows: 8)
      #expect(shown >= 18 && !isAtEnd, "every \(step): \(shown) of \(loaded)")
    }
  }

  @Test("are loaded to the end if the list has too few rows, or none")
  func tooFew() async throws {
    for step in [40, 399, 1000] {
      let (shown, loaded, isAtEnd) = try await shown(every: step, rows: 8)
      #expect(shown == 400 / step && loaded == 400 && isAtEnd, "every \(step)")
    }
  }

  @Test("are loaded for a list that nobody follows, which follows nothing afterwards")
  func unfollowed() async throws {
    let notes = ModelSource<String, Note>()
    let loader = loader(notes, every: 1000)
    let open = notes.derived { $0.filter(\.isOpen) }
    loader.willShow([], of: open)
    _ = await loader.refresh()
    try await wait { loader.states.end.isEndReached && notes.metrics.subscribers == 0 }
    withExtendedLifetime(open) {}
  }
}
