import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

@Suite("Of rows with equal keys the first is shown", .deadline) struct DistinctTests {
  @Test(
    "However rows come, go, move and get other keys", arguments: 1...rounds(100 as UInt64))
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let base = Notes()
    let count = 4 + random.number(below: 40)
    let keys = 1 + random.number(below: 4)
    try await base.apply(
      (0..<count).map { Note(id: $0, folder: Folder($0 % 3), text: random.number(below: keys)) },
      section: \.folder)
    let distinct = base.derived { $0.distinct(by: \.text) }
    var batches = distinct.updates().makeAsyncIterator()
    _ = await batches.next()
    var next = 100
    for step in 0..<30 {
      let snapshot = await base.snapshot
      let rows = Array(snapshot.itemIdentifiers)
      let some = random.sample(rows, oneIn: 6)
      let anchor = random.element(of: rows) ?? 0
      let kind = random.number(below: 6)
      let key = random.number(below: keys)
      let isFirst = random.chance(oneIn: 2)
      let id = next
      next += 1
      try await base.update { draft in
        switch kind {
        case 0: draft.deleteItems(some)
        case 1:
          for item in some where item != anchor { try draft.moveItem(item, beforeItem: anchor) }
        case 2: for item in some { try draft.update(item) { $0.text = key } }
        case 3:
          let sections = draft.snapshot.sectionIdentifiers
          try draft.snapshot.moveSection(sections[0], afterSection: sections[2])
        case 4 where rows.contains(anchor):
          try draft.renameItem(anchor, to: Note(id: id, folder: 0, text: key))
        default:
          let note = Note(id: id, folder: 0, text: key)
          if isFirst, rows.contains(anchor) {
            try draft.insertItems([note], beforeItem: anchor)
          } else {
            try draft.appendItems([note], toSection: 1)
          }
        }
      }
      let all = await base.snapshot
      var seen: Set<Int> = []
      let expected = all.itemIdentifiers.filter { item in
        all.model(of: item, as: Note.self).map { seen.insert($0.text).inserted } ?? false
      }
      let shown = await distinct.snapshot
      #expect(Array(shown.itemIdentifiers) == expected, "seed \(seed), step \(step), \(kind)")
    }
  }

  @Test(.enabled(if: NodeVisits.areCounted && !checksInvariants, "the checks visit all nodes"))
  func `The first of many rows with one key goes, moves and gets another key`() async throws {
    func visits(_ size: Int) async throws -> Int {
      let base = Notes()
      try await base.apply((0..<size).map { Note(id: $0) }, section: \.folder)
      let distinct = base.derived { $0.distinct(by: \.text) }
      var batches = distinct.updates().makeAsyncIterator()
      _ = await batches.next(isolation: nil)
      return try await NodeVisits.counted {
        try await base.update { $0.deleteItems([0]) }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[1]")
        try await base.update { try $0.moveItem(1, afterItem: size - 1) }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[2]")
        try await base.update { try $0.update(2) { $0.text = 1 } }
        #expect(await batches.next(isolation: nil)?.snapshot.description == "0[2 3]")
      }
    }
    // Both the number of comparisons and the cost of each grow with the depth of a tree.
    let (small, large) = (try await visits(1_000), try await visits(40_000))
    #expect(small > 0 && large <= 5 * small, "\(small) visits, and \(large)")
  }
}
