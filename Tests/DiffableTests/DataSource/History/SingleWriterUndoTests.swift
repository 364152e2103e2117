import Diffable
import DiffableTesting
import ListSupport
import Testing
import TestScope

/// A list that one writer changes: undo gives back exactly the state before, and redo the state after.
///
/// Few identifiers are used, so a name that a deletion or a rename has freed is soon given again.
@Suite(.deadline) struct SingleWriterUndoTests {
  private typealias State = Snapshot<Int, Int>

  private struct Program {
    var random: SplitMix64

    /// Makes a few edits of a list.
    mutating func edit(_ list: inout State) throws {
      for _ in 0...random.number(below: 3) {
        let items = list.itemIdentifiers
        let free = (0..<7).filter { !list.containsItem($0) }
        switch random.number(below: 4) {
        case 0:
          guard let new = random.element(of: free) else { continue }
          if let anchor = random.element(of: items), random.chance(oneIn: 2) {
            try list.insertItems([new], beforeItem: anchor)
          } else {
            try list.appendItems([new], toSection: random.number(below: 2))
          }
        case 1: if let item = random.element(of: items) { list.deleteItems([item]) }
        case 2:
          guard let item = random.element(of: items), let name = random.element(of: free)
          else { continue }
          try list.renameItem(item, to: name)
        default:
          guard let item = random.element(of: items), let anchor = random.element(of: items)
          else { continue }
          try list.moveItem(item, afterItem: anchor)
        }
      }
    }
  }

  @Test func `Undo and redo lead through the same states`() async throws {
    for seed in 0..<UInt64(rounds(600)) {
      var program = Program(random: SplitMix64(seed: seed))
      let start = State(sections: [0, 1], items: [[0, 1, 2, 3], []])
      let source = try DataSourceActor(start, options: SourceOptions(history: 400))
      var states = [start]
      var place = 0
      for _ in 0..<14 {
        switch program.random.number(below: 3) {
        case 0 where place > 0:
          try await source.undo()
          place -= 1
        case 1 where place + 1 < states.count:
          try await source.redo()
          place += 1
        default:
          var edited = await source.snapshot
          try program.edit(&edited)
          guard edited != states[place] else { continue }
          let next = edited
          try await source.update { $0 = next }
          states = states[...place] + [next]
          place += 1
        }
        #expect(await source.snapshot == states[place], "seed \(seed)")
      }
      while place > 0 {
        try await source.undo()
        place -= 1
        #expect(await source.snapshot == states[place], "seed \(seed), back to \(place)")
      }
      while place + 1 < states.count {
        try await source.redo()
        place += 1
        #expect(await source.snapshot == states[place], "seed \(seed), forward to \(place)")
      }
    }
  }
}
