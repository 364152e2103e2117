import DiffableTesting
import ListSupport
import Testing
import TestScope

@testable import Diffable

@Suite("Merges with outlines")
struct OutlineMergeTests {
  private typealias State = Snapshot<Int, Int>

  @Test("of three sides that have outlines", arguments: 0..<scoped(usual: 3, wide: 12 as UInt64))
  func threeWays(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    func edited(_ snapshot: State, _ generator: inout SnapshotGenerator<Int, Int>) -> State {
      var snapshot = snapshot
      for _ in 0..<1 + generator.random.number(below: 3) {
        var next = snapshot
        guard (try? generator.anyEdit(of: snapshot).apply(to: &next)) != nil,
          (try? next.validate()) != nil
        else { continue }
        snapshot = next
      }
      return snapshot
    }
    var base = State()
    for step in 0..<rounds(30, least: 30) {
      let (theirs, live) = (edited(base, &generator), edited(base, &generator))
      // Alone, each side changes identifiers as rows that go and come.
      var (mine, others) = (theirs, live)
      mine.marks.forgetRenames()
      others.marks.forgetRenames()
      for (theirs, live) in [(theirs, live), (mine, base), (base, others)] {
        let law = try MergeLaw(base: base, theirs: theirs, live: live)
        #expect(law.violations == [], "seed \(seed), step \(step)")
        guard law.violations.isEmpty else { return }
      }
      base = (step.isMultiple(of: 3) ? live : theirs).detached
    }
  }

  @Test("an outline that the writer has nothing to do with is not looked at")
  func untouched() throws {
    var base = State()
    base.appendSections([0, 1])
    var outline = try Outline(0..<100)
    for parent in 0..<100 { try outline.append([1_000 + parent], to: parent) }
    try base.setOutline(outline, forSection: 0)
    try base.appendItems(5_000..<5_010, toSection: 1)
    var (theirs, live) = (base, base)
    theirs.deleteItems([5_003])
    live.expandItems([7])
    try live.appendItems([6_000], toSection: 1)
    let merge = try live.merging(theirs, basedOn: base)
    #expect(merge.snapshot.order[0].outline === live.order[0].outline)
    #expect(merge.snapshot.items(inSection: 0).base.isIdentical(to: live.order[0].items))
    #expect(merge.snapshot.items(inSection: 1).count == 10)
    // Nobody else has changed anything: what the writer made is the result, as it is.
    let undone = try theirs.merging(base, basedOn: theirs)
    #expect(undone.snapshot == base && undone.conflicts == [])
    #expect(undone.snapshot.order[0].outline === base.order[0].outline)
  }

  @Test(
    "what both sides did is there, item by item",
    arguments: 0..<scoped(usual: 3, wide: 24 as UInt64))
  func bothSides(seed: UInt64) throws {
    var generator = SnapshotGenerator<Int, Int>(seed: seed, section: { $0 }, item: { $0 })
    var base = State()
    for step in 0..<rounds(25, least: 25) {
      let live = changed(base, by: 4, &generator)
      let theirs = changed(base, by: 4, &generator)
      let merge = try live.merging(theirs, basedOn: base)
      let comment = "seed \(seed), step \(step): from \(base) \(live) and \(theirs)"
      try merge.snapshot.validate()
      let faults = faults(of: merge, live: live, theirs: theirs, base: base)
      #expect(faults == [], "\(comment) gave \(merge.snapshot)")
      guard faults.isEmpty else { return }
      base = generator.random.chance(oneIn: 3) ? merge.snapshot.detached : live.detached
    }
  }

