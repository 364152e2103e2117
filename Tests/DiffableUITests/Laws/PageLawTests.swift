import Diffable
import DiffableUI
import DiffableViews
import TestScope
import Testing

@testable import DiffablePages

/// Lists that load themselves page by page, in the views of UIKit and AppKit.
@Suite(.deadline) @MainActor
struct PageLawTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var isChanged = false
  }

  /// Rows from 0 to 999; the first page begins in the middle.
  actor Server {
    private(set) var requests = 0

    func page(_ request: PageRequest<Int>) -> Page<Row, Int> {
      requests += 1
      let size = request.size
      let range =
        switch request.place {
        case .first: 500..<500 + size
        case .before(let end): max(0, end - size)..<end
        case .after(let start): start..<min(1_000, start + size)
        }
      return Page(
        range.map { Row(id: $0) }, previous: range.lowerBound > 0 ? range.lowerBound : nil,
        next: range.upperBound < 1_000 ? range.upperBound : nil)
    }
  }

  private func load<Fixture: ListViewFixture>(
    _ fixture: Fixture, size: Int, distance: Int, origin: PagePlace<Int>
  ) async throws {
    let (source, server) = (ModelSource<Int, Row>(), Server())
    let loader = PageLoader<Int, Row, Int>(
      source, section: 100, options: PageOptions(pageSize: size, prefetchDistance: distance),
      origin: origin
    ) { await server.page($0) }
    var reported: [Int] = []
    func report(_ items: [Int]) {
      reported = items
      loader.willShow(items)
    }
    let controller = ListController(host: fixture.host, following: source) {
      [unowned fixture] cells, path, row in
      report([row.id])
      return try fixture.cell(cells, path, row.id)
    }
    controller.prefetchHandler = report
    await loader.refresh()

    /// Waits until all is shown, the loader knows what was reported of it, and nothing is loaded for that.
    func settle(_ bound: Int) async throws {
      var calm = 0
      while calm < 20 {
        try Task.checkCancellation()
        await controller.displayed(source.revision)
        await Task.yield()
        let isKnown = await loader.report.items == reported
        calm = isKnown && !loader.states.isLoading ? calm + 1 : 0
        let count = await server.requests
        try #require(count <= bound, "\(count) pages")
      }
    }

    // A view measures and prefetches a few rows more than it shows.
    let shown = Int(fixture.host.viewport.length) + 20
    let bound = 2 * (2 * distance + shown + 2 * size) / size + 4
    try await settle(bound)
    // A page before the first row moves nothing on the screen.
    let (numbers, places) = (fixture.numbers, fixture.places)
    let before = await source.snapshot.itemIdentifiers.first
    await loader.load(.start)
    try await settle(bound + 4)
    #expect(await source.snapshot.itemIdentifiers.first != before)
    #expect(fixture.numbers == numbers && fixture.places == places)
    #expect(fixture.exceptions.isEmpty, "\(fixture.exceptions)")
    withExtendedLifetime(controller) {}
  }

  @Test(
    "An untouched list asks for no more than what is near to what it shows, and stays in place",
    arguments: ListViewKind.allCases, [false, true])
  func untouched(kind: ListViewKind, sizesItself: Bool) async throws {
    var number = kind.number + (sizesItself ? 2 : 0)
    for (size, distance) in [(1, 0), (3, 20), (10, 3)] {
      for height in [20, 100, 600] {
        for origin in [PagePlace<Int>.first, .after(500)] {
          number += 1
          guard isInScope(number, usual: 5) else { continue }
          try await load(
            kind.makeFixture(height: height, sizesItself: sizesItself), size: size,
            distance: distance, origin: origin)
        }
      }
    }
  }
}
