import Diffable
import TestScope
import Testing

@testable import DiffablePages

@Suite("What a renderer shows before a page comes", .deadline)
struct EarlyReportTests {
  @Test func `Placeholders are no loaded rows, so the next page comes by itself`() async throws {
    let desk = PageDesk()
    let loader = TestedLoader(
      PagedSource(), section: "rows", options: PageOptions(pageSize: 2, prefetchDistance: 1),
      rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) })
    ) { try await desk.page(for: $0) }
    loader.willShow([0])
    try await wait { await loader.hasReport }
    async let state = loader.refresh()
    try await desk.answer { _ in
      Page([PagedRow(id: 0), PagedRow(id: 1)], next: 2, countAfter: 18)
    }
    _ = await state
    #expect(await loader.rows.count == 20)
    let request = try await desk.answer([2, 3])
    #expect(request.place == .after(2))
  }
}