  /// What the laws of merging do not allow.
  private func faults(
    of merge: Merge<Int, Int>, live: State, theirs: State, base: State
  ) -> [String] {
    let result = merge.snapshot
    var faults: [String] = []
    let contested = Set(
      merge.conflicts.compactMap { conflict -> Int? in
        guard case .item(let item, _) = conflict else { return nil }
        return item
      })
    for item in Set([base, live, theirs, result].flatMap(\.allItems)) {
      let sides = [live, theirs].filter { $0.containsItem(item) }.count
      let isKept = sides == 2 || sides == 1 && !base.containsItem(item)
      if result.containsItem(item) != isKept { faults.append("\(item) is kept: \(!isKept)") }
      guard isKept, let place = place(of: item, in: result) else { continue }
      if let outline = result.outline(ofSection: place.section) {
        let flags = [live, theirs, base].map { isExpanded(item, in: $0) }
        let expected = flags[1] != flags[2] ? flags[1] : flags[0]
        if outline.isExpanded(item) != expected { faults.append("\(item) is not \(expected)") }
      }
      guard !contested.contains(item), let live = self.place(of: item, in: live),
        let theirs = self.place(of: item, in: theirs), let base = self.place(of: item, in: base)
      else { continue }
      // With its parent it goes to another section, but that has not moved it.
      let hasMoved =
        theirs.parent != base.parent || theirs.parent == nil && theirs.section != base.section
      let expected = hasMoved ? theirs : live
      // Below a parent that is gone, or in a list, it stands somewhere above.
      guard result.outline(ofSection: expected.section) != nil,
        result.outline(ofSection: place.section) != nil,
        expected.parent.map(result.containsItem) ?? true,
        theirs.parent == base.parent || live.parent == base.parent
      else { continue }
      if place.parent != expected.parent {
        faults.append("\(item) stands below \(place.parent ?? -1), not \(expected.parent ?? -1)")
      }
    }
    return faults
  }

  private func place(of item: Int, in snapshot: State) -> (section: Int, parent: Int?)? {
    snapshot.sectionIdentifier(containingItem: item).map { section in
      (section, snapshot.outline(ofSection: section)?.parent(of: item))
    }
  }

  private func isExpanded(_ item: Int, in snapshot: State) -> Bool {
    snapshot.sectionIdentifier(containingItem: item)
      .flatMap { snapshot.outline(ofSection: $0)?.isExpanded(item) } ?? false
  }

  private func changed(
    _ snapshot: State, by count: Int, _ generator: inout SnapshotGenerator<Int, Int>
  ) -> State {
    var result = snapshot
    for _ in 0..<count {
      let before = result
      let edit = generator.anyEdit(of: result)
      // These laws go by identifiers; for items that get others see `RenamingSourceTests`.
      if case .renameItem = edit { continue }
      try? edit.apply(to: &result)
      if (try? result.validate()) == nil { result = before }
    }
    return result.detached
  }

  /// The writer changes a flag alone, or a row as well; the same of the others.
  @Test("Each flag is the writer's if the writer changed it", arguments: 0..<4)
  func flags(inserting: Int) throws {
    func state(_ flags: Int, inserting item: Int? = nil) throws -> State {
      var outline = try Outline([1, 10, 2], levels: [0, 1, 0])
      if let item { try outline.append([item], to: 1) }
      for row in [1, 2, 10] {
        if flags & 1 != 0 { outline.expand([row]) }
        outline.setChildrenUnloaded(of: [row], flags & 2 != 0)
      }
      return try State(outline, in: 0)
    }
    for (base, theirs, live) in (0..<64).map({ ($0 / 16, $0 / 4 % 4, $0 % 4) }) {
      let merge = try state(live, inserting: inserting & 1 != 0 ? 20 : nil).merging(
        state(theirs, inserting: inserting & 2 != 0 ? 30 : nil), basedOn: state(base))
      let merged = try #require(merge.snapshot.outline(ofSection: 0))
      // A bit that the writer changed, and else the bit of the others.
      let expected = (theirs & (theirs ^ base)) | (live & ~(theirs ^ base))
      for row in [1, 2, 10] {
        let flags =
          (merged.isExpanded(row) ? 1 : 0) + (merged.hasUnloadedChildren(row) ? 2 : 0)
        #expect(flags == expected, "\(row): \(base) → \(theirs) onto \(live)")
      }
      #expect(merged.contains(20) == (inserting & 1 != 0))
      #expect(merged.contains(30) == (inserting & 2 != 0))
    }
  }

