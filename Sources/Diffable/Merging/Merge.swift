/// The result of merging a writer's snapshot into the live one.
public struct Merge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The live snapshot with the writer's changes in it.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// The contradictions between the writer and others: sections first, then items.
  public var conflicts: [MergeConflict<SectionID, ItemID>]
}

extension Snapshot {
  /// Replays a writer's changes since a base onto this snapshot, the live one.
  ///
  /// All three snapshots are states of one list: the base that the writer started from, the
  /// writer's version of it, and this version, which others have changed meanwhile. What the writer
  /// did not change stays as it is here:
  ///
  /// - What the writer deleted is deleted, if it still exists.
  /// - What the writer inserted or moved is placed next to its nearest neighbour in the writer's
  ///   snapshot that others have left in its place. If they have left none, it is the nearest one that is
  ///   still in the same section. If two are equally near, it is the one before it.
  /// - What both sides have put into the same gap stays where others have put it. A gap is between
  ///   neighbours that neither side has inserted or moved.
  /// - An item stays in the section that others moved it to, unless the writer moved it to another
  ///   section too.
  /// - If one side deleted a section and the other inserted or moved items into it, the section
  ///   stays, with those items. If the other side only reordered or nested its items, the section
  ///   is deleted. This applies to flat lists and outlines.
  ///
  /// In outlines the same rules apply to hidden items, and to siblings below the same parent as to
  /// items of the same section. If one side deletes an item and the other puts items below it,
  /// these items move to its nearest ancestor that still exists. Whether an item is expanded is
  /// decided by the writer if the writer changed it; otherwise it stays as it is here. So changes
  /// by others never undo folding.
  ///
  /// An item that one side renamed is the same item on all sides, under its new name. If both sides
  /// renamed it, that is a conflict, and the writer's name is used. If others have used that name
  /// for another item, the item keeps its name. Renames by others are known only to sources that
  /// merge into a revision of their history, and not here.
  ///
  /// So an item is in the result if and only if both sides have it, or if one side has it and the
  /// base does not. Marks of both sides stay on what still exists. If both sides changed the same
  /// element, the writer wins, and the contradiction is returned as a value.
  ///
  /// Merging into an unchanged base returns the writer's snapshot. Two merges that change items of
  /// different sections give the same result in either order.
  ///
  /// What moved is what was placed: an item that a writer moved with ``moveItem(_:beforeItem:)`` or one of
  /// its relatives, and not the neighbours that it went past, see ``placedItemIdentifiers``. If others have
  /// moved it, this counts also for an item that the writer has placed where it was, unless the writer has
  /// changed nothing. Where a side has placed nothing, as few items as possible have moved.
  ///
  /// - Parameters:
  ///   - theirs: The base as the writer changed it.
  ///   - base: The snapshot that the writer started from.
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or ``SnapshotError/duplicateItems(_:)`` if
  ///   an identifier appears twice in any of the three.
  /// - Complexity: O(n) to make the lookup table of a snapshot of n items that has none yet. Then
  ///   the cost of finding two differences, from the base to either side, and O(c · log n) for c
  ///   elements that either side changed, including those in deleted and inserted sections. O(n)
  ///   for n items if the writer put items into an outline or changed one other than by folding,
  ///   unless others have changed nothing.
  public func merging(
    _ theirs: Snapshot, basedOn base: Snapshot
  ) throws(SnapshotError) -> Merge<SectionID, ItemID> {
    try base.validate()
    try theirs.validate()
    try validate()
    var merged = resolved
    let unified = try merged.merge(
      valid: theirs.resolved, basedOn: base.resolved, others: Marks(placing: marks.placed))
    return Merge(snapshot: merged, conflicts: unified.conflicts)
  }

  /// The same in place, for three snapshots that are known to be valid.
  ///
  /// This one has its lookup table. Identifiers are looked up in the others only if items were
  /// renamed, or if both sides moved or inserted the same items.
  ///
  /// - Parameters:
  ///   - others: What others have renamed and placed since the base.
  ///   - rule: What counts where both sides have placed the same.
  /// - Returns: All conflicts, and the names of items that the writer knows under others.
  package mutating func merge(
    valid theirs: Snapshot, basedOn base: Snapshot, others: Marks, by rule: MergeRule = .change
  ) throws(SnapshotError) -> UnifiedNames {
    var unified = UnifiedNames()
    if !theirs.marks.hasRenames && !others.hasRenames || order.isIdentical(to: base.order) {
      unified.conflicts = try merge(
        named: theirs, basedOn: base, placedByOthers: others.placed, by: rule)
    } else {
      var (writer, common, others) = (theirs, base, others)
      unified = unifyNames(&writer, &common, &others, by: rule)
      unified.conflicts += try merge(
        named: writer, basedOn: common, placedByOthers: others.placed, by: rule)
    }
    return unified
  }

