import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// The list of the page shows what a source does, for changes that the lists of this server do not make.
@Suite("The module list.js", .enabled(if: ChromeDriver.isInstalled))
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

  /// Ten edits that are sent one after another, while the stream brings nothing before all have been answered.
  private static let goAhead = """
    Promise.all(["list", "edits"].map((name) => import(`/diffable/${name}.js`))).then((modules) => {
      const [{ FollowedList }, { EditedList }] = modules
      const list = new FollowedList()
      list.apply({
        format: 1, target: "0", counts: { sections: 1, items: 1 }, sections: [{ id: "s", items: ["a"] }],
        models: [{ id: "a" }],
      })
      const edits = new EditedList(list)
      const place = { section: "s", after: null }
      for (let number = 1; number <= 10; number += 1) {
        edits.add({ item: `${number}`, model: { id: `${number}` }, place })
      }
      const shown = JSON.stringify(edits.sections)
      const deltas = []
      for (let number = 1; number <= 10; number += 1) {
        const edit = edits.next()
        const { id, base, difference, items, models } = JSON.parse(edit.text)
        if (base !== `${number - 1}`) return done(`edit ${number} is based on ${base}`)
        const counts = { sections: 1, items: number + 1 }
        const delta = {
          format: 1, base, target: `${number}`, counts, difference, items, models, proposals: [id],
        }
        deltas.push(delta)
        edits.answer(id, { answer: "accepted", token: delta.target, delta })
        if (JSON.stringify(edits.sections) !== shown) return done(`answer ${number} changes what is shown`)
      }
      if (edits.next() || edits.edits.length) return done("an edit is left")
      for (const delta of deltas) {
        edits.followed(list.apply(delta))
        if (JSON.stringify(edits.sections) !== shown) return done(`delta ${delta.target} changes what is shown`)
      }
      // It goes on with the stream.
      edits.followed(list.apply({
        format: 1, base: "10", target: "11", counts: { sections: 1, items: 10 },
        difference: { itemDeletes: [[0, 10, 11]] },
      }))
      done(edits.model("a") ? "the stream is not followed any longer" : "")
    }).catch((error) => done(String(error)))
    """

  @Test("edits go out in a row, and a late stream changes nothing")
  func goesAhead() async throws {
    try await ChromeDriver.withBrowsers { browsers in
      try await serving([]) { address in
        try await browsers[0].open(address)
        let fault: String = try await browsers[0].result(of: Self.goAhead, [])
        #expect(fault == "")
      }
    }
  }
}
