import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

@Suite("The lookup table against a plain multiset")
struct IdentityTableTests {
  typealias Entry = IdentityTable.Entry

  /// How hashes are spread.
  enum Hashes: CaseIterable {
    case equal, few, sameUpperBits, sameLowerBits, spread

    func draw(_ random: inout SplitMix64) -> UInt32 {
      let bits = UInt32(truncatingIfNeeded: random.next())
      switch self {
      case .equal: return 0xABCD_EF01
      case .few: return (bits & 7) << 29 | 1
      case .sameUpperBits: return 0xFFFF_F000 | bits & 0xFFF | 1
      case .sameLowerBits: return bits & 0xFFFF_0000 | 1
      case .spread: return bits | 1
      }
    }
  }

  @Test("A place in a leaf fits the hint of the table")
  func hint() {
    for place in 0..<64 {
      let entry = IdentityTable.Entry(
        hash: 1, section: SectionKey(rawValue: 0), label: LeafLabel(rawValue: 5), hint: place)
      #expect(entry.hint == place && entry.label == LeafLabel(rawValue: 5))
    }
  }

  @Test("Random inserts and removes", arguments: Hashes.allCases)
  func scripts(hashes: Hashes) {
    for seed in 0..<UInt64(rounds(2)) {
      var random = SplitMix64(seed: seed)
      var table = IdentityTable()
      var model = Multiset()
      // Growing, then shrinking, twice: mostly inserts, then mostly removes.
      for phase in 0..<4 {
        let steps = hashes == .equal || hashes == .few ? 300 : 3_000
        for _ in 0..<steps {
          if random.number(below: 10) < (phase % 2 == 0 ? 8 : 1) {
            let entry = draw(hashes, &random)
            let isKnown = (model.byHash[entry.hash] ?? 0) > 0
            #expect(table.insert(entry) == isKnown, "seed \(seed)")
            model.insert(entry)
          } else if let entry = model.takeAny(&random) {
            table.remove(entry)
          } else {
            table.remove(draw(hashes, &random))
          }
        }
        let comment: Comment = "seed \(seed), phase \(phase)"
        #expect(table.faults(expecting: model.counts) == [], comment)
        for (hash, count) in model.byHash {
          var found: [Entry: Int] = [:]
          table.forEachEntry(hash: hash) {
            found[$0, default: 0] += 1
            return true
          }
          #expect(found.values.reduce(0, +) == count, comment)
          #expect(found.allSatisfy { model.counts[$0.key] == $0.value }, comment)
        }
      }
    }
  }

  @Test("Many entries at once, as one by one", arguments: Hashes.allCases)
  func batches(hashes: Hashes) {
    for seed in 0..<rounds(1 as UInt64) {
      var random = SplitMix64(seed: seed)
      var (table, other) = (IdentityTable(), IdentityTable())
      var model = Multiset()
      let steps = isLong ? 40 : 14
      for step in 0..<steps {
        let count = random.number(below: hashes == .equal || hashes == .few ? 80 : 500)
        let comment: Comment = "seed \(seed), step \(step)"
        if random.number(below: steps) > step {
          let entries = (0..<count).map { _ in draw(hashes, &random) }
          var met: [Entry] = []
          table.insert(entries) { met.append($0) }
          #expect(met.counts == entries.filter { other.insert($0) }.counts, comment)
          for entry in entries { model.insert(entry) }
        } else {
          var entries = (0..<count).compactMap { _ in model.takeAny(&random) }
          for _ in 0..<3 {
            let entry = draw(hashes, &random)
            if model.counts[entry] == nil, !entries.contains(entry) { entries.append(entry) }
          }
          table.remove(random.shuffled(entries))
          for entry in entries { other.remove(entry) }
        }
        #expect(table.faults(expecting: model.counts) == [], comment)
        #expect(other.faults(expecting: model.counts) == [], comment)
        let sought = (0..<100).map { _ in draw(hashes, &random).hash }
        #expect(table.firstEntries(of: sought) == sought.map(table.firstEntry), comment)
      }
    }
  }

  @Test("So many that the table reads ahead, as one by one")
  func largeBatches() {
    for seed in 0..<rounds(1 as UInt64) {
      var random = SplitMix64(seed: seed)
      let comment: Comment = "seed \(seed)"
      let entries = (0..<60_000).map { _ in draw(.spread, &random) }
      var table = IdentityTable()
      table.insert(entries) { _ in }
      #expect(table.segments.count > IdentityTable.cachedSegmentCount, comment)
      #expect(table.faults(expecting: entries.counts) == [], comment)
      let sought = entries[..<500].map(\.hash) + (0..<500).map { _ in draw(.spread, &random).hash }
      #expect(table.firstEntries(of: sought) == sought.map(table.firstEntry), comment)
      table.remove(Array(entries[..<20_000]))
      #expect(table.segments.count > IdentityTable.cachedSegmentCount, comment)
      #expect(table.faults(expecting: Array(entries[20_000...]).counts) == [], comment)
    }
  }

