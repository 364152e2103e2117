import DiffableTesting
import Testing
import TestScope

@testable import Diffable
@testable import DiffableEngine

/// The law of states that were handed out: what they say of identifiers is what a scan says, whatever
/// became of the live state since.
@Suite("States that ask the live table") struct LiveTableTests {
  @Test("Any state, near the live one or not", arguments: 1...rounds(30 as UInt64))
  func randomly(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let source = DataSourceActor<Int, Int>()
    var states: [Snapshot<Int, Int>] = []
    for _ in 0..<25 {
      let items = random.sample(random.shuffled(Array(0..<400)), oneIn: 2)
      let kind = random.number(below: 4)
      let anchor = random.element(of: await source.snapshot.itemIdentifiers)
      switch kind {
      case 0:
        var list = Snapshot<Int, Int>()
        list.appendSections([0, 1])
        try list.appendItems(items.filter { $0 % 3 > 0 }, toSection: 0)
        var outline = Outline<Int>()
        try outline.append([500])
        try outline.append(items.filter { $0 % 3 == 0 }, to: 500)
        if random.chance(oneIn: 2) { outline.expand([500]) }
        try list.setOutline(outline, forSection: 1)
        try await source.apply(list)
      case 1:
        try await source.update { $0.deleteItems(items.prefix(5)) }
      case 2:
        guard let anchor else { continue }
        try await source.update { list in
          try list.insertItems(
            items.suffix(3).filter { !list.containsItem($0) }, afterItem: anchor)
        }
      default:
        try await source.update { list in
          if random.chance(oneIn: 2) { list.expandItems([500]) } else { list.collapseItems([500]) }
        }
      }
      states.append(await source.snapshot)
      // Each state is asked afresh: a copy has nothing that an earlier question left.
      for state in states.suffix(6) {
        let asked = [500] + (0..<40).map { $0 * 10 }
        #expect(state.faults(asking: asked) == [], "seed \(seed)")
      }
    }
  }

  @Test("Questions while others write")
  func concurrently() async throws {
    let source = DataSourceActor<Int, Int>()
    try await source.update {
      $0.appendSections([0])
      try $0.appendItems(Array(0..<5_000))
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for reader in 0..<3 {
        group.addTask {
          for round in 0..<rounds(80) {
            let state = await source.snapshot
            let index = (round * 37 + reader) % state.numberOfItems
            let path = ItemPath(section: 0, item: index)
            guard let item = state.itemIdentifier(for: path), state.itemPath(for: item) == path
            else { return false }
          }
          return true
        }
      }
      group.addTask {
        // Never a row before itself.
        for round in 0..<rounds(160) {
          try await source.update { list in
            try list.moveItem((round * 41) % 5_000, beforeItem: (round * 17 + 1) % 5_000)
          }
        }
        return true
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}

extension Snapshot {
  /// What it answers about some items, and about all sections, otherwise than a walk over all rows.
  func faults(asking items: some Sequence<ItemID>) -> [String] {
    var faults: [String] = []
    var places: [ItemID: (section: SectionID, path: ItemPath?)] = [:]
    for (index, section) in sectionIdentifiers.enumerated() {
      if indexOfSection(section) != index { faults.append("section \(section) is not found") }
      let shown = Array(self.items(inSectionAt: index))
      if let outline = outline(ofSectionAt: index) {
        if outline.visibleItems != shown { faults.append("section \(section) shows \(shown)") }
        for item in outline.items { places[item] = (section, nil) }
      }
      for (place, item) in shown.enumerated() {
        places[item] = (section, ItemPath(section: index, item: place))
      }
    }
    for item in items {
      let place = places[item]
      let isRight =
        itemPath(for: item) == place?.path && containsItem(item) == (place != nil)
        && sectionIdentifier(containingItem: item) == place?.section
      if !isRight { faults.append("item \(item) is not found where it is") }
    }
    if numberOfItems != itemIdentifiers.count { faults.append("the number of items") }
    return faults
  }
}
