import Diffable
import DiffableTesting
import DiffableViews
import Testing
import TestScope

/// A host whose stages take a while, on a clock that only the test moves.
///
/// Everything that can happen by itself has happened before the clock goes on, so what is shown when, is a
/// matter of the clock and of nothing else.
@MainActor
private final class SlowScreen {
  static let stageLength = 50

  let host: Host
  let controller: Controller
  let source: DataSourceActor<Int, Int>
  /// Milliseconds.
  private(set) var now = 0
  /// The newest revision of the source.
  private(set) var live = Revision.empty
  /// When the stage under way ends; `nil` while there is none.
  private var end: Int?
  /// What was the newest revision when the batch under way was asked for, at the least.
  private var asked = Revision.empty
  private(set) var batchCount = 0
  /// How many revisions the longest batch was about.
  private(set) var longestBatch = 0
  private(set) var faults: [String] = []

  init(_ profile: ListProfile, _ source: DataSourceActor<Int, Int>) {
    host = Host(profile: profile)
    controller = Rows().controller(of: host)
    self.source = source
    controller.displayHandler = { [unowned self] in displayed($0) }
  }

  private var shown = Revision.empty

  private func displayed(_ revision: Revision) {
    if revision < asked { faults.append("\(now) ms: \(revision) was shown for \(asked).") }
    batchCount += 1
    longestBatch = max(longestBatch, revision.number - shown.number)
    shown = revision
    asked = live
  }

  /// Begins to be slow, with what is shown.
  func slowDown() {
    host.holdsStages = true
    (live, asked) = (shown, shown)
  }

  /// Somebody has changed the source.
  func wrote(_ revision: Revision) {
    // A list that has nothing to show asks for what comes first.
    if end == nil, shown == live, revision > live { asked = Revision(live.number + 1) }
    live = max(live, revision)
  }

  /// Waits until a stage is under way, or there is nothing to show.
  func settle() async throws {
    try await wait { host.heldStage != nil || shown >= live }
    if host.heldStage != nil, end == nil { end = now + Self.stageLength }
  }

  /// Lets a millisecond pass.
  func tick() async throws {
    now += 1
    guard end == now else { return }
    end = nil
    host.endStage()
    try await settle()
  }

  /// Lets time pass until there is nothing to show.
  func finish() async throws {
    try await settle()
    while shown < live { try await tick() }
  }
}

@Suite("A host whose stages take 50 ms is never behind by more than one batch", .deadline)
@MainActor
struct BackPressureTests {
  @Test(
    "every batch leads to what was the newest state when it was asked for", arguments: everyProfile)
  func slowHost(profile: ListProfile) async throws {
    for seed in 0..<UInt64(scoped(usual: 2, wide: 4, long: 100)) {
      var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
      let source = try DataSourceActor<Int, Int>(
        generator.snapshot(.uneven(sections: 3, items: 12)))
      let screen = SlowScreen(profile, source)
      let following = Task { await screen.controller.follow(source) }
      try await wait { screen.controller.revision != nil }
      screen.slowDown()
      for _ in 0..<1_000 {
        // Now and then nobody writes for a while, and the list comes to rest.
        if screen.now / 200 % 3 < 2, generator.random.chance(oneIn: 5) {
          screen.wrote(
            try await source.apply(next(after: await source.snapshot, &generator)).revision)
          try await screen.settle()
        }
        try await screen.tick()
      }
      try await screen.finish()
      await source.finish()
      #expect(await following.value == .sourceFinished, "seed \(seed)")
      #expect(screen.faults == [], "seed \(seed)")
      #expect(screen.longestBatch > 4, "seed \(seed)")
      #expect(screen.batchCount > 4, "seed \(seed)")
      let live = await source.snapshot
      #expect(screen.controller.snapshot == live, "seed \(seed)")
      #expect(screen.host.texts == live.itemIdentifiers.map(String.init), "seed \(seed)")
      #expect(screen.host.violations == [], "seed \(seed)")
    }
  }

  /// A list that differs, and does not grow for ever.
  private func next(
    after list: List, _ generator: inout SnapshotGenerator<Int, Int>
  ) -> List {
    guard list.numberOfItems < 40 else {
      return generator.snapshot(.uneven(sections: 3, items: 12))
    }
    let changes: [SnapshotChange] = [
      .movedItems, .insertedItems, .deletedItems, .shuffledSections, .marked, .mixed,
    ]
    return generator.changing(list, by: generator.random.element(of: changes) ?? .mixed)
  }
}
