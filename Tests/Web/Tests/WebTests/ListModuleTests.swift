import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// The list of the page shows what a source does, for changes that the lists of this server do not make.
@Suite("The module list.js", .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
struct ListModuleTests {
  /// Applies the deltas to one list; the number of the first step after which it is another.
  private static let follow = """
    const [text] = arguments
    import("/diffable/list.js").then(({ FollowedList, Misfit }) => {
      const list = new FollowedList()
      const shown = (sections) =>
        JSON.stringify(sections.map(({ id, items, rows }) =>
          [id, items, rows?.map((row) => row.id ?? row)]))
      for (const [index, { delta, sections }] of JSON.parse(text).entries()) {
        const before = shown(list.sections)
        // What does not fit is refused, and changes nothing.
        const wrong = [
          { ...delta, format: 2 }, { ...delta, base: "another" },
          { ...delta, counts: { ...delta.counts, items: delta.counts.items + 1 } },
        ]
        for (const misfit of wrong) {
          try {
            list.apply(misfit)
            return done(`${index}: a misfit was taken`)
          } catch (error) {
            if (!(error instanceof Misfit) || shown(list.sections) !== before) {
              return done(`${index}: ${error}`)
            }
          }
        }
        list.apply(delta)
        if (shown(list.sections) !== shown(sections) || list.token !== delta.target) {
          return done(`${index}: ${shown(list.sections)} instead of ${shown(sections)}`)
        }
      }
      done("")
    }).catch((error) => done(String(error)))
    """

  @Test("follows lists and outlines through random edits")
  func randomEdits() async throws {
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([]) { address in
        try await browsers[0].open(address)
        for seed in 0..<40 as Range<UInt64> {
          let text = try await FollowedStep.text(seed: seed, hasOutlines: seed % 2 == 0)
          let fault: String = try await browsers[0].result(of: Self.follow, [text])
          #expect(fault == "", "seed \(seed)")
        }
      }
    }
  }
}
