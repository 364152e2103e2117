import Diffable
import DiffableTesting
import Foundation

/// The time from the call of a writer until another task, which waits, has what was written.
///
/// Most of it is the waking of that task, so the same is measured where an actor does nothing but
/// hand a number over.
func probeDelivery() async throws {
  let count = 10
  let items = [UUID].seeded(count + 1, seed: 81)
  // One row is replaced by another, and back.
  let lists = [Array(items[..<count]), Array(items[..<5] + items[6...])]
  let source = DataSourceActor<Int, UUID>()
  var (ours, bare): ([Double], [Double]) = ([], [])
  // In turns, so that both meet the same machine.
  for _ in 0..<20 {
    ours += try await delays(until: source.updates(), reaches: \.target.number) { turn in
      try await source.apply(Snapshot(items: lists[turn % 2].remapped())).revision.number
    }
    let relay = Relay()
    bare += try await delays(until: relay.numbers, reaches: \.self) { _ in await relay.send() }
  }
  try Figure(name: "delivery/apply/\(count)/ours", unit: .seconds, values: ours).print()
  try Figure(name: "delivery/apply/\(count)/bare", unit: .seconds, values: bare).print()
}

/// An actor that hands numbers over to another task.
private actor Relay {
  nonisolated let numbers: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation
  private var count = 0

  init() {
    (numbers, continuation) = AsyncStream.makeStream()
  }

  func send() -> Int {
    count += 1
    continuation.yield(count)
    return count
  }
}

/// How long each of some calls takes until another task has the number that it answers.
///
/// Nothing is sent before the task has taken what was sent last.
private func delays<Element: Sendable>(
  until stream: AsyncStream<Element>, reaches number: @escaping @Sendable (Element) -> Int,
  _ send: (_ turn: Int) async throws -> Int
) async throws -> [Double] {
  let clock = ContinuousClock()
  let (arrivals, taken) = AsyncStream<(number: Int, at: ContinuousClock.Instant)>.makeStream()
  let reader = Task.detached {
    for await element in stream { taken.yield((number(element), clock.now)) }
  }
  defer { reader.cancel() }
  var arrival = arrivals.makeAsyncIterator()
  var delays: [Double] = []
  for turn in 0..<100 {
    let start = clock.now
    let sent = try await send(turn)
    var last = await arrival.next()
    // A subscriber is handed first what was there before it.
    while let early = last, early.number < sent { last = await arrival.next() }
    guard let last, last.number == sent else { throw WrongResult(expectation: "what was sent") }
    delays.append((last.at - start) / .seconds(1))
  }
  return delays
}
