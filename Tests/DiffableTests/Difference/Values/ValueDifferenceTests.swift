import Diffable
import DiffableTesting
import ListSupport
import TestScope
import Testing

@Suite("Lists are compared without a source")
struct ListDifferenceTests {
  struct Note: Identifiable, Hashable, Sendable {
    let id: Int
    var text = ""
  }

  @Test("identifiers")
  func identifiers() throws {
    let difference = try SnapshotDifference(from: ["a", "b", "c"], to: ["c", "a", "d"])
    #expect(difference.description == "-0:1 +0:2 0:0→0:1")
  }

  @Test("models of the same identity with other content are reconfigured")
  func models() throws {
    let old = (0..<5).map { Note(id: $0) }
    var new = old
    new[1].text = "changed"
    new[3].text = "changed and moved"
    new.insert(new.remove(at: 3), at: 0)
    let difference = try SnapshotDifference(fromModels: old, to: new, section: 2)
    #expect(difference.description == "2:3→2:0 ~2:0 ~2:2")
    #expect(try SnapshotDifference(from: old, to: new, by: \.id).itemReconfigures.isEmpty)
  }

  @Test("sequences that are no arrays")
  func sequences() throws {
    let difference = try SnapshotDifference(from: 0..<4, to: (0..<4).reversed())
    #expect(difference.itemMoves.count == 3)
    #expect(try SnapshotDifference(from: [Int](), to: EmptyCollection<Int>()).isEmpty)
  }

  @Test("an identifier that appears twice is an error that names its places, on either side")
  func duplicates() {
    let error = SnapshotError.duplicateItems([
      .init(
        identifier: AnyItemID(7),
        places: [ItemPath(section: 1, item: 0), ItemPath(section: 1, item: 2)])
    ])
    #expect(throws: error) { try SnapshotDifference(from: [7, 8, 7], to: [8], section: 1) }
    #expect(throws: error) { try SnapshotDifference(from: [8], to: [7, 8, 7], section: 1) }
    #expect(throws: error) { try SnapshotDifference(from: [7, 8, 7], to: [7, 8, 7], section: 1) }
    #expect(throws: error) {
      try SnapshotDifference(
        fromModels: [Note(id: 7)], to: [7, 8, 7].map { Note(id: $0) }, section: 1)
    }
  }

  @Test("all lists of a few elements, with repetitions, in which one to three hashes differ")
  func exhaustive() {
    for hashCount in 1...3 {
      let elements = (0..<3).map { FewHashes(number: $0, hashCount: hashCount) }
      // What is new may equal what stays, before it or further down.
      let lists = everySequence(of: elements, upTo: 4)
      for old in everySequence(of: elements, upTo: scoped(usual: 3, wide: 4)) {
        for new in lists { check(old, new) }
      }
    }
  }

  private func check(_ old: [FewHashes], _ new: [FewHashes]) {
    func isUnique(_ list: [FewHashes]) -> Bool { Set(list.map(\.number)).count == list.count }
    do throws(SnapshotError) {
      let difference = try SnapshotDifference(from: old, to: new)
      #expect(
        isUnique(old) && isUnique(new), "accepted: \(old.map(\.number)), \(new.map(\.number))")
      let (before, after) = (
        Snapshot(sections: [0], items: [old]), Snapshot(sections: [0], items: [new])
      )
      for violation in DifferenceLaw.violations(of: difference, from: before, to: after) {
        Issue.record("\(old.map(\.number)) → \(new.map(\.number)): \(violation)")
      }
    } catch {
      #expect(!isUnique(old) || !isUnique(new), "\(error)")
    }
  }
}

@Suite("Values are compared without trees")
struct ValueDifferenceTests {
  /// A change of a long list, in blocks or all over it.
  enum Change: CaseIterable {
    case deletedBlock, insertedBlock, movedBlock, shuffledBlock, scattered, everything

    func applied(
      to list: [Int], length: Int, fresh: inout Int, _ random: inout SplitMix64
    ) -> [Int] {
      var list = list
      let length = min(length, list.count)
      let start = random.number(below: list.count - length + 1)
      switch self {
      case .deletedBlock:
        list.removeSubrange(start..<start + length)
      case .insertedBlock:
        list.insert(contentsOf: fresh..<fresh + length, at: start)
        fresh += length
      case .movedBlock:
        let block = Array(list[start..<start + length])
        list.removeSubrange(start..<start + length)
        list.insert(contentsOf: block, at: random.number(below: list.count + 1))
      case .shuffledBlock:
        list.replaceSubrange(
          start..<start + length, with: random.shuffled(Array(list[start..<start + length])))
      case .scattered:
        for _ in 0..<length / 8 where !list.isEmpty {
          list.remove(at: random.number(below: list.count))
          list.insert(fresh, at: random.number(below: list.count + 1))
          fresh += 1
        }
      case .everything:
        list = random.shuffled(list)
      }
      return list
    }
  }

