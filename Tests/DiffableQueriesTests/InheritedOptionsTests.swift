import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableQueries

/// A derived list keeps no more than the list that it shows, unless it is told to.
@Suite("A derived source takes the history and the clock of its base", .deadline)
struct InheritedOptionsTests {
  private let clock = ManualClock()

  private func base(_ history: Int, bytes: Int? = nil) -> Notes {
    Notes(options: SourceOptions(history: history, historyBytes: bytes, clock: clock))
  }

  private func hubs(of base: Notes, _ options: SourceOptions? = nil) -> [Hub] {
    let other = Notes()
    let chain = base.derived(options: options) { $0.filter { $0.id > 0 } }
    return [
      chain.reader.hub, chain.derived(options: options) { $0.prefix(2) }.reader.hub,
      base.merged(with: other, options: options).reader.hub,
      base.joined(with: other, by: \.id, options: options) { note, _ in note }.reader.hub,
      base.joined(withMany: other, by: \.id, options: options) { note, _ in note }.reader.hub,
      base.joined(withEachOf: other, by: \.id, options: options).reader.hub,
      base.outlined(withEachOf: other, by: \.id, options: options).reader.hub,
      base.flatMapped(options: options) { [$0] }.reader.hub,
      base.abridged(to: 2, options: options).reader.hub,
      base.intersection(other, options: options).reader.hub,
      base.subtracting(other, options: options).reader.hub,
    ]
  }

  @Test(arguments: [0, 1, 8, 64, Int.max]) func `Of every kind and length`(history: Int) {
    for hub in hubs(of: base(history, bytes: 4_096)) {
      #expect(hub.historyLength == history && hub.historyBytes == 4_096)
      #expect(hub.clock as? ManualClock === clock)
    }
  }

  @Test func `What it is told counts`() {
    for hub in hubs(of: base(8), SourceOptions(history: 3)) {
      #expect(hub.historyLength == 3 && hub.historyBytes == nil)
      #expect(hub.clock is ContinuousClock)
    }
  }
}