  /// One side deletes a row of a chain with all below it, and the other puts a row below one of them.
  @Test("A row whose parents are gone stands below the nearest one that is left")
  func orphans() throws {
    var outline = try Outline(
      [1, 2, 3, 4, 6, 5], levels: [0, 1, 2, 3, 4, 0], expanding: [1, 2, 3, 4])
    let base = try State(outline, in: 0)
    for (deleted, parent) in (0..<20).map({ (1 + $0 / 5, [1, 2, 3, 4, 6][$0 % 5]) }) {
      var shorter = base
      shorter.deleteItems([deleted])
      for row in [5, 9] {
        var filled = base
        if row == 9 {
          try outline.append([9], to: parent)
          try filled.setOutline(outline, forSection: 0)
          outline.delete([9])
        } else {
          try filled.moveItem(5, intoItem: parent)
        }
        let comment: Comment = "\(deleted) is deleted, \(row) is put below \(parent)"
        for (live, theirs) in [(shorter, filled), (filled, shorter)] {
          let merge = try live.merging(theirs, basedOn: base)
          let merged = try #require(merge.snapshot.outline(ofSection: 0))
          let left = Set(1..<deleted).union([5, row])
          #expect(Set(merged.items) == left && merged.count == left.count, comment)
          let nearest = min(parent, deleted - 1)
          #expect(merged.parent(of: row) == (nearest == 0 ? nil : nearest), comment)
          let isLost = parent >= deleted
          #expect(merge.conflicts.map(\.identifier) == (isLost ? [AnyItemID(parent)] : []), comment)
        }
      }
    }
  }

  /// One side puts one row below the other, the other side puts that one below the first.
  @Test("Of a circle goes the row whose mover has no word, and no row from its parent")
  func circles() async throws {
    let outline = try Outline(Array(1...6), levels: [0, 1, 2, 1, 0, 1])
    let start = try State(outline, in: 0)
    func parents(_ state: State) -> [Int: Int] {
      var parents: [Int: Int] = [:]
      for row in 1...6 { parents[row] = state.outline(ofSection: 0)?.parent(of: row) }
      return parents
    }
    func isBelow(_ row: Int, _ other: Int, in state: State) -> Bool {
      let parents = parents(state)
      return sequence(first: row) { parents[$0] }.dropFirst().contains(other)
    }
    let places: [ReorderDestination<Int, Int>] = (1...6).flatMap { [.before($0), .into($0)] }
    func moved(_ row: Int, _ place: ReorderDestination<Int, Int>, in state: State) -> State? {
      var moved = state.detached
      return (try? moved.reorder([row], to: place)) == nil ? nil : moved
    }
    var (merges, undos) = (0, 0)
    for (row, other) in (1...6).flatMap({ row in (1...6).map { (row, $0) } }) where row != other {
      for first in places {
        guard let mine = moved(row, first, in: start) else { continue }
        for second in places {
          let comment: Comment = "\(row) \(first), \(other) \(second)"
          if isBelow(row, other, in: mine), let live = moved(other, second, in: start),
            isBelow(other, row, in: live)
          {
            merges += 1
            let merge = try live.merging(mine, basedOn: start)
            var expected = parents(mine)
            expected[other] = nil
            #expect(parents(merge.snapshot) == expected, comment)
            #expect(merge.conflicts == [.item(other, .movedTwice)], comment)
          }
          // An undo has no word against what others have moved since.
          if isBelow(row, other, in: start), let live = moved(other, second, in: mine),
            isBelow(other, row, in: live)
          {
            undos += 1
            let list = try DataSourceActor(start)
            let made = try await list.update { try $0.reorder([row], to: first) }
            try await list.update { try $0.reorder([other], to: second) }
            let undone = try await list.revert(made.change)
            var expected = parents(live)
            expected[row] = nil
            #expect(parents(undone.finalSnapshot) == expected, comment)
            #expect(undone.conflicts == [.item(row, .movedTwice)], comment)
          }
        }
      }
    }
    #expect(merges > 20 && undos > 20)
  }

