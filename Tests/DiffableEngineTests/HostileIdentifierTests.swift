import DiffableTesting
import ListSupport
import Synchronization
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

/// An identifier whose hash says as much as it is told to.
private struct Clashing: Hashable, Sendable {
  let number: Int
  let hash: Int

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

@Suite("Hostile identifiers stay correct")
struct HostileIdentifierTests {
  static let seeds = 0..<UInt64(rounds(6))

  @Test("Every hash equal, or three hashes", arguments: seeds, [1, 3])
  func fewHashes(seed: UInt64, hashCount: Int) {
    check(seed, items: hashCount == 1 ? 24 : 60) { Clashing(number: $0, hash: $0 % hashCount) }
  }

  /// Lists in which kept, moved, new and migrated items stand twice, or none of them does.
  @Test("Where all hashes are equal, exactly what stands twice is refused", arguments: seeds)
  func duplicates(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var refused = 0
    for round in 0..<20 {
      var live = LiveState<Int, Clashing>()
      _ = try live.apply(Self.lists(of: 0..<48, &random), duplicates: .reject)
      let expected = live.snapshot
      // Twelve newcomers or so: more than are looked at one by one.
      var items = Array(random.shuffled(Array(0..<64)).prefix(48))
      if random.number(below: 2) == 0 { items.sort() }
      if random.number(below: 2) == 0 {
        let repeated = items[random.number(below: items.count)]
        items.insert(repeated, at: random.number(below: items.count + 1))
      }
      let new = Self.lists(of: items, &random)
      let isUnique = Set(items).count == items.count
      do throws(SnapshotError) {
        _ = try live.apply(new, duplicates: .reject)
        #expect(isUnique, "seed \(seed), round \(round)")
        #expect(live.faults(expecting: new) == [], "seed \(seed), round \(round)")
      } catch {
        refused += 1
        #expect(!isUnique, "seed \(seed), round \(round): \(error)")
        #expect(live.faults(expecting: expected) == [], "seed \(seed), round \(round)")
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }

  /// Some identifiers in two sections, cut anywhere; now and then in a third one as well.
  private static func lists(
    of numbers: some RandomAccessCollection<Int>, _ random: inout SplitMix64
  ) -> Snapshot<Int, Clashing> {
    let ids = numbers.map { Clashing(number: $0, hash: 0) }
    let cut = random.number(below: 3) == 0 ? 16 : 32
    var contents = [(0, Array(ids[..<cut])), (1, Array(ids[cut...]))]
    if random.number(below: 3) == 0 {
      contents.append((2, contents[1].1))
      contents[1].1 = []
    }
    return Snapshot(contents: contents)
  }

  /// Random applies and updates, some of which fail, on a live state.
  private func check<ID: Hashable & Sendable>(
    _ seed: UInt64, items: Int, identifier: @escaping @Sendable (Int) -> ID
  ) {
    var generator = SnapshotGenerator<ID, ID>(seed: seed, section: identifier, item: identifier)
    var live = LiveState<ID, ID>()
    var expected = Snapshot<ID, ID>()
    let start = generator.snapshot(.uneven(sections: 5, items: items))
    for step in 0..<25 {
      let comment: Comment = "seed \(seed), step \(step)"
      let old = expected
      let outcome = self.step(step == 0 ? start : nil, &live, &expected, &generator, comment)
      #expect(live.faults(expecting: expected) == [], comment)
      if let commit = outcome {
        #expect(commit.snapshot == expected, comment)
        // Marks that travelled with the edit are in no snapshot any longer.
        var structure = commit.difference
        (structure.sectionReloads, structure.sectionReconfigures) = (RangeSet(), RangeSet())
        (structure.itemReloads, structure.itemReconfigures) = ([], structure.itemRenames)
        let faults = DifferenceLaw.violations(of: structure, from: old, to: expected)
        #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults)")
      } else {
        #expect(old == expected, comment)
      }
    }
  }

  private struct Refusal: Error {}

  /// Makes one change, and the same of a snapshot that shares nothing with the live one.
  private func step<ID>(
    _ start: Snapshot<ID, ID>?, _ live: inout LiveState<ID, ID>,
    _ expected: inout Snapshot<ID, ID>,
    _ generator: inout SnapshotGenerator<ID, ID>, _ comment: Comment
  ) -> LiveState<ID, ID>.Commit? {
    let changes: [SnapshotChange] = [
      .reversedItems, .shuffledItems, .swappedHalves, .movedItems, .scatteredItems, .deletedItems,
      .insertedItems, .shuffledSections, .deletedSections, .mergedSections, .insertedSections,
      .splitSections,
    ]
    let new =
      start ?? generator.changing(expected, by: generator.random.element(of: changes) ?? .none)
    do {
      switch start == nil ? generator.random.number(below: 7) : 0 {
      case 0, 1:
        expected = rebuilt(new)
        return try live.apply(new, duplicates: .reject)
      case 2:
        expected = rebuilt(new)
        return try live.update(duplicates: .reject) { $0 = new }
      case 3:
        // Everything goes and some of it comes again.
        expected = rebuilt(new)
        return try live.update(duplicates: .reject) { state in
          state.deleteAllItems()
          for section in new.sectionIdentifiers {
            state.appendSections([section])
            try state.appendItems(new.itemIdentifiers(inSection: section), toSection: section)
          }
        }
      case 4:
        let edits = (0..<4).map { _ in generator.edit(of: live.snapshot) }
        _ = try? live.update(duplicates: .reject) { state in
          for edit in edits { try? edit.apply(to: &state) }
          throw Refusal()
        }
        return nil
      case 5:
        // One item a second time, in another section or the same.
        guard let item = generator.random.element(of: expected.itemIdentifiers) else { return nil }
        let edit = generator.edit(of: live.snapshot)
        _ = try? live.update(duplicates: .reject) { state in
          try? edit.apply(to: &state)
          try state.appendItems([item])
          if state.itemIdentifiers.count(where: { $0 == item }) < 2 { throw Refusal() }
        }
        return nil
      default:
        var draft = rebuilt(expected)
        let edit = generator.edit(of: live.snapshot)
        try? edit.apply(to: &draft)
        guard Set(draft.itemIdentifiers).count == draft.numberOfItems,
          Set(draft.sectionIdentifiers).count == draft.numberOfSections
        else {
          #expect(throws: DataSourceError.self, comment) {
            try live.update(duplicates: .reject) { try? edit.apply(to: &$0) }
          }
          return nil
        }
        expected = rebuilt(draft)
        return try live.update(duplicates: .reject) { try? edit.apply(to: &$0) }
      }
    } catch {
      Issue.record("\(comment): \(error)")
      return nil
    }
  }

  /// The same state of arrays alone.
  private func rebuilt<ID>(_ snapshot: Snapshot<ID, ID>) -> Snapshot<ID, ID> {
    Snapshot(
      contents: snapshot.sectionIdentifiers.map { ($0, snapshot.itemIdentifiers(inSection: $0)) })
  }
}

extension LiveState {
  /// Everything by which this is not a live state of that content.
  func faults(expecting expected: Snapshot<SectionID, ItemID>) -> [String] {
    var faults: [String] = []
    if snapshot != expected { faults.append("holds \(snapshot), not \(expected)") }
    if !snapshot.marks.isEmpty { faults.append("holds marks") }
    guard let table = snapshot.base.itemTable else { return faults + ["has no table"] }
    if !table.possibleDuplicates.isEmpty || !snapshot.base.sectionTable.possibleDuplicates.isEmpty {
      faults.append("holds something for a possible duplicate")
    }
    var entries: [IdentityTable.Entry: Int] = [:]
    for record in snapshot.records {
      guard case .tree(let tree) = record.items else {
        faults.append("a section that holds an array")
        continue
      }
      for entry in tree.entries(section: record.key) { entries[entry, default: 0] += 1 }
      faults += tree.faults(expecting: Array(tree.leaves.joined()))
    }
    faults += snapshot.order.faults(expecting: Array(snapshot.records))
    faults += table.entries.faults(expecting: entries)
    for (section, id) in expected.sectionIdentifiers.enumerated() {
      if snapshot.indexOfSection(id) != section { faults.append("section \(section) is not found") }
      for (index, item) in expected.itemIdentifiers(inSection: id).enumerated() {
        let path = ItemPath(section: section, item: index)
        if snapshot.itemPath(for: item) != path { faults.append("\(path) is not found") }
      }
    }
    return faults
  }
}
