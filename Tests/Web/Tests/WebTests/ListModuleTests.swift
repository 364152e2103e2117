import Diffable
import DiffableTesting
import Foundation
import Testing

@testable import WebLists

/// The list of the page shows what a source does, for changes that the lists of this server do not make.
@Suite("The module list.js", .enabled(if: ChromeDriver.isInstalled))
struct ListModuleTests {
  /// A delta, and what there is to see afterwards.
  private struct Step: Encodable {
    struct Section: Encodable {
      let id: String
      let items: [Int]
      let rows: [Int]?

      init(_ id: String, of snapshot: Snapshot<String, Int>) {
        self.id = id
        items = Array(snapshot.items(inSection: id))
        rows = snapshot.outline(ofSection: id).map { Array($0.items) }
      }
    }

    let delta: UpdateDelta<String, Int>
    let sections: [Section]

    init(_ batch: UpdateBatch<String, Int>) {
      delta = batch.delta
      sections = batch.snapshot.sectionIdentifiers.map { Section($0, of: batch.snapshot) }
    }
  }

  /// Applies the deltas to one list; the number of the first step after which it is another.
  private static let follow = """
    const [text] = arguments
    import("/list.js").then(({ FollowedList, Misfit }) => {
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
          let text = try await Self.steps(seed: seed)
          let fault: String = try await browsers[0].result(of: Self.follow, [text])
          #expect(fault == "", "seed \(seed)")
        }
      }
    }
  }

  /// The steps of a source that is edited, as JSON.
  private static func steps(seed: UInt64) async throws -> String {
    var generator = SnapshotGenerator(seed: seed, section: { "s\($0)" }, item: { $0 })
    let source = DataSourceActor<String, Int>()
    var batches = source.updates().makeAsyncIterator()
    var steps: [Step] = []
    let changes = SnapshotChange.allCases
    var shown: Revision?
    for index in 0..<60 {
      if seed % 2 == 0 {
        let edit = generator.outlineEdit(of: await source.snapshot)
        _ = try? await source.update { try edit.apply(to: &$0) }
      } else {
        let old = await source.snapshot
        let new =
          index == 0
          ? generator.snapshot(.uneven(sections: 4, items: 30))
          : generator.changing(old, by: changes[index % changes.count])
        try await source.apply(new)
      }
      guard await source.revision != shown, let batch = await batches.next() else { continue }
      shown = batch.target
      steps.append(Step(batch))
    }
    return String(decoding: try JSONEncoder().encode(steps), as: UTF8.self)
  }
}
