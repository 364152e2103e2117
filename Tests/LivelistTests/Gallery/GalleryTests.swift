import Diffable
import DiffableTerminal
import DiffableTesting
import DiffableViews
import TestScope
import Testing

@testable import livelist

@Suite("Gallery", .deadline)
@MainActor
struct GalleryTests {
  private let source = GallerySource()

  private func writers(seed: UInt64) -> [GalleryWriter<SplitMix64>] {
    GalleryWriter<SplitMix64>.Job.allCases.enumerated().map { index, job in
      GalleryWriter(job, source: source, generator: SplitMix64(seed: seed &* 100 &+ UInt64(index)))
    }
  }

  /// A clock that stands until somebody moves it.
  private final class Clock {
    var now = ContinuousClock.now
  }

  /// The screen below the title once nothing on it has just changed.
  ///
  /// The title counts what a view has shown.
  private func settledScreen(of view: GalleryView, _ clock: Clock, _ size: TerminalSize) -> String {
    clock.now += .seconds(10)
    view.list.expireChangeMarks()
    return view.screen(size).lines.dropFirst().map(\.text).joined(separator: "\n")
  }

  @Test(
    "A search shows what it finds in the newest state, and loses nothing that is written meanwhile",
    arguments: 0..<5)
  func searching(seed: UInt64) async throws {
    let (source, writers, clock) = (source, writers(seed: seed), Clock())
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    let view = GalleryView(source, now: { clock.now })
    let size = TerminalSize(columns: 80, rows: 60)
    _ = view.screen(size)
    let writing = Task.detached {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in writers {
          group.addTask {
            var writer = writer
            for _ in 0..<60 { try await writer.write() }
          }
        }
        try await group.waitForAll()
      }
    }
    for query in ["o", "", "日", "lis", "an", "e"] {
      await view.search(for: SearchQuery(query))
      for _ in 0..<20 { await Task.yield() }
    }
    try await writing.value

    let live = await source.snapshot
    for query in ["o", "日", "nothing at all", ""].map(SearchQuery.init) {
      await view.search(for: query)
      await view.showNewest()
      var expected: [[ExhibitID]] = []
      for section in live.sectionIdentifiers {
        expected.append([])
        for item in live.items(inSection: section) {
          let exhibit = try #require(await source.model(for: item))
          if query.matches(exhibit.text) { expected[expected.count - 1].append(item) }
        }
      }
      let shown = view.controller.snapshot
      #expect(
        shown.sectionIdentifiers.map { Array(shown.items(inSection: $0)) } == expected,
        "seed \(seed)")
    }
    // A gallery that opens now looks the same: every cell shows the newest model.
    let visitor = GalleryView(source, now: { clock.now })
    _ = visitor.screen(size)
    await visitor.showNewest()
    #expect(
      settledScreen(of: view, clock, size) == settledScreen(of: visitor, clock, size),
      "seed \(seed)")
  }

  @Test("Every writer keeps within its limits, and nothing hangs twice")
  func writing() async throws {
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    var writers = writers(seed: 7)
    for step in 0..<400 {
      try await writers[step % 4].write()
      let snapshot = await source.snapshot
      #expect((9...18).contains(snapshot.items(inSection: .photos).count))
      #expect((6...10).contains(snapshot.items(inSection: .films).count))
      #expect((3...5).contains(snapshot.items(inSection: .banners).count))
      var texts: Set<String> = []
      for item in snapshot.itemIdentifiers {
        let text = try #require(await source.model(for: item)).text
        #expect(texts.insert(text).inserted, "\(text) hangs twice")
      }
    }
    // Each of them has done something.
    #expect(await source.revision.number > 200)
  }

  @Test("Keys go to the search first, then to the list")
  func keys() async throws {
    let (source, size) = (source, TerminalSize(columns: 72, rows: 20))
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    await source.finish()
    let view = GalleryView(source)
    _ = view.screen(size)
    await view.showNewest()
    #expect(view.screen(size).lines[0].text.contains("24 exhibits"))
    for key in [Key.down, .right] { #expect(view.press(key) == .handled(true)) }
    #expect(view.screen(size).text.contains("○ ● ○ ○"))
    #expect(view.press(.character("/")) == .handled(true))
    #expect(view.press(.character("q")) == .handled(true))
    #expect(view.field.text == "q")
    #expect(view.press(.down) == .handled(true))
    #expect(view.press(.escape) == .handled(true))
    #expect(view.press(.character("x")) == .handled(false))
    #expect(view.press(.character("q")) == .quit)
  }

  @Test(
    "Photographs hang in as many columns as there is room for",
    arguments: [(90, 3), (50, 2), (20, 1)])
  func columns(width: Int, count: Int) async throws {
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    await source.finish()
    let view = GalleryView(source)
    _ = view.screen(TerminalSize(columns: width, rows: 24))
    await view.showNewest()
    let photos = view.screen(TerminalSize(columns: width, rows: 24)).lines.drop {
      !$0.text.contains("Photographs")
    }
    #expect(photos.dropFirst().first?.text.filter { $0 == "╭" }.count == count)
  }

  @Test("What is drawn fits, however small the terminal is")
  func sizes() async throws {
    let source = source
    try await source.update { draft in try GalleryCatalogue.opening(&draft) }
    await source.finish()
    let view = GalleryView(source)
    await view.showNewest()
    view.expectFits()
    // What is searched is seen in place of the keys.
    #expect(view.press(.character("/")) == .handled(true))
    let size = TerminalSize(columns: 20, rows: 5)
    #expect(view.screen(size).lines.last?.text.hasPrefix(" / ") == true)
    #expect(view.press(.escape) == .handled(true))
    #expect(view.screen(size).lines.last?.text.hasPrefix(" q quit  ? keys") == true)
  }
}
