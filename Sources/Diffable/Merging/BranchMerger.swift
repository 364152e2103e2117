/// A merge of snapshots with outlines: merges their branches and rebuilds the trees.
///
/// A flag is the writer's if the writer changed it, otherwise the live snapshot's. Whether a
/// section is an outline is decided in the same way.
final class BranchMerger<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Key = Branch<SectionID, ItemID>
  typealias Conflict = MergeConflict<SectionID, ItemID>

  let live: Branches<SectionID, ItemID>
  let theirs: Branches<SectionID, ItemID>
  let base: Branches<SectionID, ItemID>

  /// The sections of the merged branches, in order.
  private var mergedSections: [SectionID] = []
  /// The sections that are back at the beginning, in reverse order.
  private var restoredFirst: [SectionID] = []
  /// By section: those that are back directly after it, in reverse order.
  private var restoredAfter = IdentifierMap<SectionID, [SectionID]>()
  /// All these sections.
  private var isThere = IdentifierSet<SectionID>()
  /// The items of each branch of the result.
  var items = IdentifierMap<Key, [ItemID]>()
  var rows = IdentifierMap<SectionID, ContiguousArray<OutlineRow<ItemID>>>()
  var visited = IdentifierSet<ItemID>()
  var conflicts: [Conflict] = []
  /// Sections that one side deleted and that are back because others put items below their rows.
  var restored = IdentifierMap<SectionID, Contradiction>()

  init(
    live: Snapshot<SectionID, ItemID>, theirs: Snapshot<SectionID, ItemID>,
    base: Snapshot<SectionID, ItemID>
  ) {
    self.live = Branches(live)
    self.theirs = Branches(theirs)
    self.base = Branches(base)
    // What one side made a flat list while the other changed its outline.
    for section in base.sectionIdentifiers where !isOutline(section) {
      guard live.containsSection(section), theirs.containsSection(section),
        let outline = base.outline(ofSection: section),
        let other = live.outline(ofSection: section) ?? theirs.outline(ofSection: section),
        other != outline
      else { continue }
      conflicts.append(.section(section, .outlineChangedTwice))
    }
  }

  /// Turns the live snapshot into the result.
  ///
  /// - Complexity: O(n) for n items.
  ///
  /// - Parameters:
  ///   - placed: What others have placed since the base.
  ///   - rule: What counts where both sides have placed the same.
  func merge(
    into snapshot: inout Snapshot<SectionID, ItemID>,
    placedByOthers placed: PlacedRows<SectionID, ItemID>, by rule: MergeRule
  ) throws(SnapshotError) -> [Conflict] {
    var merged = live.list
    let found = try merged.mergeLists(
      theirs.list, basedOn: base.list,
      placedByOthers: placed.translated { Key.roots($0) }, by: rule)
    for (index, branch) in merged.sectionIdentifiers.enumerated() {
      items[branch] = Array(merged.items(inSectionAt: index))
    }
    mergedSections = merged.sectionIdentifiers.compactMap(\.section)
    isThere = IdentifierSet(mergedSections)
    placeOrphans(merged)
    conflicts += found.compactMap { translated($0, merged) }
    for section in sections { addRows(below: .roots(section), to: section, level: 0) }
    breakCircles(merged, by: rule)
    try install(in: &snapshot, merged.marks)
    return conflictsInOrder
  }

  // MARK: Trees

  /// Moves items whose parent one side deleted to the nearest ancestor that still exists.
  func placeOrphans(_ merged: Snapshot<Key, ItemID>) {
    var found = (live: IdentifierMap<ItemID, Key>(), theirs: IdentifierMap<ItemID, Key>())
    // In an order that does not depend on hashes.
    for case .children(let owner) in merged.sectionIdentifiers where !merged.containsItem(owner) {
      // If others only reordered its children, they were deleted with it, and none are left.
      guard let orphans = items[.children(owner)], !orphans.isEmpty else { continue }
      let isLive = live.places[owner] != nil
      // If the base has the branch, the merge of the branches has found that.
      if !base.list.containsSection(.children(owner)) {
        conflicts.append(.item(owner, isLive ? .deletedButFilled : .filledButDeleted))
      }
      let branch =
        isLive
        ? nearestBranch(above: owner, on: live, in: merged, &found.live)
        : nearestBranch(above: owner, on: theirs, in: merged, &found.theirs)
      guard let branch else { continue }
      if case .roots(let section) = branch { restore(section, isLive: isLive) }
      items[.children(owner)] = nil
      items.change(branch, default: []) { $0 += orphans }
    }
  }

  /// The nearest branch above an item on one side that is a section, or belongs to an item of the result.
  ///
  /// - Parameter found: The results of earlier calls, so that no part of a long chain is walked twice.
  private func nearestBranch(
    above item: ItemID, on side: Branches<SectionID, ItemID>, in merged: Snapshot<Key, ItemID>,
    _ found: inout IdentifierMap<ItemID, Key>
  ) -> Key? {
    var passed = [item]
    // Identifiers that break the laws of `Hashable` could be each other's ancestors.
    while passed.count <= side.places.count, let last = passed.last,
      let branch = found[last] ?? side.places[last]
    {
      if case .children(let ancestor) = branch, !merged.containsItem(ancestor) {
        passed.append(ancestor)
        continue
      }
      for item in passed { found[item] = branch }
      return branch
    }
    return nil
  }

  /// Brings back a section that one side deleted, after the section that precedes it on the other.
  ///
  /// - Parameter isLive: Whether the live side still has it.
  func restore(_ section: SectionID, isLive: Bool) {
    guard isThere.insert(section) else { return }
    restored[section] = isLive ? .deletedButFilled : .filledButDeleted
    let side = isLive ? live : theirs
    guard let previous = side.section(before: section, where: isThere.contains) else {
      return restoredFirst.append(section)
    }
    restoredAfter.change(previous, default: []) { $0.append(section) }
  }

  /// The sections of the result, in order.
  ///
  /// - Complexity: O(s) for s sections.
  private var sections: [SectionID] {
    var (sections, after) = ([SectionID](), restoredAfter)
    var pending = mergedSections.reversed() + restoredFirst
    while let section = pending.popLast() {
      sections.append(section)
      // Each list is used once, also if identifiers break the laws of `Hashable`.
      guard let next = after[section] else { continue }
      after[section] = nil
      pending += next
    }
    return sections
  }

  /// Adds the items below a branch to the rows of a section.
  func addRows(below branch: Key, to section: SectionID, level: Int32) {
    var added = ContiguousArray<OutlineRow<ItemID>>()
    var pending = [(siblings: takeItems(of: branch), next: 0)]
    while let (siblings, next) = pending.last {
      guard next < siblings.count else {
        pending.removeLast()
        continue
      }
      pending[pending.count - 1].next += 1
      let item = siblings[next]
      guard visited.insert(item) else { continue }
      added.append(row(of: item, level: level + Int32(pending.count - 1)))
      pending.append((takeItems(of: .children(item)), 0))
    }
    rows.change(section, default: []) { $0 += added }
  }

  /// The items of a branch; each branch is placed once.
  func takeItems(of branch: Key) -> [ItemID] {
    defer { items[branch] = nil }
    return items[branch] ?? []
  }

  /// Moves items that the two sides moved below each other to the end of their section.
  ///
  /// Of each circle one item goes, with all below it: one that the side whose word counts has elsewhere.
  func breakCircles(_ merged: Snapshot<Key, ItemID>, by rule: MergeRule) {
    guard visited.count < merged.numberOfItems else { return }
    let (winner, loser) = rule == .undo ? (live, theirs) : (theirs, live)
    var parents = IdentifierMap<ItemID, ItemID>()
    for case (.children(let parent), let children) in items.elements {
      for child in children { parents[child] = parent }
    }
    for start in merged.itemIdentifiers where !visited.contains(start) {
      let circle = circle(above: start, parents)
      let item =
        circle.first { item in
          guard let parent = parents[item], let place = winner.places[item] else { return false }
          return place != .children(parent)
        } ?? start
      let side = winner.places[item] == nil ? loser : winner
      guard let section = side.section(of: item) else { continue }
      restore(section, isLive: side === live)
      visited.insert(item)
      let root = row(of: item, level: 0)
      rows.change(section, default: []) { $0.append(root) }
      addRows(below: .children(item), to: section, level: 1)
      conflicts.append(.item(item, .movedTwice))
    }
  }

  /// The items below each other to which the parents of an item lead.
  private func circle(
    above start: ItemID, _ parents: IdentifierMap<ItemID, ItemID>
  ) -> ArraySlice<ItemID> {
    var path = [start]
    var seen = IdentifierSet(path)
    // Identifiers that break the laws of `Hashable` might never be seen again.
    while let parent = path.last.flatMap({ parents[$0] }), path.count <= parents.count {
      guard seen.insert(parent) else { return path[(path.firstIndex(of: parent) ?? 0)...] }
      path.append(parent)
    }
    return []
  }

  func row(of item: ItemID, level: Int32) -> OutlineRow<ItemID> {
    let (live, theirs, base) = (live.flagged[item], theirs.flagged[item], base.flagged[item])
    func flag(_ value: (OutlineRow<ItemID>) -> Bool) -> Bool {
      let writer = theirs.map(value) ?? false
      return writer != (base.map(value) ?? false) ? writer : live.map(value) ?? false
    }
    return OutlineRow(
      id: item, level: level, isExpanded: flag(\.isExpanded),
      hasUnloadedChildren: flag(\.hasUnloadedChildren))
  }

  // MARK: Sections

  func isOutline(_ section: SectionID) -> Bool {
    let writer = theirs.kinds[section]
    if let writer, writer != base.kinds[section] { return writer }
    return live.kinds[section] ?? writer ?? false
  }

  /// A conflict of branches as a conflict of sections and items; `nil` if it is none.
  func translated(
    _ conflict: MergeConflict<Key, ItemID>, _ merged: Snapshot<Key, ItemID>
  ) -> Conflict? {
    switch conflict {
    case .item(let item, let contradiction): return .item(item, contradiction)
    case .section(.roots(let section), let contradiction):
      return .section(section, contradiction)
    case .section(.children(let owner), let contradiction):
      let isFilled = contradiction == .filledButDeleted || contradiction == .deletedButFilled
      return isFilled && !merged.containsItem(owner) ? .item(owner, contradiction) : nil
    }
  }

  /// The conflicts, sections first.
  ///
  /// A section that was restored is listed with that conflict only.
  var conflictsInOrder: [Conflict] {
    var ofSections = sections.compactMap { section in
      restored[section].map { Conflict.section(section, $0) }
    }
    var ofItems: [Conflict] = []
    for conflict in conflicts {
      switch conflict {
      case .item: ofItems.append(conflict)
      case .section(let section, _):
        if restored[section] == nil { ofSections.append(conflict) }
      }
    }
    return ofSections + ofItems
  }

  /// Edits the live snapshot, so that what it shares with the result stays shared.
  func install(
    in snapshot: inout Snapshot<SectionID, ItemID>, _ marks: Snapshot<Key, ItemID>.Marks
  ) throws(SnapshotError) {
    let sections = sections
    snapshot.deleteSections(snapshot.sectionIdentifiers.filter { !isThere.contains($0) })
    snapshot.appendSections(sections.filter { !snapshot.containsSection($0) })
    if snapshot.sectionIdentifiers != sections {
      for (previous, section) in zip(sections, sections.dropFirst()) {
        try snapshot.moveSection(section, afterSection: previous)
      }
    }
    for (index, section) in sections.enumerated().prefix(snapshot.numberOfSections) {
      let rows = rows[section] ?? []
      if isOutline(section) {
        var outline = Outline<ItemID>(snapshot.kernels.items)
        outline.replaceRows(0..<0, with: rows)
        guard snapshot.outline(ofSectionAt: index) != outline else { continue }
        snapshot.setOutline(outline, ofSectionAt: index)
      } else {
        try snapshot.removeOutline(ofSection: section)
        let items = rows.map { $0.id }
        guard !snapshot.items(inSectionAt: index).elementsEqual(items) else { continue }
        snapshot.setItems(ofSectionAt: index, to: items)
      }
    }
    snapshot.marks = marks.translated(\.section)
  }
}

