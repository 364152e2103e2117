import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Numbers that a program gives, at their extremes: nothing traps, and nothing takes time or memory that
/// a number decides.
@Suite(.timeLimit(.minutes(15))) struct GivenNumberTests {
  private typealias Source = DataSourceActor<Int, Int>
  private typealias List = Snapshot<Int, Int>

  private static let numbers = [
    Int.min, .min + 1, -1, 0, 1, 2, 1 << 32, (1 << 53) - 1, 1 << 53, .max - 1, .max,
  ]

  private static func list(_ items: Range<Int>) throws -> List {
    List(sections: [0], items: [Array(items)])
  }

  @Test(arguments: numbers)
  func `Lengths of a history and limits of a backlog`(_ number: Int) async throws {
    for policy in [UpdatePolicy.every(limit: number), .coalesced] {
      let source = Source(options: SourceOptions(history: number))
      var batches = source.updates(policy).makeAsyncIterator()
      for count in 1...4 { try await source.apply(Self.list(0..<count)) }
      let batch = try #require(await batches.next(isolation: nil))
      #expect(batch.snapshot.numberOfItems == 4)
      let change = try await source.undo()
      #expect((change != nil) == (number > 0), "\(number)")
      #expect(await source.snapshot.numberOfItems == (number > 0 ? 3 : 4))
      #expect(source.snapshot(at: .empty) == (number > 4 ? List() : nil))
    }
    let models = Notes(options: SourceOptions(history: number))
    try await models.apply([Note(id: 1)], section: \.folder)
    #expect(try await (models.undo() != nil) == (number > 0))
  }

  private static let durations = [
    Duration.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max),
  ]

  @Test(arguments: durations, durations)
  func `Pauses after failures`(_ first: Duration, _ longest: Duration) {
    for failures in Self.numbers {
      let backoff = Backoff(first: first, longest: longest, failures: failures)
      #expect((.zero...(.longest)).contains(backoff.duration()))
    }
  }

  @Test(arguments: durations)
  func `Throttles`(_ interval: Duration) async throws {
    let source = Source(options: SourceOptions(clock: ImmediateClock()))
    var batches = source.updates(.coalesced(throttle: interval)).makeAsyncIterator()
    for count in 1...3 {
      try await source.apply(Self.list(0..<count))
      #expect(await batches.next(isolation: nil)?.snapshot.numberOfItems == count)
    }
  }

  @Test(arguments: durations)
  func `Time limits and pauses of a shared list`(_ duration: Duration) async throws {
    let log = MemoryLog()
    for option in [
      \ReplicationOptions.timeLimit, \.checkInterval, \.pause, \.longestPause,
    ] {
      var options = ReplicationOptions.quick
      options[keyPath: option] = duration
      let list = try await ReplicatedSourceTests.replica(log.participant(), options: options)
      do {
        let made = try await list.update { $0.appendSections(["\($0.numberOfSections)"]) }.revision
        #expect(await list.revision == made)
      } catch ReplicationError.timedOut {
        #expect(option == \.timeLimit && duration <= .zero)
      } catch ReplicationError.unknownFate {
        #expect(option == \.timeLimit && duration <= .zero)
      }
      // Tasks that wait for the clock do so by now.
      for _ in 0..<100 { await Task.yield() }
      await list.finish()
    }
  }

  @Test(arguments: numbers)
  func `Numbers of a shared list`(_ number: Int) async throws {
    let log = MemoryLog()
    for option in [
      \ReplicationOptions.tries, \.offers, \.revisionsPerState, \.revisionsKept,
    ] {
      var options = ReplicationOptions.quick
      options[keyPath: option] = number
      let list = try await ReplicatedSourceTests.replica(log.participant(), options: options)
      let made = try await list.update { $0.appendSections(["\($0.numberOfSections)"]) }.revision
      #expect(await list.revision == made)
      await list.finish()
    }
  }

  @Test(arguments: durations)
  func `Heartbeats`(_ interval: Duration) async throws {
    let source = Source()
    let options = DeltaEventOptions(heartbeat: interval, lifetime: nil, stall: interval)
    var events = source.events(options: options) { try Array(JSONEncoder().encode($0)) }
      .makeAsyncIterator()
    for _ in 0..<2 { #expect(try await events.next(isolation: nil) != nil) }
    for _ in 0..<1_000 { await Task.yield() }
    withExtendedLifetime(events) {}
  }

  @Test(arguments: durations)
  func `Silences of a mirror`(_ silence: Duration) async throws {
    let source = try Source(Self.list(0..<3))
    let mirror = MirrorSource<UpdateBatch<Int, Int>>()
    let following = Task {
      try await mirror.follow(silence: silence) { token in
        source.events(after: token, clock: ManualClock()) { try Array(JSONEncoder().encode($0)) }
      } decode: { text in
        try JSONDecoder().decode(UpdateDelta<Int, Int>.self, from: Data(text))
      }
    }
    try await wait { await mirror.snapshot.numberOfItems == 3 }
    // What waits for the silence does so by now.
    for _ in 0..<100 { await Task.yield() }
    await source.finish()
    try await ended { try await following.value }
  }

  @Test(arguments: numbers)
  func `Revisions`(_ number: Int) async throws {
    let revision = Revision(number)
    let source = Source()
    for count in 1...2 { try await source.apply(Self.list(0..<count)) }
    let isThere = (0...2).contains(number)
    #expect((source.snapshot(at: revision) != nil) == isThere)
    #expect((await source.difference(from: revision, to: Revision(2)) != nil) == isThere)
    #expect((await source.difference(from: Revision(1), to: revision) != nil) == isThere)
    let token = source.token(for: revision)
    #expect(source.revision(for: token) == (isThere ? revision : nil))
    var batches = source.updates(after: token).makeAsyncIterator()
    if number != 2 {
      let batch = try #require(await batches.next(isolation: nil))
      #expect(batch.target == Revision(2) && batch.base == (isThere ? revision : nil))
    }
    do {
      try await source.apply(Self.list(0..<3), ifRevision: revision)
      #expect(number == 2)
    } catch DataSourceError.conflict(let expected, let actual) {
      #expect(number != 2 && expected == revision && actual == Revision(2))
    }
    do {
      try await source.merge(Self.list(0..<5), basedOn: revision)
      #expect(isThere)
    } catch DataSourceError.unknownRevision(let unknown) {
      #expect(!isThere && unknown == revision)
    }
    // A revision that never comes: whoever waits for it can be cancelled.
    let waiting = Task { await source.delivered(revision) }
    waiting.cancel()
    await waiting.value
  }

  @Test(arguments: numbers)
  func `Batches and deltas that begin at any revision`(_ number: Int) async throws {
    let (old, new) = (try Self.list(0..<3), try Self.list(1..<5))
    let batch = try UpdateBatch(from: old, to: new, base: Revision(number))
    #expect(batch.base == Revision(number) && batch.target >= Revision(number))
    for profile in [ListProfile.collectionView.resetting(past: number), .sequential] {
      #expect(batch.stages(for: profile).last?.snapshot == new)
    }
    // A number that is no index of the format is an error for whoever reads it.
    let isReadable = (0..<(1 << 53) - 2).contains(number)
    let reset = UpdateDelta(try UpdateBatch(showing: old, target: Revision(number)))
    let mirror = MirrorSource<UpdateBatch<Int, Int>>()
    do {
      try await mirror.apply(reset)
      try await mirror.apply(
        UpdateDelta(
          UpdateBatch(from: old, to: new, epoch: Epoch(high: 0, low: 0), base: Revision(number))))
      #expect(isReadable && number + 1 < (1 << 53) - 1)
      #expect(await mirror.snapshot == new)
    } catch {
      #expect(!isReadable, "\(error)")
    }
  }

  @Test(arguments: numbers, numbers)
  func `Paths and indices`(_ section: Int, _ item: Int) throws {
    let path = ItemPath(section: section, item: item)
    let outline = try Outline([5, 7, 6], levels: [0, 1, 0])
    var list = try Self.list(0..<3)
    list.appendSections([1])
    try list.setOutline(outline, forSection: 1)
    let isThere = section == 0 && (0..<3).contains(item) || section == 1 && (0..<2).contains(item)
    #expect((list.itemIdentifier(for: path) != nil) == isThere)
    #expect((list.disclosure(ofItemAt: path) != nil) == (isThere && section == 1))
    #expect((list.outline(ofSectionAt: section) != nil) == (section == 1))
    #expect(list.items(inSectionAt: section).isEmpty == !(0...1).contains(section))
    #expect((list.sectionIdentifier(at: section) != nil) == (0...1).contains(section))

    var set = ItemPathSet([path, path, ItemPath(section: 0, item: 0)])
    #expect(set.contains(ItemPath(section: 0, item: 0)) && (1...3).contains(set.count))
    #expect(Array(set).count == set.count)
    set.append(section: section, items: min(section, item)..<max(section, item))
    #expect(set.count >= 1)
    _ = set.items(inSection: section)

    let new = try Self.list(1..<5)
    var difference = try new.difference(from: Self.list(0..<3))
    let map = PositionMap(difference)
    for result in [map.newPath(forOld: path), map.oldPath(forNew: path), map.newGap(forOld: path)] {
      if let result { #expect(result.section == section) }
    }
    _ = (map.newSection(forOld: section), map.oldSection(forNew: item), map.source(ofMoveTo: path))
    let range = RangeSet(min(section, item)..<max(section, item))
    _ = (map.newSections(forOld: range), map.oldSections(forNew: range))
    _ = (map.newPaths(forOld: set), map.oldPaths(forNew: set))

    // A difference by hand that fits nothing.
    let old = try Self.list(0..<3)
    let changes: [(inout SnapshotDifference) -> Void] = [
      { $0.itemMoves = [Move(from: path, to: path)] },
      { $0.itemMoves = [Move(from: path, to: ItemPath(section: item, item: section))] },
      { $0.sectionMoves = [Move(from: section, to: item), Move(from: item, to: section)] },
      { $0.itemInserts = set }, { $0.itemDeletes = set }, { $0.itemReconfigures = set },
      { $0.itemRenames = set }, { $0.sectionInserts = range }, { $0.sectionDeletes = range },
      { $0.sectionReloads = range }, { $0.outlineChanges = range },
    ]
    for change in changes {
      difference = SnapshotDifference()
      change(&difference)
      #expect(difference.changeCount >= 0 && !difference.description.isEmpty)
      #expect(difference.inverse.inverse.changeCount >= 0)
      _ = PositionMap(difference).newPath(forOld: path)
      _ = try? old.applying(difference, insertsFrom: new)
      var batch = try UpdateBatch(from: old, to: new)
      batch.difference = difference
      // An empty difference needs no stage.
      #expect((batch.stages(for: .collectionView).last?.snapshot ?? new) == new)
      #expect(UpdateDelta(batch).target == batch.token)
    }
  }

  @Test(arguments: numbers)
  func `Levels of rows that were written elsewhere`(_ number: Int) {
    let text = #"[{"id":1},{"id":2,"level":\#(number)}]"#
    let json = #"{"sections":[{"id":0,"items":[1],"outline":\#(text)}]}"#
    let list = try? JSONDecoder().decode(List.self, from: Data(json.utf8))
    #expect(list?.outline(ofSection: 0)?.count == ((0...1).contains(number) ? 2 : nil))
    #expect(Disclosure(level: number) == Disclosure(level: number))
  }
}
