import DiffableTesting
import TestScope
import Testing

@testable import Diffable

@Suite("Participants agree through a log, whatever happens on the way", .timeLimit(.minutes(120)))
struct ReplicationLawTests {
  typealias Edit = ReplicationWorld.Edit

  /// Scripts, faults and stored states; the larger ones belong to the long scope.
  struct Scope: Sendable, CustomTestStringConvertible {
    let scripts: [[Edit]]
    let faults: Int
    let stores: Int
    /// Whether the writes of a participant share appends.
    var isShared = false

    var testDescription: String {
      "\(scripts), \(faults) faults, \(stores) states\(isShared ? ", shared" : "")"
    }

    func world() -> ReplicationWorld {
      ReplicationWorld(scripts, faults: faults, stores: stores, isShared: isShared)
    }
  }

  static let small = [
    Scope(scripts: [[.append], [.prepend]], faults: 1, stores: 0),
    Scope(scripts: [[.append, .deleteFirst], [.moveFirstToEnd]], faults: 0, stores: 0),
    // One that does not know what became of its write may only see a state that is stored after it.
    Scope(scripts: [[.append], []], faults: 2, stores: 1),
  ]
  static let smallShared = [
    Scope(scripts: [[.append, .prepend], [.append]], faults: 0, stores: 0, isShared: true),
    // One of them changes nothing, if it comes first or second.
    Scope(
      scripts: [[.append, .deleteFirst, .deleteFirst], []], faults: 1, stores: 0, isShared: true),
  ]
  /// Two participants with three writes each, which share appends in every way.
  static let largeShared = [
    Scope(
      scripts: [[.append, .prepend, .deleteFirst], [.prepend, .moveFirstToEnd, .append]],
      faults: 0, stores: 0, isShared: true),
    Scope(
      scripts: [[.append, .deleteFirst], [.prepend, .append]], faults: 1, stores: 1, isShared: true),
    Scope(
      scripts: [[.append, .prepend, .deleteFirst], [.prepend, .moveFirstToEnd, .append]],
      faults: 1, stores: 1, isShared: true),
  ]
  static let large = [
    Scope(scripts: [[.append], [.append]], faults: 1, stores: 1),
    Scope(scripts: [[.append], [.prepend]], faults: 2, stores: 0),
    Scope(scripts: [[.append, .deleteFirst], [.moveFirstToEnd]], faults: 1, stores: 0),
    Scope(scripts: [[.append, .deleteFirst], [.prepend]], faults: 2, stores: 1),
    Scope(
      scripts: [[.append, .prepend, .deleteFirst], [.prepend, .moveFirstToEnd, .append]],
      faults: 1, stores: 1),
    Scope(scripts: [[.append], [.prepend], [.deleteFirst]], faults: 1, stores: 1),
  ]

  @Test(
    "Every order of events",
    arguments: isLong ? small + smallShared + large + largeShared : small + smallShared)
  func everyOrder(_ scope: Scope) {
    let exploration = ReplicationExploration(every: scope.world())
    if isLong { print("\(scope.testDescription): \(exploration.states) worlds") }
    #expect(exploration.counterexample == nil, "\(exploration.states) worlds")
    #expect(exploration.states > 100)
  }

  /// What goes wrong with a log, and what is on the way meanwhile.
  static let mishaps: [([ReplicationWorld.Mishap], [[Edit]], stores: Int)] = [
    ([.purge], [[.append], [.append]], 0),
    ([.loseLast], [[.append], [.append]], 0),
    ([.addForeign], [[.append], []], 0),
    ([.refuse(0)], [[.append], []], 0),
    ([.deny(0)], [[.append], []], 0),
    ([.damageState], [[.append], []], 1),
  ]
  static let manyMishaps: [([ReplicationWorld.Mishap], [[Edit]], stores: Int)] = [
    ([.addForeign], [[.append], [.append]], 0),
    ([.refuse(0)], [[.append], [.append]], 0),
    ([.deny(0)], [[.append], [.append]], 0),
    ([.damageState], [[.append], [.append]], 1),
    ([.purge], [[.append, .append], [.append]], 0),
    ([.loseLast], [[.append, .append], [.append]], 0),
    ([.purge, .loseLast], [[.append], [.append]], 0),
    ([.addForeign, .loseLast], [[.append], [.append]], 0),
    ([.damageState, .loseLast], [[.append], [.append]], 1),
    ([.loseLast], [[.append], [.append], [.append]], 0),
  ]

  @Test(
    "Every order of events while the log itself goes wrong",
    arguments: (0..<(mishaps.count + (isLong ? manyMishaps.count : 0))).inScope(usual: 2))
  func everyMishap(_ index: Int) throws {
    let (mishaps, scripts, stores) = (Self.mishaps + Self.manyMishaps)[index]
    let exploration = try ReplicationExploration(everyMishap: mishaps, scripts, stores: stores)
    if isLong { print("\(mishaps), \(scripts): \(exploration.states) worlds") }
    #expect(exploration.counterexample == nil, "\(exploration.states) worlds")
    #expect(exploration.states > 5)
  }

  @Test("Random orders", arguments: 0..<rounds(UInt64(4)))
  func randomOrder(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = isLong ? 5 : 2 + random.number(below: 4)
    let length = isLong ? 1_000 : 16
    let edits: [Edit] = [.append, .append, .prepend, .moveFirstToEnd, .deleteFirst]
    let scripts = (0..<count).map { _ in
      (0..<length).map { _ in edits[random.number(below: edits.count)] }
    }
    let world = ReplicationWorld(
      scripts, faults: count * length / 4, stores: length / 8, isShared: seed.isMultiple(of: 2))
    let exploration = ReplicationExploration(random: world, seed: seed)
    #expect(exploration.counterexample == nil, "seed \(seed)")
    #expect(world.journal.count > length)
  }
}
