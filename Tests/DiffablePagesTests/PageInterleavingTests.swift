import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffablePages

/// The machine and the writer of pages, in every order of events up to a depth, and in long random
/// ones.
@Suite(.deadline) struct PageInterleavingTests {
  /// What there is to page through, and how.
  struct Setting: CustomTestStringConvertible, Sendable {
    let name: String
    let backend: PagedBackend
    let options: PageOptions
    /// Where the first page is.
    var origin = PagePlace<Int>.first
    var hasPlaceholders = false
    /// Whether all rows can be in the list at the same time, without gaps.
    var isWhole = true
    /// The backend does not change.
    var isConstant = false
    /// The source merges two versions of a model.
    var merges = false

    var testDescription: String { name }

    var world: PageWorld {
      var world = PageWorld(
        backend, options: options, origin: origin, hasPlaceholders: hasPlaceholders,
        merges: merges)
      if isConstant { (world.isConstant, world.budget.backend) = (true, 0) }
      return world
    }

    /// The same, where more may change.
    var randomWorld: PageWorld {
      var world = world
      world.budget = (others: 8, backend: isConstant ? 0 : 5)
      return world
    }

    static func backend(
      _ cursors: PagedBackend.Cursors, isTwoWay: Bool = true, first: Int = .min,
      saysCounts: Bool = false
    ) -> PagedBackend {
      var backend = PagedBackend([10, 20, 30, 40, 50, 60, 70])
      (backend.cursors, backend.isTwoWay, backend.first) = (cursors, isTwoWay, first)
      backend.saysCounts = saysCounts
      return backend
    }

    static let all: [Setting] = [
      Setting(
        name: "cursors are rows, both ways from the middle", backend: backend(.rows, first: 30),
        options: PageOptions(pageSize: 2, prefetchDistance: 0)),
      Setting(
        name: "cursors are indices, both ways from the middle",
        backend: backend(.indices, first: 30),
        options: PageOptions(pageSize: 2, prefetchDistance: 1)),
      Setting(
        name: "one way, with automatic attempts", backend: backend(.indices, isTwoWay: false),
        options: PageOptions(pageSize: 2, prefetchDistance: 1, retryDelays: [.seconds(1)])),
      Setting(
        name: "rows, pages are dropped", backend: backend(.rows),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 4), isWhole: false),
      Setting(
        name: "indices, pages are dropped", backend: backend(.indices, first: 30),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 3), isWhole: false),
      Setting(
        name: "one way, pages are dropped", backend: backend(.rows, isTwoWay: false),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 4), isWhole: false),
      Setting(
        name: "one way from the middle, pages are dropped",
        backend: backend(.rows, isTwoWay: false),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 4),
        origin: .after(20), isWhole: false),
      Setting(
        name: "placeholders", backend: backend(.rows, first: 30, saysCounts: true),
        options: PageOptions(pageSize: 2, prefetchDistance: 0), hasPlaceholders: true),
      Setting(
        name: "placeholders, and a backend that never changes",
        backend: backend(.rows, first: 30, saysCounts: true),
        options: PageOptions(pageSize: 2, prefetchDistance: 1), hasPlaceholders: true,
        isConstant: true),
      Setting(
        name: "models are merged", backend: backend(.rows, first: 30),
        options: PageOptions(pageSize: 2, prefetchDistance: 0), merges: true),
      Setting(
        name: "models are merged, and pages are dropped", backend: backend(.indices),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 4), isWhole: false,
        merges: true),
      Setting(
        name: "placeholders for pages that are dropped",
        backend: backend(.indices, saysCounts: true),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumCount: 4),
        hasPlaceholders: true, isWhole: false, isConstant: true),
      Setting(
        name: "few placeholders", backend: backend(.rows, first: 30, saysCounts: true),
        options: PageOptions(pageSize: 2, prefetchDistance: 0, maximumPlaceholderCount: 1),
        hasPlaceholders: true),
      Setting(
        name: "few placeholders, and pages are dropped",
        backend: backend(.indices, saysCounts: true),
        options: PageOptions(
          pageSize: 2, prefetchDistance: 0, maximumCount: 4, maximumPlaceholderCount: 2),
        hasPlaceholders: true, isWhole: false, isConstant: true),
    ]
  }

  @Test(arguments: Setting.all.inScope(usual: 2, wide: 2))
  func `No order of few events breaks a law`(_ setting: Setting) {
    var exploration = PageExploration(isWhole: setting.isWhole)
    exploration.explore(setting.world, depth: scoped(usual: 3, wide: 4, long: 6))
    #expect(exploration.counterexample == nil)
    #expect(exploration.worlds.count > (isWide ? 100 : 20), "the events make a difference")
  }

  @Test(arguments: Setting.all.filter { !$0.isWhole }.inScope(usual: 2))
  func `Nor does any order of few events after the first page was dropped`(_ setting: Setting) {
    var world = setting.world
    for event: PageWorld.Event in [.refresh, .load(.end), .load(.end)] {
      world.step(event)
      world.step(.answer(0))
    }
    #expect(world.faults.isEmpty && world.machine.ledger.numbers.lowerBound == 1)
    var exploration = PageExploration(isWhole: false)
    exploration.explore(world, depth: scoped(usual: 1, wide: 2, long: 4))
    #expect(exploration.counterexample == nil)
  }

  @Test(arguments: Setting.all.inScope(usual: 4))
  func `Nor does what one changes before a page or a refresh`(_ setting: Setting) {
    let ends: [PageWorld.Event] = PageEnd.allCases.flatMap { end in
      [.delete(end), .edit(end), .add(end), .backendInserts(end)]
    }
    let events: [PageWorld.Event] =
      ends + [.addBetween, .move, .moveAway, .backendDeletes, .backendChanges]
    var start = setting.world
    start.step(.refresh)
    start.step(.answer(0))
    for event in events where start.enabled.contains(event) {
      for next: PageWorld.Event in [.load(.end), .load(.start), .refresh] {
        var world = start
        for event in [event, next] { world.step(event) }
        world.settle()
        if world.faults.isEmpty { world.checkAtRest(isWhole: setting.isWhole) }
        #expect(world.faults.isEmpty, "\(event), and then \(next): \(world.faults)")
      }
    }
  }

  @Test(arguments: Setting.all)
  func `No random order of many events breaks a law`(_ setting: Setting) {
    let seed: UInt64 = 20_250_914
    var random = SplitMix64(seed: seed)
    for round in 0..<rounds(10) {
      let start = setting.randomWorld
      var world = start
      var events: [PageWorld.Event] = []
      while events.count < 50, world.faults.isEmpty {
        // What has been asked for is mostly answered.
        let enabled = world.enabled + world.asked.indices.flatMap { [.answer($0), .answer($0)] }
        guard let event = random.element(of: enabled) else { break }
        events.append(event)
        world.step(event)
      }
      if world.faults.isEmpty { world.checkAtRest(isWhole: setting.isWhole) }
      guard !world.faults.isEmpty else { continue }
      let (fewest, faults) = start.shrunk(events, isWhole: setting.isWhole)
      Issue.record("seed \(seed), round \(round): \(fewest): \(faults)")
      return
    }
  }
}

