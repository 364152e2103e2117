import Diffable
import TestScope
import Testing

@testable import DiffablePages

@Suite("What a renderer shows before a page comes", .deadline)
struct EarlyReportTests {
  @Test func `Placeholders are no loaded rows, so the next page comes by itself`() async throws {
    let desk = PageDesk()
    let loader = desk.loader(
      size: 2, ahead: 1, rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) }))
    loader.willShow([0])
    try await wait { await !loader.report.items.isEmpty }
    async let state = loader.refresh()
    try await desk.answer { _ in
      Page([PagedRow(id: 0), PagedRow(id: 1)], next: 2, countAfter: 18)
    }
    _ = await state
    #expect(await loader.rows.count == 20)
    let request = try await desk.answer([2, 3])
    #expect(request.place == .after(2))
  }

  @Test func `A shown row that gets another identifier while a page comes is near its end still`()
    async throws
  {
    let (desk, source) = (PageDesk(), PagedSource())
    let loader = desk.loader(source, size: 3, ahead: 6)
    try await desk.refresh(loader, [4, 5, 6], next: 6)
    loader.willShow([6])
    try await wait { desk.requests.count == 1 }
    try await source.update { try $0.renameItem(6, to: PagedRow(id: 60)) }
    try await desk.answer([7], next: 7)
    try await wait {
      let isLoading = loader.states.isLoading
      return desk.count == 3 || !isLoading
    }
    // The refresh, the page that has come, and the next one.
    try #require(desk.count == 3)
    #expect(try await desk.answer([8]).place == .after(7))
    try await wait { !loader.states.isLoading }
    #expect(await loader.rows == [4, 5, 60, 7, 8])
  }

  @Test func `A row of others at an end loads one page when it is shown, under whatever names`()
    async throws
  {
    let source = PagedSource()
    let loader = try await loaderWithoutFirstPages(of: source)
    #expect(await loader.rows == [999] + Array(11...20))
    for name in [999, 777, 555] {
      await loader.show([name])
      try await wait { !loader.states.isLoading }
      #expect(await loader.rows == [name] + Array(6...15))
      let next = name - 222
      try await source.update { try $0.renameItem(name, to: PagedRow(id: next)) }
    }
  }
}
