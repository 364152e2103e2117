import Diffable
import DiffableTesting
import Foundation
import Synchronization

private let count = 1_000_000

/// The longest time that the main actor kept somebody waiting while others work on a large list.
///
/// A thread posts a job to the main queue every millisecond, and the job notes how late it is. The
/// machine itself lets jobs wait under load, so the same is measured under a load of the same kind
/// that has nothing to do with the library; the difference is what the library adds.
func probeStalls() async throws {
  let lists = [
    [UUID].seeded(count, seed: 61),
    Workload<UUID>.scattered(count: count, deleted: 1_000, inserted: 1_000, moved: 200).new,
  ]
  for (name, load) in [
    ("idle", { _ in }), ("control", control), ("applied", applied), ("asked", asked),
  ] as [(String, @Sendable ([[UUID]]) async throws -> Void)] {
    var stalls: [Double] = []
    for _ in 0..<5 {
      stalls.append(try await longestStall(during: { try await load(lists) }))
    }
    try Figure(name: "stall/\(name)/\(count)/ours", unit: .seconds, values: stalls).print()
  }
}

/// Two tasks that copy and compare without pause, as an apply and a subscriber do.
@Sendable private func control(_ lists: [[UUID]]) async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<2 {
      group.addTask {
        while !Task.isCancelled {
          for list in lists { precondition(list.remapped() == list) }
          // Whoever ends this needs a thread to do it on.
          await Task.yield()
        }
      }
    }
  }
}

/// A writer that applies fresh lists without pause, and a renderer on the main actor.
@Sendable private func applied(_ lists: [[UUID]]) async throws {
  try await follow(lists) { _, _ in }
}

/// The same with a renderer that asks for the place of an item.
@Sendable private func asked(_ lists: [[UUID]]) async throws {
  try await follow(lists) { snapshot, item in
    precondition(snapshot.itemPath(for: item) != nil)
  }
}

private func follow(
  _ lists: [[UUID]], _ look: @escaping @MainActor (Snapshot<Int, UUID>, UUID) -> Void
) async throws {
  let source = DataSourceActor<Int, UUID>()
  let renderer = Task { @MainActor in
    var shown = Snapshot<Int, UUID>()
    for await batch in source.updates() {
      shown = batch.snapshot
      if let item = shown.itemIdentifier(for: ItemPath(section: 0, item: 0)) { look(shown, item) }
    }
  }
  while !Task.isCancelled {
    for list in lists { _ = try? await source.apply(Snapshot(items: list.remapped())) }
  }
  await source.finish()
  await renderer.value
}

/// The longest wait on the main queue while a function runs that ends when it is cancelled.
private func longestStall(
  during load: @escaping @Sendable () async throws -> Void
) async throws -> Double {
  let working = Task.detached { try await load() }
  let longest = await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: longestWaitOnMain(seconds: 1.5)) }
  }
  working.cancel()
  try await working.value
  return longest
}

/// Posts jobs to the main queue, one a millisecond, and answers how late the latest was.
private func longestWaitOnMain(seconds: Double) -> Double {
  let longest = LongestWait()
  let end = longest.clock.now + .seconds(seconds)
  while longest.clock.now < end {
    let posted = longest.clock.now
    DispatchQueue.main.async { longest.note(since: posted) }
    usleep(1_000)
  }
  return DispatchQueue.main.sync { longest.seconds }
}

private final class LongestWait: Sendable {
  let clock = ContinuousClock()
  private let wait = Mutex(Duration.zero)

  func note(since instant: ContinuousClock.Instant) {
    let late = clock.now - instant
    wait.withLock { $0 = max($0, late) }
  }

  var seconds: Double { wait.withLock { $0 / .seconds(1) } }
}