extension Branch {
  /// The section that has these roots.
  var section: SectionID? {
    guard case .roots(let section) = self else { return nil }
    return section
  }
}

extension Snapshot {
  /// The items that were expanded or collapsed since a base; `nil` if anything else changed.
  ///
  /// - Parameter states: Compares the base with this snapshot.
  /// - Complexity: O(d · log n) for d leaves of n rows that differ.
  func folds(
    since base: Snapshot, _ states: SnapshotComparison
  ) -> (expanded: [ItemID], collapsed: [ItemID])? {
    guard numberOfSections == base.numberOfSections else { return nil }
    guard states.correspondence.sections.count <= 1, states.correspondence.sectionDeletes.isEmpty
    else { return nil }
    var folds: (expanded: [ItemID], collapsed: [ItemID]) = ([], [])
    func row(at address: UnsafeRawPointer) -> OutlineRow<ItemID> {
      address.assumingMemoryBound(to: OutlineRow<ItemID>.self).pointee
    }
    for section in states.touched {
      guard let origin = section.old else { return nil }
      let (new, old) = (order[section.new], base.order[origin])
      switch (new.outline, old.outline) {
      case (nil, nil):
        guard new.items.isIdentical(to: old.items) else { return nil }
      case (let new?, let old?) where new === old: break
      case (let new?, let old?):
        let comparison = TreeComparison(
          old: old.value.rows.base, new: new.value.rows.base, keepingPairs: true)
        guard comparison.matching.isEqual else { return nil }
        let changed = withExtendedLifetime((old, new, comparison)) {
          comparison.comparedPairs.compactMap { pair in
            let (old, new) = (row(at: pair.oldAddress), row(at: pair.newAddress))
            return new.isIdentical(to: old) ? nil : (old: old, new: new)
          }
        }
        for (old, new) in changed {
          guard new.level == old.level, new.hasUnloadedChildren == old.hasUnloadedChildren
          else { return nil }
          if new.isExpanded {
            folds.expanded.append(new.id)
          } else {
            folds.collapsed.append(new.id)
          }
        }
      default: return nil
      }
    }
    return folds
  }
}
