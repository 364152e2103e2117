import Benchmark
import Diffable
import DiffableTesting
import Foundation

/// Ten rows that a writer has moved on a copy, merged into a list in which others have moved ten more.
///
/// The copy is made outside the measured part, as it is while the writer has it on the screen.
func registerMergeBenchmarks() {
  for count in [1_000, 100_000, 1_000_000] {
    Benchmark("merge/moves-10/\(count)/ours/x10") { (benchmark, list: SharedList) in
      let copies = try await list.copies(10)
      benchmark.startMeasurement()
      for (copy, base) in copies {
        let transaction = try await list.source.merge(copy, basedOn: base)
        blackHole(transaction)
      }
      benchmark.stopMeasurement()
      let live = await list.source.snapshot
      try expect(live.numberOfItems == count, "nothing is lost and nothing doubled")
    } setup: {
      try SharedList(count: count)
    }

    Benchmark("history/undo-redo/\(count)/ours/x10") { (benchmark, list: SharedList) in
      let before = await list.source.snapshot
      try await list.change()
      let after = await list.source.snapshot
      benchmark.startMeasurement()
      for _ in 0..<5 {
        try await list.source.undo()
        try await list.source.redo()
      }
      benchmark.stopMeasurement()
      try expect(await list.source.snapshot == after, "what was undone is there again")
      try await list.source.undo()
      try expect(await list.source.snapshot == before, "the change has been taken back")
    } setup: {
      try SharedList(count: count)
    }
  }
}

/// A list that writers change at the same time.
private final class SharedList {
  let source: DataSourceActor<Int, UUID>
  private let items: [UUID]
  private var random = SplitMix64(seed: 31)

  init(count: Int) throws {
    items = .seeded(count, seed: 32)
    source = try DataSourceActor(Snapshot(items: items))
  }

  /// Moves ten rows of the live list.
  func change() async throws {
    let pairs = pairs()
    try await source.update { snapshot in
      for (item, anchor) in pairs { try snapshot.moveItem(item, beforeItem: anchor) }
    }
  }

  /// Copies with ten rows moved, each of a revision after which others have moved ten more.
  func copies(_ count: Int) async throws -> [(copy: Snapshot<Int, UUID>, base: Revision)] {
    var copies: [(copy: Snapshot<Int, UUID>, base: Revision)] = []
    for _ in 0..<count {
      var copy = await source.snapshot
      let base = await source.revision
      for (item, anchor) in pairs() { try copy.moveItem(item, beforeItem: anchor) }
      try await change()
      copies.append((copy, base))
    }
    return copies
  }

  private func pairs() -> [(UUID, UUID)] {
    (0..<10).map { _ in
      (items[random.number(below: items.count)], items[random.number(below: items.count)])
    }
  }
}
