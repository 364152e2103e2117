import Diffable
import DiffableTesting
import Foundation

/// The engine as it runs for a program in another module, or compiled together with one.
///
/// This file belongs to two programs. Where the library's own sources are part of the module, its
/// names mean those and not the imported ones.
func probeSpecialisation(of build: String) async throws {
  try await measure("uuid", UUID.self, build)
  try await measure("int", Int.self, build)
  try await measure("string", String.self, build)
}

private func measure<ID: SeededIdentifier>(
  _ name: String, _ type: ID.Type, _ build: String
) async throws {
  let scattered = Workload<ID>.scattered(
    count: 100_000, deleted: 10_000, inserted: 10_000, moved: 2_000)
  let list = try await Followed(scattered.old)
  var (equal, fresh, update): ([Double], [Double], [Double]) = ([], [], [])
  var random = SplitMix64(seed: 71)
  for _ in 0..<15 {
    let same = scattered.old.remapped()
    var start = processorTime()
    try await list.source.apply(Snapshot(items: same))
    equal.append(processorTime() - start)

    let new = scattered.new.remapped()
    start = processorTime()
    _ = try await list.applyFresh(new)
    fresh.append(processorTime() - start)
    _ = try await list.applyFresh(scattered.old)

    let pairs = (0..<500).map { _ in
      (ID(&random), scattered.old[random.number(below: scattered.old.count)])
    }
    start = processorTime()
    for (arrival, anchor) in pairs {
      try await list.source.update {
        try $0.insertItems([arrival], afterItem: anchor)
      }
      _ = try await list.nextBatch()
    }
    update.append((processorTime() - start) / Double(pairs.count))
    _ = try await list.applyFresh(scattered.old)
  }
  for (workload, times) in [("equal", equal), ("scattered", fresh), ("update", update)] {
    try Figure(
      name: "specialisation/\(workload)-\(name)/100000/\(build)", unit: .seconds, values: times
    ).print()
  }
}