  @Test("Hashes that several sections exchange are looked up, whichever of them changes first")
  func exchanged() {
    let hashes: [UInt32] = [1, 3, 5]
    let sections = [SectionKey(rawValue: 1), SectionKey(rawValue: 2)]
    func subset(_ bits: Int) -> [UInt32] {
      hashes.indices.filter { bits & 1 << $0 != 0 }.map { hashes[$0] }
    }
    func entries(_ hash: UInt32, count: Int) -> [Entry] {
      sections.prefix(count).map { Entry(hash: hash, section: $0, label: .middle) }
    }
    for first in 0..<8 {
      for second in 0..<8 {
        for inserted in [[], entries(7, count: 1)] {
          var table = ItemTable(ElementKernel(Int.self))
          _ = table.apply(
            IdentityChanges(
              inserted: entries(1, count: 1) + entries(3, count: 2) + entries(5, count: 2)))
          var (changes, others) = (IdentityChanges(inserted: inserted), IdentityChanges())
          changes.exchanged = ContiguousArray(subset(first))
          others.exchanged = ContiguousArray(subset(second))
          changes.append(others)
          let expected = Set(subset(first) + subset(second)).intersection([3, 5])
          #expect(table.apply(changes) == expected, "\(subset(first)), then \(subset(second))")
        }
      }
    }
  }

  @Test("What is not there is not removed")
  func unknown() {
    var table = IdentityTable()
    let entry = Entry(hash: 1, section: SectionKey(rawValue: 1), label: .middle)
    table.remove(entry)
    table.insert(entry)
    table.remove(Entry(hash: 1, section: SectionKey(rawValue: 2), label: .middle))
    table.remove(Entry(hash: 3, section: SectionKey(rawValue: 1), label: .middle))
    #expect(table.faults(expecting: [entry: 1]) == [])
  }

  @Test("Memory comes back", arguments: [Hashes.spread, .sameUpperBits, .sameLowerBits])
  func memory(hashes: Hashes) {
    var random = SplitMix64(seed: 11)
    var table = IdentityTable()
    var model = Multiset()
    // Equal lower bits make long runs of used slots, so fewer of them.
    let most = rounds(hashes == .sameLowerBits ? 3_000 : 12_000)
    for _ in 0..<most {
      let entry = draw(hashes, &random)
      table.insert(entry)
      model.insert(entry)
    }
    #expect(table.totalSlotCount <= most * 6, "\(table.totalSlotCount) slots for \(most)")
    for remaining in [1_000, 10, 0] {
      while model.entries.count > remaining, let entry = model.takeAny(&random) {
        table.remove(entry)
      }
      #expect(table.faults(expecting: model.counts) == [])
      var fresh = IdentityTable()
      for entry in model.entries { fresh.insert(entry) }
      #expect(
        table.totalSlotCount <= max(fresh.totalSlotCount * 8, 1_024),
        "\(remaining) left: \(table.totalSlotCount) slots, fresh \(fresh.totalSlotCount)")
    }
  }

  private func draw(_ hashes: Hashes, _ random: inout SplitMix64) -> Entry {
    Entry(
      hash: hashes.draw(&random), section: SectionKey(rawValue: UInt32(random.number(below: 3))),
      label: LeafLabel(rawValue: UInt64(random.number(below: 40))))
  }
}

/// Entries with repetitions, as plain as can be.
private struct Multiset {
  var entries: [IdentityTable.Entry] = []
  var counts: [IdentityTable.Entry: Int] = [:]
  var byHash: [UInt32: Int] = [:]

  mutating func insert(_ entry: IdentityTable.Entry) {
    entries.append(entry)
    counts[entry, default: 0] += 1
    byHash[entry.hash, default: 0] += 1
  }

  /// Takes out one entry.
  mutating func takeAny(_ random: inout SplitMix64) -> IdentityTable.Entry? {
    guard !entries.isEmpty else { return nil }
    entries.swapAt(random.number(below: entries.count), entries.count - 1)
    let entry = entries.removeLast()
    counts[entry, default: 0] -= 1
    if counts[entry] == 0 { counts[entry] = nil }
    byHash[entry.hash, default: 0] -= 1
    return entry
  }
}

extension IdentityTable {
  /// What the table finds for many hashes at once.
  fileprivate func firstEntries(of hashes: [UInt32]) -> [Entry] {
    Array(unsafeUninitializedCapacity: hashes.count) { entries, count in
      hashes.withUnsafeBufferPointer { readFirst(of: $0, into: entries) }
      count = hashes.count
    }
  }

  /// What it finds for one; a free entry where none has the hash.
  fileprivate func firstEntry(of hash: UInt32) -> Entry {
    var first = Segment.free
    forEachEntry(hash: hash) {
      first = $0
      return false
    }
    return first
  }
}
