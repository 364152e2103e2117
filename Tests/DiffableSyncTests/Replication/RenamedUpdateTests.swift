import Diffable
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@Suite("An edit that runs again finds the rows that others have renamed", .deadline)
struct RenamedUpdateTests {
  private typealias Cards = ReplicatedSource<ModelBatch<String, Card>>

  /// Lets requests to append get lost, and says when the first one was.
  private func disturb(_ way: MemoryLog.Participant) -> Flag {
    let isOffered = Flag()
    way.disturb { request in
      guard request == .append else { return nil }
      isOffered.raise()
      return .loseRequest
    }
    return isOffered
  }

  @Test func `It applies to the row under its new name, with its model`() async throws {
    let log = MemoryLog()
    let near = log.participant()
    let (mine, other) = (try await Cards(cards: near), try await Cards(cards: log.participant()))
    try await mine.apply((1...3).map { Card(id: $0) }, section: \.column, sections: ["a", "b"])
    try await other.reached(Revision(1))
    let isOffered = disturb(near)
    let write = Task {
      try await mine.update { draft -> String? in
        try draft.update(2) { $0.text += "edited" }
        try draft.moveItem(2, toSection: "b")
        return draft.model(for: 2)?.text
      }
    }
    try await wait { isOffered.isRaised }
    let last = try await other.update { draft in
      try draft.renameItem(2, to: Card(id: 20, text: "renamed "))
      try draft.renameItem(1, to: Card(id: 10))
    }.revision
    try await mine.reached(last)
    near.heal()
    #expect(try await write.value.value == "renamed edited")
    #expect(await "\(mine.snapshot)" == "a[10 3] b[20]")
    #expect(await mine.element(for: 20)?.text == "renamed edited")
  }

  @Test("Moves follow rows, however often others rename them", arguments: 0..<rounds(40 as UInt64))
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    // Nothing of the history stays but what a write needs.
    let (near, mine, other) = try await ReplicatedSourceTests.two(history: 0) {
      $0 = try .list(0..<6)
    }
    /// The rows from top to bottom, and their names.
    var (order, names) = (Array(0..<6), Array(0..<6))
    for step in 0..<4 {
      let isOffered = disturb(near)
      let (row, target) = (random.number(below: 6), random.number(below: 6))
      let (item, first) = (names[row], names[target])
      let write = Task {
        try await mine.update { snapshot -> Int? in
          if item != first { try snapshot.moveItem(item, beforeItem: first) }
          snapshot.appendSections(["\(step)"])
          return snapshot.itemPath(for: item)?.item
        }
      }
      try await wait { isOffered.isRaised }
      var last = Revision.empty
      for rename in 0...random.number(below: 3) {
        let renamed = random.number(below: 6)
        let (old, new) = (names[renamed], 100 * step + 10 * rename + 10)
        last = try await other.update { try $0.renameItem(old, to: new) }.revision
        names[renamed] = new
      }
      try await mine.reached(last)
      near.heal()
      let place = try await write.value.value
      if row != target {
        order.removeAll { $0 == row }
        order.insert(row, at: order.firstIndex(of: target) ?? 0)
      }
      #expect(place == order.firstIndex(of: row), "seed \(seed), step \(step)")
      #expect(
        await mine.snapshot.itemIdentifiers == order.map { names[$0] }, "seed \(seed), step \(step)"
      )
      try await other.reached(await mine.revision)
    }
  }
}
