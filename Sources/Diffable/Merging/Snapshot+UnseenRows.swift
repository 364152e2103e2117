extension Snapshot {
  /// Brings back what others have put into sections that an edit has deleted.
  ///
  /// The edit was made on a base, and has run again on a newer state. It deletes the items that its writer saw
  /// in a section. Items that others have put there since stay, with their section, as in a merge. In an
  /// outline they are below their nearest ancestor that stays.
  ///
  /// - Parameters:
  ///   - state: The newer state. This snapshot is what the edit has made of it.
  ///   - base: The state that the writer saw.
  ///   - made: What the edit has made of the base, if it has run there: an item that it deleted from
  ///     another section is deleted.
  ///   - others: What others have renamed since the base.
  /// - Returns: The sections that stay.
  /// - Complexity: O(d · log n) for d leaves that the edit has changed. If others have changed a section that it
  ///   deletes, O(n · log n) for n items.
  package mutating func keepUnseenItems(
    of state: Snapshot, basedOn base: Snapshot, _ made: Snapshot?,
    renamedByOthers others: ItemRenames<ItemID>
  ) throws(SnapshotError) -> [SectionID] {
    let deleted = difference(fromState: state, marks: .init()).sectionDeletes.ranges.joined()
      .filter { index in
        let seen = state.sectionIdentifier(at: index).flatMap(base.indexOfSection)
        let rows = state.order[index].rowTree
        return seen.map { !base.order[$0].rowTree.isIdentical(to: rows) } ?? true
      }
    guard !deleted.isEmpty else { return [] }
    let (base, made, renames) = (base.resolved, made?.resolved, marks.renames)
    var kept: [SectionID] = []
    for index in deleted {
      guard let section = state.sectionIdentifier(at: index) else { continue }
      let unseen = try state.items(inSectionAt: index) { item in
        guard !containsItem(renames.newName(of: item) ?? item) else { return false }
        let former = others.oldName(of: item) ?? item
        guard let seen = base.sectionIdentifier(containingItem: former) else { return true }
        return seen != section && made?.containsItem(former) != false
      }
      guard unseen.count > 0 else { continue }
      let before = (0..<index).lazy.compactMap(state.sectionIdentifier).last(where: containsSection)
      insertSections([section], at: before.flatMap(indexOfSection).map { $0 + 1 } ?? 0)
      if state.outline(ofSectionAt: index) == nil {
        try append(unseen.items, toSection: section)
      } else {
        try setOutline(unseen, forSection: section)
      }
      kept.append(section)
    }
    return kept
  }

  /// Some items of a section, below their nearest ancestors of these.
  private func items(
    inSectionAt index: Int, where isKept: (ItemID) -> Bool
  ) throws(SnapshotError) -> Outline<ItemID> {
    var kept = Outline<ItemID>(kernels.items)
    guard let outline = outline(ofSectionAt: index) else {
      try kept.append(items(inSectionAt: index).filter(isKept))
      return kept
    }
    var path: [(item: ItemID, level: Int)] = []
    for item in outline.items {
      let level = outline.level(of: item) ?? 0
      while let last = path.last, last.level >= level { path.removeLast() }
      guard isKept(item) else { continue }
      try kept.append([item], to: path.last?.item)
      path.append((item, level))
    }
    kept.expand(kept.items.filter(outline.isExpanded))
    kept.setChildrenUnloaded(of: kept.items.filter(outline.hasUnloadedChildren))
    return kept
  }
}
