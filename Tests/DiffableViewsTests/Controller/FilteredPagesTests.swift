import Diffable
import DiffablePages
import DiffableQueries
import DiffableTesting
import DiffableViews
import Synchronization
import TestScope
import Testing

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
