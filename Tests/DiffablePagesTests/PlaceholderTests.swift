import Diffable
import TestScope
import Testing

@testable import DiffablePages

/// Placeholders that an earlier loader has left, or that others have deleted.
@Suite(.deadline) struct PlaceholderTests {
  /// The placeholder of a row of the backend has the identifier -1 - index.
  private func loader(
    _ source: PagedSource, from origin: PagePlace<Int> = .first
  ) -> TestedLoader {
    var backend = PagedBackend(0..<8)
    (backend.cursors, backend.saysCounts) = (.indices, true)
    return backend.loader(
      source, size: 2, from: origin,
      rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0, text: "…") }))
  }

  @Test func `A loader takes over the placeholders of an earlier one`() async throws {
    let source = PagedSource()
    let former = loader(source)
    await former.refresh()
    await former.load(.end)
    #expect(await former.rows == [0, 1, 2, 3, -5, -6, -7, -8])
    await former.finish()

    let loader = loader(source)
    #expect(await loader.refresh().error == nil)
    #expect(await loader.rows == [0, 1, 2, 3, -3, -4, -5, -6, -7, -8])
    for end in [4, 6, 8] {
      #expect(await loader.load(.end).error == nil)
      #expect(await loader.rows == Array(0..<end) + (end..<8).map { -1 - $0 })
    }
  }

  @Test func `A placeholder with the identifier of a loaded row is refused`() async throws {
    var backend = PagedBackend(0..<8)
    (backend.cursors, backend.saysCounts) = (.indices, true)
    let loader = TestedLoader(
      PagedSource(), section: "rows", options: PageOptions(pageSize: 2),
      rows: PageLoaderRows(placeholder: { PagedRow(id: 7 - $0, text: "…") })
    ) { [backend] in backend.page(for: $0) }
    #expect(await loader.refresh().error is DataSourceError)
    #expect(await loader.source.snapshot.numberOfItems == 0)
  }

  @Test func `Placeholders go next to those that are there, whatever others have put beyond`()
    async throws
  {
    var backend = PagedBackend(0..<10)
    (backend.cursors, backend.saysCounts) = (.indices, true)
    let loader = TestedLoader(
      PagedSource(), section: "rows",
      options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumPlaceholderCount: 2),
      origin: .after(4), rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) })
    ) { [backend] in backend.page(for: $0) }
    await loader.refresh()
    #expect(await loader.rows == [-3, -4, 4, 5, -7, -8])
    try await loader.source.update { draft in
      try draft.insertItems([PagedRow(id: 500)], beforeItem: -3)
      try draft.insertItems([PagedRow(id: 501)], afterItem: -8)
    }
    await loader.load(.start)
    #expect(await loader.rows == [500, -1, -2, 2, 3, 4, 5, -7, -8, 501])
    await loader.load(.end)
    #expect(await loader.rows == [500, -1, -2, 2, 3, 4, 5, 6, 7, -9, -10, 501])
  }

  @Test(arguments: [[-7], [-7, -8], [-4, -3, -2, -1], [-8, -7, -4, -3, -2, -1]])
  func `A page comes next to the rows, and no other one, also if placeholders were deleted`(
    _ deleted: [Int]
  ) async throws {
    for end in PageEnd.allCases {
      let loader = loader(PagedSource(), from: .after(4))
      await loader.refresh()
      try await loader.source.update { $0.deleteItems(deleted) }
      await loader.load(end)
      try await wait { !loader.states.isLoading }
      let all = [-1, -2] + (end == .start ? [2, 3] : [-3, -4]) + [4, 5]
      let rows = all + (end == .end ? [6, 7] : [-7, -8])
      #expect(await loader.rows == rows.filter { !deleted.contains($0) }, "\(end)")
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 40, 97, 98])
  func `A page comes before the placeholders that are left, however many were deleted`(
    _ count: Int
  ) async throws {
    var backend = PagedBackend(0..<100)
    (backend.cursors, backend.saysCounts) = (.indices, true)
    for end in PageEnd.allCases {
      let loader = backend.loader(
        size: 2, from: .after(end == .end ? 0 : 98),
        rows: PageLoaderRows(placeholder: { PagedRow(id: -1 - $0) }))
      await loader.refresh()
      let placeholders = await loader.rows.filter { $0 < 0 }
      let deleted = end == .end ? placeholders.prefix(count) : placeholders.suffix(count)
      try await loader.source.update { $0.deleteItems(deleted) }
      await loader.load(end)
      let left = Array((end == .end ? 4..<100 : 0..<96).map { -1 - $0 })
        .filter { !deleted.contains($0) }
      #expect(
        await loader.rows == (end == .end ? [0, 1, 2, 3] + left : left + [96, 97, 98, 99]),
        "\(end)")
    }
  }
}