  /// The same for snapshots in which each item has the same name.
  private mutating func merge(
    named theirs: Snapshot, basedOn base: Snapshot, placedByOthers placed: Placed,
    by rule: MergeRule
  ) throws(SnapshotError) -> [MergeConflict<SectionID, ItemID>] {
    guard !theirs.order.isIdentical(to: base.order) else {
      mark(theirs.marks)
      return []
    }
    guard !order.isIdentical(to: base.order) else {
      becomeSuccessor(theirs)
      return []
    }
    guard [self, theirs, base].contains(where: { $0.order.totals.outlines > 0 }) else {
      return try mergeLists(theirs, basedOn: base, placedByOthers: placed, by: rule)
    }
    let comparison = SnapshotComparison(old: base.base, new: theirs.base)
    if let folds = theirs.folds(since: base, comparison), !hasFlattened(outlinesOf: base) {
      expandItems(folds.expanded)
      collapseItems(folds.collapsed)
      mark(theirs.marks)
      return []
    }
    guard reachesOutlines(byWriterFrom: base, to: theirs, comparison) else {
      return try mergeLists(theirs, basedOn: base, placedByOthers: placed, by: rule)
    }
    return try BranchMerger(live: self, theirs: theirs, base: base)
      .merge(into: &self, placedByOthers: placed, by: rule)
  }

  /// Whether a section that was an outline in a base is a flat list here.
  ///
  /// - Complexity: O(d · log n) for d leaves in which this snapshot differs from the base.
  private func hasFlattened(outlinesOf base: Snapshot) -> Bool {
    SnapshotComparison(old: base.base, new: self.base).touched.contains { section in
      order[section.new].outline == nil
        && section.old.map { base.order[$0].outline != nil } ?? false
    }
  }

  /// Becomes the writer's version of this snapshot: a merge without changes by others.
  ///
  /// - Complexity: O(d · log n) for d leaves that the writer changed; O(s) more for s sections if there are arrays.
  mutating func becomeSuccessor(_ theirs: Snapshot) {
    var next = theirs.reusing(self, keepingOutlines: false)
    var (marks, later) = (marks, theirs.marks)
    if !marks.isEmpty, later.hasRenames {
      // What is marked and renamed here goes on under the names that the writer has given.
      let former = self
      func isGiven(_ rename: ItemRename<ItemID>) -> Bool {
        former.containsItem(rename.old) && !former.containsItem(rename.new)
          && theirs.containsItem(rename.new) && !theirs.containsItem(rename.old)
      }
      marks.rename(later.renames.inOrder.filter(isGiven))
      later.forgetRenames(where: isGiven)
    }
    if let changes = SnapshotComparison(old: base, new: next.base).changes {
      let nothing = HashedElements(kernels.items)
      next.base.takeTable(of: &base, changes, bringing: nothing)
    } else {
      next.makeTable()
    }
    next.base.itemTable?.forgetPossibleDuplicates()
    self = next
    self.marks = Marks()
    mark(marks)
    mark(later)
  }

