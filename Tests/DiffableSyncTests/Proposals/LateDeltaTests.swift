import DiffableTesting
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// What an answer has brought comes once more with the stream, at any time.
@Suite("Answers and deltas in every order") struct LateDeltaTests {
  typealias World = LateWorld

  @Test("Lost, twice, late, after a cut or a reset: what the list has had is skipped")
  func everyOrder() throws {
    var (count, faults) = (0, [String]())
    func explore(_ events: [World.Event]) throws {
      var world = try World(faults: 2)
      for (index, event) in events.enumerated() {
        guard let fault = try world.perform(event), index == events.count - 1 else { continue }
        return faults.append("\(fault), after \(events)")
      }
      count += 1
      let next = world.events
      if let fault = try world.finish() { faults.append("\(fault), after \(events)") }
      guard events.count < scoped(usual: 4, wide: 5, long: 7) else { return }
      for event in next { try explore(events + [event]) }
    }
    try explore([])
    #expect(faults.isEmpty, "\(faults.count) of \(count), first: \(faults.first ?? "")")
    #expect(count > 300)
  }

  @Test("The same in long random runs with many faults")
  func random() throws {
    for seed in 0..<UInt64(rounds(1_600)) {
      var random = SplitMix64(seed: seed)
      var (world, path) = (try World(faults: 12), [World.Event]())
      for _ in 0..<40 {
        guard let event = random.element(of: world.events) else { break }
        path.append(event)
        let fault = try world.perform(event)
        try #require(fault == nil, "seed \(seed): \(fault ?? ""), after \(path)")
      }
      let fault = try world.finish()
      try #require(fault == nil, "seed \(seed): \(fault ?? ""), after \(path)")
    }
  }
}