  @Test(
    "blocks of every length, shorter and longer than what is searched",
    arguments: 0..<scoped(usual: 3, wide: 6 as UInt64))
  func blocks(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<rounds(4) {
      let old = Array(0..<6_000)
      var (new, fresh) = (old, 6_000)
      for _ in 0..<1 + random.number(below: 3) {
        let change = Change.allCases[random.number(below: Change.allCases.count)]
        let lengths = [1, 3, 20, 40, 100, 400, 600, 1_900, 2_100, 5_000]
        new = change.applied(
          to: new, length: lengths[random.number(below: lengths.count)], fresh: &fresh, &random)
      }
      for violation in DifferenceLaw.violations(
        from: Snapshot(sections: [0], items: [old]), to: Snapshot(sections: [0], items: [new]))
      {
        Issue.record("seed \(seed): \(violation)")
      }
    }
  }

  @Test("items that move between many sections", arguments: 0..<6 as Range<UInt64>)
  func migrations(seed: UInt64) {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    for _ in 0..<rounds(10) {
      let old = generator.snapshot(.anyOf(sections: 30, items: 400))
      let new = generator.snapshot(.anyOf(sections: 30, items: 400))
      for violation in DifferenceLaw.violations(from: old, to: new) {
        Issue.record("seed \(seed): \(violation)")
      }
    }
  }

  /// Two values that are alike except in what one of them has twice.
  @Test(
    "an item that appears twice is found wherever it is, however often the values were compared",
    arguments: 0..<4 as Range<UInt64>)
  func duplicates(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<rounds(40) {
      let count = 4 + random.number(below: 300)
      let (cut, fresh) = (random.number(below: count), count..<count + random.number(below: 12))
      let old = Snapshot(
        sections: ["a", "b"], items: [Array(0..<cut), Array(cut..<count)])
      var items = Array(0..<count) + fresh
      if random.number(below: 2) == 0 { items = random.shuffled(items) }
      let twice = items[random.number(below: items.count)]
      items.insert(twice, at: random.number(below: items.count))
      let border = random.number(below: items.count)
      let sections = random.number(below: 2) == 0 ? ["a", "b"] : ["b", "c"]
      let new = Snapshot(
        sections: sections, items: [Array(items[..<border]), Array(items[border...])])
      for _ in 0..<2 {
        for (one, other) in [(new, old), (old, new), (new, new)] {
          let error = #expect(throws: SnapshotError.self, "seed \(seed)") {
            try one.difference(from: other)
          }
          #expect(error?.identifiers == [AnyItemID(twice)], "seed \(seed)")
        }
      }
    }
  }

  @Test(
    "a value that was compared is not hashed again",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"))
  func memory() throws {
    let counter = IdentifierCounter()
    func list(_ numbers: some Sequence<Int> & SendableMetatype) -> Snapshot<Int, CountedIdentifier>
    {
      Snapshot(
        sections: [0], items: [numbers.map { CountedIdentifier(number: $0, counter: counter) }])
    }
    let first = list(0..<1_000)
    let second = list((0..<500).map { $0 } + [1_000] + (500..<1_000).map { $0 })
    _ = try second.difference(from: first)
    #expect(counter.hashCount <= 1_001)
    counter.reset()
    let third = list((1..<500).map { $0 } + [1_000] + (500..<1_000).map { $0 })
    _ = try third.difference(from: second)
    #expect(counter.hashCount <= 2)
  }

  @Test(
    "a long block that has gone takes few hashes, and one that has come a hash of each",
    .enabled(if: !checksInvariants, "the checks ask identifiers too"),
    arguments: [300, 1_000, 2_000, 5_000, 9_000])
  func longBlocks(length: Int) throws {
    let counter = IdentifierCounter()
    func list(_ ranges: Range<Int>...) -> Snapshot<Int, CountedIdentifier> {
      Snapshot(
        sections: [0],
        items: [ranges.joined().map { CountedIdentifier(number: $0, counter: counter) }])
    }
    /// The hashes for a difference from a list that was compared before.
    func hashes(
      from old: Snapshot<Int, CountedIdentifier>, to new: Snapshot<Int, CountedIdentifier>
    ) throws -> Int {
      _ = try old.difference(from: list())
      counter.reset()
      #expect(try new.difference(from: old).changeCount == 2 * length)
      return counter.hashCount
    }
    // The lists are equally long, so that their ends say nothing of the first block.
    let (lower, upper) = (500..<500 + length, 20_000..<20_000 + length)
    let old = list(0..<20_000)
    let new = list(0..<500, lower.upperBound..<15_000, upper, 15_000..<20_000)
    #expect(try hashes(from: old, to: new) <= length + 2_100)
    #expect(try hashes(from: new, to: old) <= length + (length < 8_192 ? 300 : 8_300))
    // Here they say where it ends.
    let longer = list(0..<500, upper, 500..<20_000)
    _ = try longer.difference(from: list())
    counter.reset()
    #expect(try list(0..<20_000).difference(from: longer).changeCount == length)
    #expect(counter.hashCount == 0)
  }

  @Test("values that the source has, and values that were edited after they were compared")
  func mixed() async throws {
    let source = try DataSourceActor(Snapshot(sections: [0], items: [Array(0..<500)]))
    let live = await source.snapshot
    var edited = Snapshot(sections: [0], items: [(0..<500).map { $0 == 250 ? 900 : $0 }])
    #expect(try edited.difference(from: live).description == "-0:250 +0:250")
    try edited.appendItems([900])
    #expect(throws: SnapshotError.self) { try edited.difference(from: live) }
    edited = Snapshot(sections: [0], items: [Array(0..<500)])
    #expect(try edited.difference(from: live).isEmpty)
    #expect(try live.difference(from: edited).isEmpty)
  }
}
