import DiffableTesting
import Foundation
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableEngine
@testable import DiffableSync

@Suite("The place of a revision is that which the entries of the log make", .deadline)
struct LogHistoryTests {
  private typealias Delta = UpdateDelta<String, Int>

  /// A log that stands still.
  private struct Log: RevisionLog {
    var ids: [WriteID]
    /// How many of the first entries were dropped.
    var dropped = 0
    /// How many entries before those that were asked for come with them, as far as there are any.
    var surplus = 0
    var states: [StoredState] = []

    func epoch() async throws(RevisionLogError) -> Epoch { Epoch() }

    func append(
      _ entries: [LogEntry], after revision: Revision
    ) async throws(RevisionLogError) -> Bool { false }

    func entries(
      after known: @escaping @Sendable () -> Revision
    ) async throws(RevisionLogError) -> LogPage {
      guard known().number >= dropped, known().number < ids.count else { return .cut }
      let first = max(dropped, known().number - surplus)
      return .entries(ids[first...].map { LogEntry(id: $0, delta: []) }, after: Revision(first))
    }

    func newestState() async throws(RevisionLogError) -> StoredState? { states.last }

    func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
      states.last { $0.revision < revision }
    }

    func store(
      _ state: StoredState, droppingEntriesThrough revision: Revision
    ) async throws(RevisionLogError) {}
  }

  private func state(_ place: HistoryPlace, in epoch: Epoch) -> StoredState {
    let token = ResumeToken(epoch: epoch, place: place)
    return StoredState(
      revision: place.revision,
      reset: Array(
        #"{"format":1,"target":"\#(token)","counts":{"sections":0,"items":0}}"#.utf8))
  }

  /// Some stored states are of this history, and that of the revision itself is of another one.
  ///
  /// It is the state of a participant whose entries were lost.
  @Test("Whatever entries were dropped, and whichever states are stored", arguments: 0..<16)
  func places(kept: Int) async throws {
    let epoch = Epoch()
    let ids = (0..<4).map { WriteID(ofForeignMessage: UInt64($0)) }
    let places = ids.reduce(into: [HistoryPlace.start]) { $0.append($0[$0.count - 1].next($1)) }
    for (revision, isDamaged) in (1...4).flatMap({ [($0, false), ($0, true)] }) {
      let other = HistoryPlace(revision: Revision(revision), digest: HistoryDigest(bits: 12345))
      for (dropped, surplus) in [(0, 0), (0, 1), (0, 3), (1, 0), (2, 1), (3, 2)] {
        var log = Log(ids: ids, dropped: dropped, surplus: surplus)
        var stored = (1..<revision).filter { kept & 1 << $0 != 0 }
        log.states = stored.map { state(places[$0], in: epoch) } + [state(other, in: epoch)]
        // One that is damaged is as good as none.
        if isDamaged, let last = stored.popLast() {
          log.states[stored.count] = StoredState(revision: Revision(last), reset: Array("{".utf8))
        }
        let history = LogHistory<Delta>(
          log: log, epoch: epoch,
          coder: DeltaCoder(
            encode: { try Array(JSONEncoder().encode($0)) },
            decode: { try JSONDecoder().decode(Delta.self, from: Data($0)) }),
          limits: DeltaLimits())
        // From the newest state before it, or from the beginning, all entries have to be there.
        let start = stored.last ?? 0
        let found = try await history.place(of: Revision(revision))
        let comment: Comment = "\(revision), \(dropped) dropped, \(surplus) more, states \(stored)"
        if start >= dropped {
          #expect(found == places[revision], comment)
        } else {
          // Where nothing else is left, the state of the revision itself has to be believed.
          #expect(found == (stored.isEmpty ? other : nil), comment)
        }
      }
    }
  }

  private func place(_ names: [UInt64]) -> HistoryPlace {
    names.reduce(.start) { $0.next(WriteID(ofForeignMessage: $1)) }
  }

  @Test("Every sequence of names has a digest of its own, which tells histories apart")
  func sequences() {
    let all = everySequence(of: [0, 1, 2, 3] as [UInt64], upTo: 6)
    let places = all.map(place)
    #expect(Set(places.map(\.digest)).count == all.count)
    #expect(zip(all, places).allSatisfy { $0.count == $1.revision.number })
    #expect(places.dropFirst().allSatisfy { $0.digest != .none })
  }

  /// Other programs that read a log compute the same.
  @Test("The digest is the one that is documented")
  func documented() {
    #expect(place([]).digest.bits == 0)
    func mixed(_ number: UInt64) -> UInt64 {
      var bits = number
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
    let first = mixed(mixed(0x9E37_79B9_7F4A_7C15 ^ 0) ^ 5)
    let second = mixed(mixed((first &+ 0x9E37_79B9_7F4A_7C15) ^ 0) ^ 6)
    #expect(place([5, 6]).digest.bits == second)
  }

  /// Logs store them, so they stay the same from version to version.
  @Test("A checksum is that of FNV-1a, and tells apart what was added")
  func checksums() {
    #expect(Checksum(of: Array("a".utf8)).bits == 0xAF63_DC4C_8601_EC8C)
    #expect(Checksum(of: Array("foobar".utf8)).bits == 0x8594_4171_F739_67E8)
    let all: [[String?]] = [
      [], [nil], [""], ["", nil], [nil, ""], ["", ""], ["ab"], ["a", "b"], ["a", nil, "b"],
      ["ab", ""], ["", "ab"],
    ]
    let sums = all.map { texts in
      var sum = Checksum()
      for text in texts { sum.add(text) }
      return sum
    }
    #expect(Set(sums).count == all.count)
  }

  @Test("A token keeps its digest, and damage names no other place")
  func tokens() throws {
    var random = SplitMix64(seed: 4)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for _ in 0..<20 {
      let epoch = Epoch(high: random.next(), low: random.next())
      let place = place((0..<UInt64(random.number(below: 9)) + 1).map { _ in random.next() })
      let token = ResumeToken(epoch: epoch, place: place)
      #expect(token.description.count == 43)
      let parts = try #require(ResumeToken(token.description).parts)
      #expect(parts.epoch == epoch && parts.place == place)
      let text = Array(token.description)
      for index in text.indices {
        var damaged = text
        for character in alphabet where character != text[index] {
          damaged[index] = character
          let parts = ResumeToken(String(damaged)).parts
          #expect(parts.map { $0.epoch != epoch || $0.place != place } ?? true)
        }
        damaged = text
        damaged.remove(at: index)
        #expect(ResumeToken(String(damaged)).parts == nil)
      }
    }
  }

  // MARK: What an entry says to undo

  typealias Kind = LogEntry.Kind

  @Test(
    "A kind can be made again from its text",
    arguments: [
      .change(name: nil), .change(name: ""), .change(name: "a: b\n\0“c”"), .change(name: "\u{301}"),
      .undo(of: [Revision(0)]), .undo(of: [Revision(7), Revision(3)]), .redo(of: Revision(.max)),
    ] as [Kind])
  func kinds(_ kind: Kind) {
    #expect(Kind(kind.description) == kind)
  }

  @Test(
    "Another text is no kind",
    arguments: [
      "", "chang", "change:", "Change", "undo", "undo: ", "undo: x", "undo: 1 ", "redo: -1",
      "redo: 2 1",
    ])
  func others(_ text: String) {
    #expect(Kind(text) == nil)
  }

  @Test("Who opens the list again can undo and redo what it named before, and nothing of others")
  func openedAgain() async throws {
    let log = MemoryLog()
    func open(_ author: String?) async throws -> ReplicatedSourceTests.Replica {
      var options = ReplicationOptions.quick
      options.author = author
      let replica = try await ReplicatedSourceTests.replica(log.participant(), options: options)
      let (first, entries) = log.contents
      try await replica.reached(Revision(first.number + entries.count - 1))
      return replica
    }
    let (mine, other) = (try await open("mine"), try await open("other"))
    try await mine.update { $0.appendSections(["A"]) }
    for item in 0..<3 {
      let revision = try await mine.update(named: "mine \(item)") {
        try $0.appendItems([item], toSection: "A")
      }.revision
      try await other.reached(revision)
      let next = try await other.update(named: "other \(item)") {
        try $0.appendItems([item + 10], toSection: "A")
      }.revision
      try await mine.reached(next)
    }
    #expect(try await mine.undo()?.reversedChange?.name == "mine 2")
    await mine.finish()

    let again = try await open("mine")
    #expect(try await again.redo()?.reversedChange?.name == "mine 2")
    for item in [2, 1] { #expect(try await again.undo()?.reversedChange?.name == "mine \(item)") }
    await again.finish()
    let last = try await open("mine")
    #expect(try await last.undo()?.reversedChange?.name == "mine 0")
    #expect(try await last.undo() == nil)
    #expect(await last.snapshot.itemIdentifiers == [10, 11, 12])
    for item in 0..<3 { #expect(try await last.redo()?.reversedChange?.name == "mine \(item)") }
    let stranger = try await open(nil)
    #expect(try await stranger.undo() == nil)
  }
}
