import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

@Suite("The rows of pages, against a dictionary") struct PageRowsTests {
  private typealias Answer = PageAnswer<PagedRow, Int>

  private struct Row: Equatable {
    var pageCount: Int
    var owner: Int
    var base: PagedRow
  }

  private let kernel = ElementKernel(Int.self)

  /// Pages overlap, and come and go at both ends: many more rows go than there are at a time.
  @Test("any script", arguments: 0..<UInt64(rounds(16, least: 4)))
  func scripts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var rows = PageRows<PagedRow>(kernel)
    var known: [Int: Row] = [:]
    var pages: [(number: Int, items: [Int])] = []
    var (next, start) = (0, 0)
    for step in 0..<150 {
      if pages.count > 1 + random.number(below: 6) {
        let gone = pages.remove(at: random.chance(oneIn: 2) ? 0 : pages.count - 1)
        rows.remove(gone.items)
        for item in gone.items {
          known[item]?.pageCount -= 1
          if known[item]?.pageCount == 0 { known[item] = nil }
        }
        for item in gone.items where known[item]?.owner == gone.number {
          let owner = pages.first { $0.items.contains(item) }?.number ?? 0
          rows.setOwner(of: item, to: owner)
          known[item]?.owner = owner
        }
      } else {
        // Mostly some rows of the page before, and sometimes rows that had gone.
        start = random.chance(oneIn: 8) ? random.number(below: start + 1) : start + 6
        let items = (start..<start + 4 + random.number(below: 6)).map { $0 }
        let models = items.map { PagedRow(id: $0, text: "step \(step)") }
        rows.insert(Answer(Page(models), from: .first, kernel), as: next)
        for model in models {
          var row = known[model.id] ?? Row(pageCount: 0, owner: next, base: model)
          row.pageCount += 1
          row.base = model
          known[model.id] = row
        }
        pages.append((next, items))
        next += 1
      }
      let comment: Comment = "seed \(seed), step \(step)"
      #expect(rows.count == known.count, comment)
      let found = rows.elements.map { ($0.item, $0.row) }
      #expect(Set(found.map(\.0)) == Set(known.keys) && found.count == known.count, comment)
      for (item, row) in found {
        let row = Row(pageCount: row.pageCount, owner: row.owner, base: row.base)
        #expect(row == known[item], comment)
      }
      for item in 0..<start + 12 { #expect(rows[item].map(\.owner) == known[item]?.owner, comment) }
    }
  }
}