extension PageWorld {
  /// What comes of events; those that cannot happen are left out.
  private func faults(after events: [Event], isWhole: Bool) -> [String] {
    var world = self
    for event in events where world.faults.isEmpty && world.enabled.contains(event) {
      world.step(event)
    }
    if world.faults.isEmpty { world.checkAtRest(isWhole: isWhole) }
    return world.faults
  }

  /// Events that break a law, none of which can be left out.
  func shrunk(_ events: [Event], isWhole: Bool) -> (events: [Event], faults: [String]) {
    var events = events
    var index = 0
    while index < events.count {
      var fewer = events
      fewer.remove(at: index)
      if faults(after: fewer, isWhole: isWhole).isEmpty {
        index += 1
      } else {
        (events, index) = (fewer, 0)
      }
    }
    return (events, faults(after: events, isWhole: isWhole))
  }
}

/// Drives a world through every order of events, each world once.
struct PageExploration {
  let isWhole: Bool
  private(set) var counterexample: String?
  /// The depth that was left where a world was met.
  private(set) var worlds: [String: Int] = [:]
  private var events: [PageWorld.Event] = []

  init(isWhole: Bool) { self.isWhole = isWhole }

  mutating func explore(_ world: PageWorld, depth: Int) {
    let key = world.key
    guard worlds[key, default: -1] < depth else { return }
    let isNew = worlds.updateValue(depth, forKey: key) == nil
    if isNew, depth == 0 || worlds.count.isMultiple(of: 4) {
      var world = world
      world.checkAtRest(isWhole: isWhole)
      note(world)
    }
    guard depth > 0 else { return }
    for event in world.enabled where counterexample == nil {
      var next = world
      events.append(event)
      next.step(event)
      note(next)
      if counterexample == nil { explore(next, depth: depth - 1) }
      events.removeLast()
    }
  }

  private mutating func note(_ world: PageWorld) {
    guard counterexample == nil, !world.faults.isEmpty else { return }
    counterexample = "\(events): \(world.faults.joined(separator: "; "))"
  }
}