  @Test("A row that only one side has stays where it is put, although a circle goes through it")
  func circleThroughAnInsert() throws {
    let live = try State(Outline([1, 3, 2], levels: [0, 1, 2]), in: 0)
    let mine = try State(Outline([2, 1], levels: [0, 1]), in: 0)
    let merge = try live.merging(mine, basedOn: State(Outline([1, 2]), in: 0))
    let outline = try #require(merge.snapshot.outline(ofSection: 0))
    #expect((1...3).map { outline.parent(of: $0) } == [2, nil, 1])
    #expect(merge.conflicts == [.item(2, .movedTwice)])
  }

  @Test("Children go to the nearest ancestor that is there, circles end at the top")
  func contradictions() throws {
    var base = State()
    base.appendSections([0])
    var outline = try Outline([1, 10, 100, 2], levels: [0, 1, 2, 0])
    try base.setOutline(outline, forSection: 0)

    // The writer deletes a parent below which others have put something.
    var live = base
    try live.replaceItems(childrenOf: 10, using: Outline([100, 101]))
    var theirs = base
    theirs.deleteItems([10])
    var merge = try live.merging(theirs, basedOn: base)
    var merged = try #require(merge.snapshot.outline(ofSection: 0))
    #expect(merged.items == [1, 101, 2] && merged.parent(of: 101) == 1)
    #expect(merge.conflicts == [.item(10, .deletedButFilled)])
    let below = "and they are below its nearest ancestor that is there, or at the top."
    #expect(
      merge.conflicts.first?.description
        == "The writer deleted the item “10”, which others have put items below. It is deleted, "
        + below)
    merge = try theirs.merging(live, basedOn: base)
    #expect(merge.snapshot.outline(ofSection: 0) == merged)
    #expect(merge.conflicts == [.item(10, .filledButDeleted)])
    #expect(
      merge.conflicts.first?.description
        == "The writer put items below the item “10”, but others have deleted it. "
        + "It stays deleted, " + below)

    // Others delete the whole section.
    live = base
    live.deleteSections([0])
    theirs = base
    try theirs.replaceItems(childrenOf: 10, using: Outline([100, 101]))
    merge = try live.merging(theirs, basedOn: base)
    merged = try #require(merge.snapshot.outline(ofSection: 0))
    #expect(merged.items == [101])
    #expect(merge.conflicts.first == .section(0, .filledButDeleted))
    #expect(
      merge.conflicts.first?.description
        == "The writer put items into the section “0”, but others have deleted it. "
        + "It is back, with only those items.")

    // Each side puts one below the other.
    (live, theirs) = (base, base)
    outline = try Outline([2])
    try outline.append([1], to: 2)
    try live.setOutline(outline, forSection: 0)
    outline = try Outline([1])
    try outline.append([2], to: 1)
    try theirs.setOutline(outline, forSection: 0)
    merge = try live.merging(theirs, basedOn: base)
    merged = try #require(merge.snapshot.outline(ofSection: 0))
    #expect(Set(merged.items) == [1, 2])
    #expect(merge.conflicts.contains(.item(merged.items[0], .movedTwice)))

    // A list of what is left, where one side makes it one.
    live = base
    try live.removeOutline(ofSection: 0)
    theirs = base
    theirs.expandItems([1])
    merge = try theirs.merging(live, basedOn: base)
    #expect(merge.snapshot.outline(ofSection: 0) == nil)
    #expect(merge.snapshot.itemIdentifiers == [1, 2])
    #expect(merge.conflicts == [.section(0, .outlineChangedTwice)])
    // Also if it is the writer who has only folded.
    #expect(try live.merging(theirs, basedOn: base) == merge)
  }
}
