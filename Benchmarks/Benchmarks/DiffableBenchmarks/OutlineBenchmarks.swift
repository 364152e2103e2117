import Benchmark
import Diffable
import Foundation

/// Unfolding rows with 999 children each, and editing rows one by one, each batch taken before the next
/// edit.
///
/// An outline of a million has a thousand such rows. All are collapsed, so that most of the outline is
/// hidden.
func registerOutlineBenchmarks() {
  for count in [100_000, 1_000_000] {
    Benchmark("outline/expand/\(count)/ours/x10") { (benchmark, tree: FollowedTree) in
      let parents = Array(tree.parents.prefix(10))
      benchmark.startMeasurement()
      for parent in parents {
        let batch = try await tree.edit { $0.expandItems([parent]) }
        blackHole(batch)
      }
      benchmark.stopMeasurement()
      let batch = try await tree.edit { $0.collapseItems(parents) }
      try expect(batch.difference.itemDeletes.count == 9_990, "what was unfolded is folded")
    } setup: {
      try await FollowedTree(count: count)
    }

    // Each is made while the batch before it holds the outline as it was.
    Benchmark("outline/edit/\(count)/ours/x30") { (benchmark, tree: FollowedTree) in
      let parents = Array(tree.parents.prefix(10))
      benchmark.startMeasurement()
      for parent in parents {
        var batch = try await tree.edit { try $0.insertItems([-1 - parent], afterItem: parent) }
        batch = try await tree.edit { try $0.moveItem(-1 - parent, beforeItem: parent) }
        batch = try await tree.edit { $0.deleteItems([-1 - parent]) }
        blackHole(batch)
      }
      benchmark.stopMeasurement()
      let live = await tree.source.snapshot
      try expect(live.itemIdentifiers == Array(tree.parents), "what came has gone")
    } setup: {
      try await FollowedTree(count: count)
    }
  }
}

/// A source with one outline, and a subscriber that takes its batches in the task of the benchmark.
private final class FollowedTree {
  let source: DataSourceActor<Int, Int>
  let parents: Range<Int>
  private var batches: AsyncStream<UpdateBatch<Int, Int>>.Iterator

  init(count: Int) async throws {
    parents = 0..<count / 1_000
    var outline = try Outline(parents)
    for parent in parents {
      try outline.append(count * (parent + 1)..<count * (parent + 1) + 999, to: parent)
    }
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0])
    try snapshot.setOutline(outline, forSection: 0)
    source = try DataSourceActor(snapshot)
    batches = source.updates().makeAsyncIterator()
    let batch = try await nextBatch()
    try expect(batch.snapshot.numberOfItems == parents.count, "the first batch is folded")
  }

  func edit(
    _ edit: sending (inout Snapshot<Int, Int>) throws -> Void
  ) async throws -> UpdateBatch<Int, Int> {
    try await source.update(edit)
    return try await nextBatch()
  }

  private func nextBatch() async throws -> UpdateBatch<Int, Int> {
    var iterator = batches
    guard let batch = await iterator.next() else { throw WrongResult(expectation: "a batch") }
    batches = iterator
    return batch
  }
}
