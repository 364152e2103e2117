import Diffable
import DiffableSync
import Foundation
import Synchronization

private let followers = 5_000
private let rounds = 5
private let burst = 5

/// What a change costs each of many followers, beside a stream that yields ready bytes to as many tasks.
///
/// Processor time: all followers of the process go from one revision to the next. Then changes come in bursts of
/// five, so each goes from the first of them to the last one at once. There the followers do as much work for an
/// event as a server framework does that sends it.
func probeFollowers() async throws {
  for isLagging in [false, true] {
    let size = isLagging ? "lagging-\(followers)" : "\(followers)"
    try Figure(
      name: "followers/\(size)/ours", unit: .seconds, values: await ours(isLagging)
    ).print()
    try Figure(
      name: "followers/\(size)/stream", unit: .seconds, values: await readyBytes(isLagging)
    ).print()
  }
}

private func ours(_ isLagging: Bool) async throws -> [Double] {
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
      for try await bytes in source.events(options: options, encoding: encoding) {
        arrivals.arrive(bytes, isLagging)
      }
    }
  }
  // How each response begins, and the first state.
  await arrivals.wait(for: 2 * followers)
  let costs = try await arrivals.costs { number in
    let revision = try await change(source, models, number, times: isLagging ? burst : 1)
    if isLagging { await source.delivered(revision) } else { await arrivals.wait(for: followers) }
  }
  for response in responses { response.cancel() }
  for response in responses { _ = await response.result }
  return costs
}

/// Changes one model a few times, with nothing in between.
private func change(
  _ source: isolated ModelSource<Int, Model>, _ models: [Model], _ number: Int, times: Int
) throws -> Revision {
  var model = models[number % 10]
  var revision = Revision.empty
  for time in 1...times {
    model.count += number * burst + time
    revision = try source.setModel(model).revision
  }
  return revision
}

private func readyBytes(_ isLagging: Bool) async throws -> [Double] {
  let arrivals = Arrivals()
  var continuations: [AsyncStream<[UInt8]>.Continuation] = []
  for _ in 0..<followers {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
    continuations.append(continuation)
    Task {
      for await bytes in stream { arrivals.arrive(bytes, isLagging, isLast: bytes[0] == 0) }
    }
  }
  let all = continuations
  // The first round starts the tasks.
  let costs = try await arrivals.costs { _ in
    for left in (0..<(isLagging ? burst : 1)).reversed() {
      let bytes = [UInt8](repeating: UInt8(left), count: 400)
      for continuation in all { continuation.yield(bytes) }
    }
    await arrivals.wait(for: followers)
  }
  for continuation in continuations { continuation.finish() }
  return costs
}

/// Counts arrivals, and wakes a task at a number of them.
private final class Arrivals: Sendable {
  private let state = Mutex(
    (count: 0, goal: Int.max, waiter: CheckedContinuation<Void, Never>?.none))
  private let total = Atomic(0)
  private let digest = Atomic<UInt64>(0)

  /// The processor time of each arrival, in each round after the first.
  ///
  /// - Parameter change: Makes a change, or a burst of them, and waits until all followers have it.
  func costs(_ change: (_ number: Int) async throws -> Void) async throws -> [Double] {
    var costs: [Double] = []
    let changes = 10
    for round in 0...rounds {
      let (start, before) = (processorTime(), total.load(ordering: .relaxed))
      for number in 0..<changes {
        begin()
        try await change(round * changes + number)
      }
      let count = total.load(ordering: .relaxed) - before
      costs.append((processorTime() - start) / Double(count))
    }
    return Array(costs.dropFirst())
  }

  /// Starts counting again.
  func begin() { state.withLock { $0.count = 0 } }

  /// - Parameter isLast: Whether somebody may wait for it.
  func arrive(_ bytes: [UInt8], _ hasWork: Bool, isLast: Bool = true) {
    if hasWork { digest.bitwiseXor(work(bytes), ordering: .relaxed) }
    total.add(1, ordering: .relaxed)
    guard isLast else { return }
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.count += 1
      guard state.count >= state.goal else { return nil }
      defer { (state.goal, state.waiter) = (.max, nil) }
      return state.waiter
    }
    waiter?.resume()
  }

  /// About twenty microseconds.
  private func work(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for _ in 0..<(14_000 / max(1, bytes.count)) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    }
    return hash
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
