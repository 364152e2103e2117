import Diffable
import DiffableSync
import Foundation
import Synchronization

/// What a change costs each of many followers, beside a stream that yields ready bytes to as many tasks.
///
/// Processor time: all followers of the process go from one revision to the next.
func probeFollowers() async throws {
  let (followers, changes, rounds) = (5_000, 10, 5)
  let source = ModelSource<Int, Model>()
  let models = [Model](ids: [UUID].seeded(1_000, seed: 83))
  try await source.apply(models) { _ in 0 }
  let encoding = DeltaEncoding<ModelBatch<Int, Model>> { delta in
    let encoder = JSONEncoder()
    return try delta.json { try Array(encoder.encode($0)) }
  }

  let arrivals = Arrivals()
  var options = DeltaEventOptions()
  (options.lifetime, options.heartbeat) = (nil, .seconds(3_600))
  let responses = (0..<followers).map { _ in
    Task { [options] in
      for try await _ in source.events(options: options, encoding: encoding) { arrivals.arrive() }
    }
  }
  // How each response begins, and the first state.
  await arrivals.wait(for: 2 * followers)
  var ours: [Double] = []
  for round in 0..<rounds {
    let start = processorTime()
    for change in 0..<changes {
      var model = models[change]
      model.count += round + 1
      arrivals.begin()
      try await source.setModel(model)
      await arrivals.wait(for: followers)
    }
    ours.append((processorTime() - start) / Double(changes * followers))
  }
  for response in responses { response.cancel() }

  var continuations: [AsyncStream<[UInt8]>.Continuation] = []
  for _ in 0..<followers {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuations.append(continuation)
    Task { for await _ in stream { arrivals.arrive() } }
  }
  let bytes = [UInt8](repeating: 1, count: 400)
  var plain: [Double] = []
  // The first round starts the tasks.
  for _ in 0...rounds {
    let start = processorTime()
    for _ in 0..<changes {
      arrivals.begin()
      for continuation in continuations { continuation.yield(bytes) }
      await arrivals.wait(for: followers)
    }
    plain.append((processorTime() - start) / Double(changes * followers))
  }
  plain.removeFirst()
  for continuation in continuations { continuation.finish() }
  try Figure(name: "followers/\(followers)/ours", unit: .seconds, values: ours).print()
  try Figure(name: "followers/\(followers)/stream", unit: .seconds, values: plain).print()
}

/// Counts arrivals, and wakes a task at a number of them.
private final class Arrivals: Sendable {
  private let state = Mutex(
    (count: 0, goal: Int.max, waiter: CheckedContinuation<Void, Never>?.none))

  /// Starts counting again.
  func begin() { state.withLock { $0.count = 0 } }

  func arrive() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count += 1
      guard state.count >= state.goal else { return nil }
      defer { (state.goal, state.waiter) = (.max, nil) }
      return state.waiter
    }
    waiter?.resume()
  }

  func wait(for goal: Int) async {
    await withCheckedContinuation { waiter in
      let isReached = state.withLock { state in
        guard state.count < goal else { return true }
        (state.goal, state.waiter) = (goal, waiter)
        return false
      }
      if isReached { waiter.resume() }
    }
  }
}
