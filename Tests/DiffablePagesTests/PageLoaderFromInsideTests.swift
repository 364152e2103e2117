import Diffable
import DiffablePages
import Synchronization
import TestScope
import Testing

/// Code of the user runs inside a step of a loader, on its executor, and may call the loader then.
@Suite("A page loader can be called from inside its steps", .deadline)
struct PageLoaderFromInsideTests {
  private typealias Loader = PageLoader<Int, Row, Int>

  /// What rows and placeholders do when they are compared or made.
  private final class Watch: Sendable {
    private let action = Lock<(@Sendable () -> Void)?>(nil)

    func set(_ action: (@Sendable () -> Void)?) { self.action.withLock { $0 = action } }
    func look() { action.withLock { $0 }?() }
  }

  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    let watch: Watch

    static func == (left: Row, right: Row) -> Bool {
      left.watch.look()
      return left.id == right.id
    }
  }

  private let watch = Watch()
  private let source = ModelSource<Int, Row>()

  /// Eight rows, two at a time; those that are not loaded are placeholders.
  private func loader() -> Loader {
    let rows = PageLoaderRows<Int, Row>(placeholder: { [watch] index in
      watch.look()
      return Row(id: -1 - index, watch: watch)
    })
    return Loader(
      source, section: 0, options: PageOptions(pageSize: 2, prefetchDistance: 0), rows: rows
    ) { [watch] request in
      var start = 0
      if case .after(let cursor) = request.place { start = cursor }
      return Page(
        (start..<start + 2).map { Row(id: $0, watch: watch) }, next: start < 6 ? start + 2 : nil,
        countAfter: 6 - start)
    }
  }

  @Test("Models and placeholders read the states, and may ask again")
  func reading() async throws {
    let loader = loader()
    let count = Lock(0)
    watch.set {
      count.withLock { $0 += 1 }
      loader.assumeIsolated { loader in
        #expect(loader.states.isLoading)
        loader.retry()
      }
    }
    await loader.refresh()
    for _ in 0..<3 { await loader.load(.end) }
    #expect(await source.snapshot.itemIdentifiers == Array(0..<8))
    await loader.refresh()
    #expect(await source.snapshot.itemIdentifiers == Array(0..<8))
    #expect(count.withLock { $0 } > 0)
    watch.set(nil)
  }

  @Test("What is cancelled from inside a step is cancelled after it")
  func cancelling() async throws {
    let loader = loader()
    await loader.refresh()
    watch.set { loader.assumeIsolated { $0.cancel() } }
    await loader.load(.end)
    watch.set(nil)
    try await wait { !loader.states.isLoading }
    #expect(await source.snapshot.itemIdentifiers.filter { $0 >= 0 } == Array(0..<4))
    while await source.snapshot.itemIdentifiers != Array(0..<8) {
      guard case .idle = await loader.load(.end) else { break }
    }
    #expect(await source.snapshot.itemIdentifiers == Array(0..<8))
  }

  @Test("A loader that is finished from inside a step finishes after it")
  func finishing() async throws {
    let loader = loader()
    await loader.refresh()
    var states = loader.stateUpdates().makeAsyncIterator()
    watch.set { loader.assumeIsolated { $0.finish() } }
    await loader.load(.end)
    watch.set(nil)
    while await states.next() != nil {}
    #expect(await source.snapshot.itemIdentifiers.filter { $0 >= 0 } == Array(0..<4))
    await loader.load(.end)
    #expect(await source.snapshot.itemIdentifiers.filter { $0 >= 0 } == Array(0..<4))
  }
}
