/// What came of merging a writer's snapshot into the live one.
public struct Merge<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>:
  Sendable, Equatable
{
  /// The live snapshot with the writer's changes in it.
  public var snapshot: Snapshot<SectionID, ItemID>
  /// Where writer and others contradict each other: sections first, then items.
  public var conflicts: [MergeConflict<SectionID, ItemID>]

  package init(
    snapshot: Snapshot<SectionID, ItemID>, conflicts: [MergeConflict<SectionID, ItemID>]
  ) {
    self.snapshot = snapshot
    self.conflicts = conflicts
  }
}

extension Snapshot {
  /// Replays what a writer changed since a base onto this snapshot, the live one.
  ///
  /// All three sides are states of one list: the base that the writer started from, what the writer
  /// made of it, and what others have made of it meanwhile. What the writer did not touch stays as
  /// it is here:
  ///
  /// - What the writer deleted is deleted, if it is still there.
  /// - What the writer inserted or moved comes beside its nearest neighbour in the writer's snapshot
  ///   that still stands in the same section; the one before it, if two are equally near.
  /// - An item stays in the section that others moved it to, unless the writer moved it to another
  ///   section as well.
  /// - A section that one side deleted and the other put items into stays, with those items. If the
  ///   other only put its items in another order or below each other, it goes, list or outline.
  ///
  /// In outlines this goes for hidden items as well, and for what stands side by side below the
  /// same parent as for what stands in the same section. What an item is below that one side
  /// deleted and the other put items under, these are below then. Whether an item is expanded is
  /// the writer's word where the writer changed that, else what it is here; so folding is never
  /// undone by what others do.
  ///
  /// An item that one side renamed is the same item on all sides, under its new name: the writer's, if both
  /// sides renamed it. What others renamed is known to sources that merge into a revision of their
  /// history, and not here.
  ///
  /// So an item is in the result exactly if both sides have it, or one side has it and the base has
  /// not. Marks of both sides stay on what is still there. Where both say something about the same
  /// element, the writer's word counts, and the contradiction is returned as a value.
  ///
  /// Merging into an unchanged base gives the writer's snapshot. Two merges that change items of
  /// different sections give the same result in either order.
  ///
  /// - Parameters:
  ///   - theirs: What the writer made of the base.
  ///   - base: The snapshot that the writer started from.
  /// - Throws: ``SnapshotError/duplicateSections(_:)`` or ``SnapshotError/duplicateItems(_:)`` if
  ///   an identifier stands twice in any of the three.
  /// - Complexity: O(n) to make the lookup table of a snapshot of n items that has none yet; then
  ///   that of finding two differences, from the base to either side, and O(c · log n) for c
  ///   elements that either side changed, those in deleted and inserted sections included. O(n) for
  ///   n items where the writer changed an outline in another way than folding it, or put items into
  ///   one, unless nobody else has changed anything.
  public func merging(
    _ theirs: Snapshot, basedOn base: Snapshot
  ) throws(SnapshotError) -> Merge<SectionID, ItemID> {
    try base.validate()
    try theirs.validate()
    try validate()
    var (merged, writer) = (resolved, theirs.resolved)
    merged.marks = marks
    writer.marks = theirs.marks
    let conflicts = try merged.merge(valid: writer, basedOn: base.resolved)
    return Merge(snapshot: merged, conflicts: conflicts)
  }

  /// The same in place, for three snapshots that are known to be valid.
  ///
  /// This one has its lookup table. The others are only asked for identifiers where items were renamed,
  /// and where both sides moved or inserted the same items.
  ///
  /// - Parameter others: What others have renamed since the base.
  mutating func merge(
    valid theirs: Snapshot, basedOn base: Snapshot,
    renamedByOthers others: ItemRenames<ItemID> = ItemRenames()
  ) throws(SnapshotError) -> [MergeConflict<SectionID, ItemID>] {
    guard theirs.marks.renames.isEmpty && others.isEmpty || order.isIdentical(to: base.order) else {
      var (writer, common) = (theirs, base)
      unifyNames(&writer, &common, others)
      return try merge(valid: writer, basedOn: common)
    }
    guard [self, theirs, base].contains(where: { $0.order.totals.outlines > 0 }) else {
      return try mergeLists(theirs, basedOn: base)
    }
    guard !order.isIdentical(to: base.order) else {
      becomeSuccessor(theirs)
      return []
    }
    if let folds = theirs.folds(since: base) {
      expandItems(folds.expanded)
      collapseItems(folds.collapsed)
      mark(theirs.marks)
      return []
    }
    guard reachesOutlines(byWriterFrom: base, to: theirs) else {
      return try mergeLists(theirs, basedOn: base)
    }
    var merger = BranchMerger(live: self, theirs: theirs, base: base)
    merger.findLostOutlines(live: self, theirs: theirs, base: base)
    return try merger.merge(into: &self)
  }

  /// Becomes what a writer made of this snapshot: a merge where nobody else has changed anything.
  ///
  /// - Complexity: O(s + d · log n) for s sections, and d leaves that the writer changed.
  mutating func becomeSuccessor(_ theirs: Snapshot) {
    var next = theirs.adopted(by: self, keepingOutlines: false)
    let marks = marks
    if let changes = SnapshotComparison(old: self, new: next).changes {
      let nothing = HashedElements(kernels.items)
      next.takeTable(of: &self, changes, bringing: nothing)
    } else {
      next = next.withItemTable()
    }
    next.itemTable?.acquit()
    self = next
    self.marks = Marks()
    mark(marks)
    mark(theirs.marks)
  }

  /// Whether a writer changed an outline, or deletes, inserts or moves anything that stands in one here
  /// or is to.
  ///
  /// If not, the outlines stay what they are, and the rest is a merge of lists.
  ///
  /// - Complexity: O(k · log s + d · log n) for k of s sections that are outlines, and d leaves in
  ///   which the writer's snapshot differs from the base.
  func reachesOutlines(byWriterFrom base: Snapshot, to theirs: Snapshot) -> Bool {
    var outlines = IdentifierSet<SectionID>()
    for side in [self, theirs, base] {
      for section in side.outlineIndices.compactMap(side.sectionIdentifier(at:))
      where outlines.insert(section) {
        if theirs.containsSection(section) != base.containsSection(section)
          || theirs.outline(ofSection: section) != base.outline(ofSection: section)
        {
          return true
        }
      }
    }
    func reaches(_ section: SectionID?) -> Bool { section.map(outlines.contains) ?? false }
    let writer = Divergence(from: base, to: theirs)
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
    _ theirs: Snapshot, basedOn base: Snapshot
  ) throws(SnapshotError) -> [MergeConflict<SectionID, ItemID>] {
    var merger = Merger(draft: self, theirs: theirs, base: base)
    // The draft alone holds the table now, so that it is edited in place.
    self = Snapshot(kernels)
    defer { self = merger.draft }
    return try merger.merge()
  }
}
