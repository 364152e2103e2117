import Diffable
import DiffablePages
import Synchronization
import TestScope
import Testing

/// What the backend and others have changed in contradiction, as a program sees it.
@Suite(.deadline) struct PageConflictTests {
  private let desk = PageDesk()
  private let found = Found()

  private final class Found: Sendable {
    private let state = Lock<[PageConflict<PagedRow>]>([])

    var conflicts: [PageConflict<PagedRow>] { state.withLock { $0 } }

    func add(_ conflicts: [PageConflict<PagedRow>]) { state.withLock { $0 += conflicts } }
  }

  private func loaded(_ source: PagedSource) async throws -> TestedLoader {
    let loader = TestedLoader(
      source, section: "rows", options: PageOptions(pageSize: 3, prefetchDistance: 0),
      conflictHandler: { [found] in found.add($0) }
    ) { [desk] in try await desk.page(for: $0) }
    try await desk.refresh(loader, [1, 2, 3, 4], text: "old")
    return loader
  }

  private func refresh(_ loader: TestedLoader, _ ids: [Int], text: String = "old") async throws {
    try await desk.refresh(loader, ids, text: text)
  }

  @Test func `A refresh says what it has decided against the backend or the list`() async throws {
    let source = PagedSource()
    let loader = try await loaded(source)
    try await source.update { draft in
      try draft.update(1) { $0.text = "edited" }
      try draft.update(2) { $0.text = "edited" }
      draft.deleteItems([3])
    }
    try await refresh(loader, [1, 3, 4], text: "new")
    let conflicts = found.conflicts
    #expect(conflicts.map(\.item) == [1, 3, 2])
    #expect(
      conflicts.map(\.contradiction) == [.changedTwice, .deletedButChanged, .changedButDeleted])
    #expect(conflicts.map(\.versions.base?.text) == ["old", "old", "old"])
    #expect(conflicts.map(\.versions.theirs?.text) == ["new", "new", nil])
    #expect(conflicts.map(\.versions.mine?.text) == ["edited", nil, "edited"])
    #expect(
      conflicts.map(\.description) == [
        "The list and the backend changed the model of the item “1”. It has the list's.",
        "The list deleted the item “3”, whose model the backend has changed. It stays deleted.",
        "The list changed the model of the item “2”, but the backend no longer has it. "
          + "It is deleted.",
      ])
    #expect(await loader.rows == [1, 4])
    #expect(await source.model(for: 1)?.text == "edited")
    // It is said once.
    try await refresh(loader, [1, 3, 4], text: "new")
    #expect(found.conflicts.count == 3)
    // Both have come to the same.
    try await refresh(loader, [1, 3, 4], text: "edited")
    #expect(found.conflicts.map(\.item) == [1, 3, 2, 3])
  }

  @Test func `A changed row that a refresh has not reached comes back as it was`() async throws {
    let source = PagedSource()
    let loader = try await loaded(source)
    try await source.update { try $0.update(4) { $0.text = "edited" } }
    // The backend has one more row before it, and the refresh asks for as many as there were.
    try await desk.refresh(loader, [0, 1, 2, 3], next: 3, text: "old")
    #expect(await loader.rows == [0, 1, 2, 3])
    #expect(found.conflicts.isEmpty)
    try await desk.load(.end, loader, [4], text: "old")
    #expect(await loader.rows == [0, 1, 2, 3, 4])
    #expect(await source.model(for: 4)?.text == "edited")
    #expect(found.conflicts.isEmpty)
  }

  @Test func `A row that the list inserted gets the model of the backend once that knows it`()
    async throws
  {
    let source = PagedSource()
    let loader = try await loaded(source)
    try await source.update { try $0.insertItems([PagedRow(id: 5, text: "mine")], afterItem: 4) }
    try await refresh(loader, [1, 2, 3, 4, 5])
    #expect(await source.model(for: 5)?.text == "old")
    #expect(found.conflicts.isEmpty)
  }

  @Test func `A row that the backend had deleted comes again as the backend has it`() async throws {
    let source = PagedSource()
    let loader = try await loaded(source)
    try await source.update { try $0.update(4) { $0.text = "edited" } }
    try await refresh(loader, [1, 2, 3])
    #expect(found.conflicts.map(\.contradiction) == [.changedButDeleted])
    try await refresh(loader, [1, 2, 3, 4])
    #expect(await source.model(for: 4)?.text == "old")
    #expect(found.conflicts.count == 1)
  }

  @Test func `A contradiction is told before the page is said to have come`() async throws {
    let source = PagedSource()
    let loaders = Lock<[TestedLoader]>([])
    let states = Lock<[Bool]>([])
    let loader = TestedLoader(
      source, section: "rows", options: PageOptions(pageSize: 3, prefetchDistance: 0),
      conflictHandler: { _ in
        let isLoading = loaders.withLock { $0.map(\.states.refresh.isLoading) }
        states.withLock { $0 += isLoading }
      }
    ) { [desk] in try await desk.page(for: $0) }
    try await refresh(loader, [1, 2])
    loaders.withLock { $0 = [loader] }
    try await source.update { try $0.update(1) { $0.text = "edited" } }
    try await refresh(loader, [1, 2], text: "new")
    #expect(states.withLock { $0 } == [true])
    #expect(!loader.states.isLoading)
    loaders.withLock { $0 = [] }
  }
}