  /// Whether a writer's changes affect an outline.
  ///
  /// That is the case if the writer changed an outline, or deletes, inserts or moves anything from
  /// or to one. If not, the outlines stay as they are, and the rest is a merge of flat lists.
  ///
  /// - Parameter comparison: Compares the base with the writer's snapshot.
  /// - Complexity: O(d · log n) for d leaves in which the writer's snapshot differs from the base.
  private func reachesOutlines(
    byWriterFrom base: Snapshot, to theirs: Snapshot, _ comparison: SnapshotComparison
  ) -> Bool {
    let sides = [self, theirs, base]
    func reaches(_ section: SectionID?) -> Bool {
      section.map { section in sides.contains { $0.outline(ofSection: section) != nil } } ?? false
    }
    let changed =
      comparison.touched.map { theirs.section(at: $0.new) }
      + comparison.correspondence.sectionDeletes.joined().map(base.section(at:))
    let changesOutlines = changed.contains { section in
      reaches(section)
        && (theirs.containsSection(section) != base.containsSection(section)
          || theirs.outline(ofSection: section) != base.outline(ofSection: section))
    }
    if changesOutlines { return true }
    // A row that was placed where it was may be placed there again.
    if theirs.marks.placed.items.inOrder.contains(where: {
      reaches(sectionIdentifier(containingItem: $0))
        || reaches(theirs.sectionIdentifier(containingItem: $0))
    }) {
      return true
    }
    let writer = Divergence(from: base, to: theirs, placing: theirs.marks.placed)
    if writer.deletedItems.contains(where: { reaches(sectionIdentifier(containingItem: $0)) }) {
      return true
    }
    return writer.placedItems.ranges.contains { range in
      reaches(theirs.sectionIdentifier(at: range.section))
        || theirs.items(inSectionAt: range.section)[range.items].contains {
          reaches(sectionIdentifier(containingItem: $0))
        }
    }
  }

  mutating func mergeLists(
    _ theirs: Snapshot, basedOn base: Snapshot, placedByOthers placed: Placed, by rule: MergeRule
  ) throws(SnapshotError) -> [MergeConflict<SectionID, ItemID>] {
    let merger = Merger(draft: self, theirs: theirs, base: base, placedByOthers: placed, by: rule)
    // The draft is the only holder of the table now, so the table is edited in place.
    self = Snapshot(kernels)
    defer { self = merger.draft }
    return try merger.merge()
  }
}

extension Snapshot {
  /// What a merge does with the names of renamed items.
  package struct UnifiedNames {
    /// By the names that the writer uses: the names in the result, where they differ.
    var names = ItemRenames<ItemID>()
    /// The renames of the writer that others prevent.
    var conflicts: [MergeConflict<SectionID, ItemID>] = []
    /// The items of the base whose renames count for nothing: one side deleted the item, as it seems, and
    /// inserted another.
    var notRenamed: [ItemID] = []
  }

  /// An item of the base, by its names on the sides of a merge and the one on all sides.
  ///
  /// Without a live name, the live state does not have it. Others may have given it a name, too, or used
  /// the writer's name.
  private typealias NamedItem = (
    base: ItemID, theirs: ItemID, live: ItemID?, name: ItemID, contradiction: Contradiction?
  )

  /// Gives each renamed item the same name on all sides of a merge.
  ///
  /// It is the writer's name, or the others' name if the writer did not rename the item, or if both did and
  /// the writer takes a rename back.
  ///
  /// This is the live snapshot. What the writer renamed gets its name here, as by
  /// ``renameItem(_:to:)``. If others have used that name for another item meanwhile, the item
  /// keeps its name on all sides, and that is a conflict. Names may have been passed on: if others
  /// renamed `a` to `b` and then `c` to `a`, the live `a` is the item that the base calls `c`.
  ///
  /// A rename of the writer is skipped if the writer's identifiers contradict it, and any rename is
  /// skipped if its name is that of another item on one side. The merge then treats it as a delete and
  /// an insert.
  ///
  /// - Parameters:
  ///   - theirs: The writer's version of the base, with the writer's renames; they are removed.
  ///   - base: The snapshot that both sides started from.
  ///   - others: What others have renamed and placed since; what they have placed gets these names too.
  /// - Complexity: O(r · log n) for r renames and n items, plus missing lookup tables. If names were
  ///   passed on, that times the number of items in such a chain.
  mutating func unifyNames(
    _ theirs: inout Snapshot, _ base: inout Snapshot, _ others: inout Marks, by rule: MergeRule
  ) -> UnifiedNames {
    let (writers, theirNames) = (theirs.marks.renames, others.renames)
    theirs.marks.forgetRenames()
    theirs.resolve()
    base.resolve()
    var items = itemsRenamed(by: writers, theirs, base, theirNames, rule)
    let own = IdentifierSet(items.lazy.map(\.base))
    items += itemsRenamed(by: theirNames, base).filter { !own.contains($0.base) }
    var unified = UnifiedNames()
    let free = Self.keepingFreeNames(items, theirs, base)
    if free.count < items.count {
      let kept = IdentifierSet(free.lazy.map(\.base))
      unified.notRenamed = items.map(\.base).filter { !kept.contains($0) }
      items = free
    }

    for item in items {
      guard let live = item.live, live != item.name else { continue }
      let rename = ItemRename(old: live, new: item.name)
      if self.rename(rename) {
        marks.rename([rename])
        others.follow([rename])
      }
    }
    let renamed = items.filter { theirs.containsItem($0.theirs) }
      .map { ItemRename(old: $0.theirs, new: $0.name) }
    theirs.rename(renamed)
    base.rename(items.map { ItemRename(old: $0.base, new: $0.name) })
    unified.names.formUnion(renamed)
    unified.conflicts = items.compactMap { item in
      item.contradiction.map { .item(item.name, $0) }
    }
    return unified
  }

