import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("Items found without a table")
struct ScanTests {
  @Test("A scan finds what the table finds", arguments: 0..<UInt64(rounds(4)))
  func places(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var live = LiveState<Int, Int>()
    _ = try live.apply(generator.snapshot(.uneven(sections: 6, items: 900)), duplicates: .reject)
    let detached = live.snapshot.detached
    var sought = live.snapshot.itemIdentifiers.filter { _ in
      generator.random.chance(oneIn: 40)
    }
    sought.append(-1)
    let places = try #require(detached.scan(for: sought), "seed \(seed)")
    for (item, places) in zip(sought, places) {
      #expect(places == live.snapshot.paths(ofItem: item), "seed \(seed), item \(item)")
    }
    #expect(
      Set(detached.firstPaths(ofItems: sought))
        == Set(sought.compactMap(live.snapshot.itemPath(for:))), "seed \(seed)")
    #expect(detached.base.resolution?.cached == nil, "seed \(seed)")
  }

  @Test("Only a value that is asked often makes a table")
  func seldom() throws {
    var live = LiveState<Int, Int>()
    _ = try live.apply(Snapshot(contents: [(0, Array(0..<1_000))]), duplicates: .reject)
    let detached = live.snapshot.detached
    #expect(detached.itemPath(for: 998) == ItemPath(section: 0, item: 998))
    #expect(!detached.containsItem(1_000) && detached.base.resolution?.cached == nil)
    for item in 0..<100 {
      #expect(detached.itemPath(for: item) == ItemPath(section: 0, item: item))
    }
    #expect(detached.base.resolution?.cached != nil)
  }

  @Test("What a writer has made asks the table of the live state, as the state itself does")
  func made() throws {
    var live = LiveState<Int, Int>()
    let start = live.snapshot
    let new = Snapshot<Int, Int>(contents: [(0, Array(0..<1_000))])
    let made = try #require(try live.apply(new, duplicates: .reject)).snapshot
    let replay = Replay(from: start, to: made, .init())
    for item in 0..<1_000 {
      #expect(replay.result.itemPath(for: item) == ItemPath(section: 0, item: item))
      #expect(!replay.result.containsItem(-1 - item))
    }
    #expect(replay.result.base.resolution?.cached == nil)
  }

  @Test("An array that is not hashed yet is not scanned")
  func arrays() {
    let snapshot = Snapshot<Int, Int>(contents: [(0, Array(0..<1_000))])
    #expect(snapshot.scan(for: [3]) == nil)
    #expect(snapshot.itemPath(for: 3) == ItemPath(section: 0, item: 3))
  }
}
