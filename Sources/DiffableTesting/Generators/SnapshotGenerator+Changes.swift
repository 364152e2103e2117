public import Diffable

extension SnapshotGenerator {
  private typealias List = PlainList<SectionID, ItemID>

  /// Makes a valid snapshot that differs from another one in up to three ways.
  ///
  /// Items and sections are inserted, deleted, moved, replaced or brought into another order. Items are
  /// renamed, and items and sections are marked for a reload or a reconfigure.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to begin with. Identifiers in it that this generator has not made must differ from
  ///     all that it will make.
  ///   - changesOutlines: Whether sections also turn into outlines or flat lists, and rows of outlines
  ///     are inserted, deleted, moved, expanded and collapsed.
  /// - Complexity: O(n) expected for n sections and items.
  public mutating func changing(
    _ snapshot: Snapshot<SectionID, ItemID>, changesOutlines: Bool = true
  ) -> Snapshot<SectionID, ItemID> {
    let changes = SnapshotChange.allCases.filter {
      $0 != .mixed && $0 != .deletedEverything && (changesOutlines || $0 != .changedOutlines)
    }
    var snapshot = snapshot
    for _ in 0..<1 + random.number(below: 3) {
      snapshot = changing(snapshot, by: random.element(of: changes) ?? .none)
    }
    return random.chance(oneIn: 3) ? marking(snapshot) : snapshot
  }

  /// Makes a valid snapshot that differs from another one in a given way.
  ///
  /// A section that is an outline remains one if its items change, as a flat apply would keep it.
  package mutating func changing(
    _ snapshot: Snapshot<SectionID, ItemID>, by change: SnapshotChange
  ) -> Snapshot<SectionID, ItemID> {
    switch change {
    case .none:
      return snapshot
    case .marked:
      return marking(snapshot)
    case .changedOutlines:
      return changingOutlines(snapshot)
    case .renamedItems:
      return renaming(snapshot)
    case .mixed:
      return changing(snapshot)
    default:
      var list = PlainList(snapshot)
      changeItems(of: &list, by: change)
      changeSections(of: &list, by: change)
      return Snapshot(list, keepingOutlinesOf: snapshot)
    }
  }

  private mutating func marking(
    _ snapshot: Snapshot<SectionID, ItemID>
  ) -> Snapshot<SectionID, ItemID> {
    var marked = snapshot
    // All of these identifiers exist, so nothing throws.
    try? marked.reloadItems(random.sample(snapshot.itemIdentifiers, oneIn: 4))
    try? marked.reconfigureItems(random.sample(snapshot.itemIdentifiers, oneIn: 4))
    try? marked.reloadSections(random.sample(snapshot.sectionIdentifiers, oneIn: 5))
    try? marked.reconfigureSections(random.sample(snapshot.sectionIdentifiers, oneIn: 5))
    return marked
  }

  private mutating func renaming(
    _ snapshot: Snapshot<SectionID, ItemID>
  ) -> Snapshot<SectionID, ItemID> {
    var renamed = snapshot
    let rows = snapshot.sectionIdentifiers.flatMap { section in
      snapshot.outline(ofSection: section)?.items ?? snapshot.itemIdentifiers(inSection: section)
    }
    var chosen = random.sample(rows, oneIn: 3)
    if chosen.isEmpty { chosen = Array(random.shuffled(rows).prefix(1)) }
    for item in chosen {
      // A name may be taken, and a row cannot move below itself: then nothing changes.
      try? renamed.renameItem(item, to: newItem())
      let items = renamed.itemIdentifiers
      guard random.chance(oneIn: 3), let one = random.element(of: items),
        let other = random.element(of: items)
      else { continue }
      if random.chance(oneIn: 3), !renamed.containsItem(item) {
        // The old identifier is used again, for a new item or for one that was there, and maybe not for long.
        if random.chance(oneIn: 2) {
          try? renamed.insertItems([item], beforeItem: other)
        } else {
          try? renamed.renameItem(one, to: item)
        }
        if random.chance(oneIn: 3) { try? renamed.renameItem(item, to: newItem()) }
      } else if random.chance(oneIn: 3) {
        renamed.deleteItems([one])
      } else {
        try? renamed.moveItem(one, beforeItem: other)
      }
    }
    return renamed
  }

  private mutating func changeItems(of list: inout List, by change: SnapshotChange) {
    switch change {
    case .movedItems:
      for _ in 0..<1 + random.number(below: 3) { moveOneItem(in: &list) }
    case .scatteredItems:
      let items = random.shuffled(list.sections.flatMap(\.items))
      list = spread(items, over: list.sections.map { .init(id: $0.id, items: []) })
    default:
      for index in list.sections.indices {
        list.sections[index].items = changed(list.sections[index].items, by: change)
      }
    }
  }

  private mutating func changed(_ items: [ItemID], by change: SnapshotChange) -> [ItemID] {
    switch change {
    case .reversedItems: return items.reversed()
    case .shuffledItems: return random.shuffled(items)
    case .swappedHalves: return Array(items[(items.count / 2)...] + items[..<(items.count / 2)])
    case .rotatedItems: return items.suffix(1) + items.dropLast()
    case .deletedItems: return items.filter { _ in !random.chance(oneIn: 3) }
    case .insertedItems:
      return items.flatMap { item in
        random.chance(oneIn: 3) ? newItems(1 + random.number(below: 2)) + [item] : [item]
      } + newItems(random.number(below: 2))
    case .replacedEverything: return newItems(items.count)
    default: return items
    }
  }

  private mutating func moveOneItem(in list: inout List) {
    let occupied = list.sections.indices.filter { !list.sections[$0].items.isEmpty }
    guard let source = random.element(of: occupied) else { return }
    let place = random.number(below: list.sections[source].items.count)
    let item = list.sections[source].items.remove(at: place)
    let target = random.number(below: list.sections.count)
    let position = random.number(below: list.sections[target].items.count + 1)
    list.sections[target].items.insert(item, at: position)
  }

  private mutating func changeSections(of list: inout List, by change: SnapshotChange) {
    switch change {
    case .reversedSections:
      list.sections.reverse()
    case .shuffledSections:
      list.sections = random.shuffled(list.sections)
    case .deletedSections:
      list.sections.removeAll { _ in random.chance(oneIn: 3) }
    case .mergedSections:
      let gone = random.sample(Array(list.sections.indices.dropFirst()), oneIn: 3)
      let homeless = gone.flatMap { list.sections[$0].items }
      list.sections = list.sections.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      for item in homeless where !list.sections.isEmpty {
        let target = random.number(below: list.sections.count)
        let place = random.number(below: list.sections[target].items.count + 1)
        list.sections[target].items.insert(item, at: place)
      }
    case .insertedSections:
      for section in newSections(1 + random.number(below: 2)) {
        let items = newItems(random.number(below: 3))
        list.sections.insert(
          .init(id: section.id, items: items), at: random.number(below: list.sections.count + 1))
      }
    case .splitSections:
      list.sections = list.sections.flatMap { section -> [List.Section] in
        guard random.chance(oneIn: 2) else { return [section] }
        let cut = random.number(below: section.items.count + 1)
        return [
          .init(id: section.id, items: Array(section.items[..<cut])),
          .init(id: newSection(), items: Array(section.items[cut...])),
        ]
      }
    case .replacedEverything:
      list.sections = list.sections.map { .init(id: newSection(), items: $0.items) }
    case .deletedEverything:
      list.sections = []
    default:
      break
    }
  }
}