  /// The items that the writer renamed.
  private func itemsRenamed(
    by writers: ItemRenames<ItemID>, _ theirs: Snapshot, _ base: Snapshot,
    _ others: ItemRenames<ItemID>, _ rule: MergeRule
  ) -> [NamedItem] {
    writers.inOrder.compactMap { rename in
      // An identifier that both snapshots of the writer have names the same item.
      guard base.containsItem(rename.old), !base.containsItem(rename.new),
        theirs.containsItem(rename.new), !theirs.containsItem(rename.old)
      else { return nil }
      let live = liveName(of: rename.old, others)
      let isTwice = live != nil && live != rename.old && live != rename.new
      let isTaken = live != rename.new && containsItem(rename.new)
      guard isTaken || isTwice && rule == .undo else {
        return (rename.old, rename.new, live, rename.new, isTwice ? .renamedTwice : nil)
      }
      return (live ?? unusedName(of: rename.old, others)).map { name in
        (
          rename.old, rename.new, live, name,
          live == nil ? nil : isTwice && rule == .undo ? .renamedTwice : .renamedButTaken
        )
      }
    }
  }

  /// The items that others renamed, and those whose names they used again.
  private func itemsRenamed(by others: ItemRenames<ItemID>, _ base: Snapshot) -> [NamedItem] {
    others.inOrder.flatMap { rename in
      var items: [NamedItem] = []
      if base.containsItem(rename.old) {
        let live = liveName(of: rename.old, others)
        items.append((rename.old, rename.old, live, rename.new, nil))
      }
      if base.containsItem(rename.new), others.newName(of: rename.new) == nil,
        let name = unusedName(of: rename.new, others)
      {
        // The item that had the name was deleted before.
        items.append((rename.new, rename.new, nil, name, nil))
      }
      return items
    }
  }

  /// The name of an item of the base here; `nil` if others have deleted it.
  func liveName(of item: ItemID, _ others: ItemRenames<ItemID>) -> ItemID? {
    // A name that was given to another item was free.
    let name = others.newName(of: item) ?? (others.oldName(of: item) == nil ? item : nil)
    return name.flatMap { containsItem($0) ? $0 : nil }
  }

  /// The name of an item that others have deleted; if another item has that name now, the name that was
  /// given up for it.
  private func unusedName(of item: ItemID, _ others: ItemRenames<ItemID>) -> ItemID? {
    var name = item
    while let former = others.oldName(of: name), former != item { name = former }
    return containsItem(name) ? nil : name
  }

  /// The items that can have their names on all sides.
  private static func keepingFreeNames(
    _ items: [NamedItem], _ theirs: Snapshot, _ base: Snapshot
  ) -> [NamedItem] {
    var kept = items
    while true {
      let givenUp = (
        theirs: IdentifierSet(kept.lazy.filter { $0.theirs != $0.name }.map(\.theirs)),
        base: IdentifierSet(kept.lazy.filter { $0.base != $0.name }.map(\.base))
      )
      let free = kept.filter { item in
        func isFree(_ name: ItemID, _ side: Snapshot, _ givenUp: IdentifierSet<ItemID>) -> Bool {
          name == item.name || !side.containsItem(item.name) || givenUp.contains(item.name)
        }
        return isFree(item.theirs, theirs, givenUp.theirs) && isFree(item.base, base, givenUp.base)
      }
      if free.count == kept.count { return kept }
      kept = free
    }
  }
}

/// What counts where a writer and others have both changed the same: a model that no function merges, or where
/// an element is.
package enum MergeRule: Sendable {
  /// A change: what the writer has made of it.
  case change
  /// A change that takes back another one, as far as what that has made still shows: what others have made of
  /// it since.
  case undo
}
