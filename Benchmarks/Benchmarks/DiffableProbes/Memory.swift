import CHeapStatistics
import Diffable
import DiffableTesting
import Foundation

private let count = 1_000_000

/// What the heap holds, as the allocator counts it.
///
/// Each figure needs a process of its own: what one has released would be missing in the next.
enum MemoryProbe {
  @Sendable static func baseline() async throws {
    try await report("live/\(count)/dictionary") {
      Baseline([UUID].seeded(count, seed: 41), by: \.self)
    }
  }

  @Sendable static func live() async throws {
    try await report("live/\(count)/ours") { try await Followed([UUID].seeded(count, seed: 41)) }
  }

  @Sendable static func models() async throws {
    // Both hold the same titles, however long these are: they count for neither.
    let titles = (0..<count).map(Model.title(ofRow:))
    try await report("models/\(count)/ours") { try await followedModels(titles: titles) }
    withExtendedLifetime(titles) {}
  }

  @Sendable static func modelBaseline() async throws {
    let titles = (0..<count).map(Model.title(ofRow:))
    try await report("models/\(count)/dictionary") {
      let models = [Model](ids: .seeded(count, seed: 41), titles: titles)
      return Baseline(models, by: \.id)
    }
    withExtendedLifetime(titles) {}
  }

  @Sendable static func churned() async throws {
    try await report("churned/\(count)/ours") {
      let list = try await Followed([UUID].seeded(count, seed: 41))
      try await churn(list, edits: count)
      return list
    }
  }

  @Sendable static func dropped() async throws {
    try await report("dropped/\(count)/ours") {
      let list = try await Followed([UUID].seeded(count, seed: 41))
      try await churn(list, edits: count / 10)
    }
  }
}

/// What is needed to know the order of a list and the place of each identifier.
private struct Baseline<Element> {
  let items: [Element]
  var positions: [UUID: Int] = [:]

  init(_ items: [Element], by id: KeyPath<Element, UUID>) {
    self.items = items
    for (position, item) in items.enumerated() { positions[item[keyPath: id]] = position }
  }
}

/// A source of models with a subscriber that has been handed all of them; the array is gone.
private func followedModels(
  titles: [String]
) async throws -> (ModelSource<Int, Model>, AsyncStream<ModelBatch<Int, Model>>.Iterator) {
  let source = ModelSource<Int, Model>()
  var batches = source.updates().makeAsyncIterator()
  try await source.apply(
    [Model](ids: .seeded(titles.count, seed: 41), titles: titles), section: { _ in 0 })
  let batch = await batches.next()
  try expect(batch?.models.count == titles.count, "the first batch has all models")
  return (source, batches)
}

/// Reports by how much the heap has grown while the result of a function is held.
private func report<Result>(
  _ name: String, _ make: () async throws -> Result
) async throws {
  guard heap_bytes_in_use() > 0 else {
    return FileHandle.standardError.write(Data("This allocator does not count.\n".utf8))
  }
  let before = Int(heap_bytes_in_use())
  let result = try await make()
  // Large states are released by tasks of their own; the heap is looked at when it has come to rest.
  var after = Int(heap_bytes_in_use())
  for _ in 0..<100 {
    try await Task.sleep(for: .milliseconds(20))
    let next = Int(heap_bytes_in_use())
    if next == after { break }
    after = next
  }
  try withExtendedLifetime(result) {
    try Figure(
      name: "memory/\(name)", unit: .bytes, values: [Double(after - before)]
    ).print()
  }
}

/// Replaces items by new ones at other places, a hundred in an update, and leaves behind a history
/// of the last few edits as every source does.
private func churn(_ list: Followed<UUID>, edits: Int) async throws {
  var random = SplitMix64(seed: 42)
  var items = [UUID].seeded(count, seed: 41)
  for _ in 0..<edits / 100 {
    var gone: [UUID] = []
    var arrivals: [UUID] = []
    for _ in 0..<100 {
      let place = random.number(below: items.count)
      let arrival = UUID(&random)
      gone.append(items[place])
      arrivals.append(arrival)
      items[place] = arrival
    }
    try await list.source.update { snapshot in
      for (item, arrival) in zip(gone, arrivals) {
        try snapshot.insertItems([arrival], afterItem: item)
        snapshot.deleteItems([item])
      }
    }
    _ = try await list.nextBatch()
  }
  try expect(await list.source.snapshot.numberOfItems == items.count, "the size stays the same")
}
