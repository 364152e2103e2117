/// A merge under way: the live snapshot as a draft, and what both sides changed since the base.
///
/// Everything the writer inserted or moved is in *runs*: neighbours in the writer's snapshot,
/// between elements that the writer did not move. A run is put into the draft as a whole, next to
/// the nearest element of the writer's snapshot that the draft has in the same section. Runs are
/// placed from first to last, so everything before a run is already in its place.
final class Merger<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Conflict = MergeConflict<SectionID, ItemID>

  let theirs: Snapshot<SectionID, ItemID>
  let writer: Divergence<SectionID, ItemID>
  /// What others have moved; nothing if no contradiction with the writer depends on it.
  ///
  /// Others may have changed much since the base, and most writers only insert or change something.
  let others: SnapshotDifference
  /// The live snapshot, which becomes the result.
  var draft: Snapshot<SectionID, ItemID>
  var sectionConflicts: [Conflict] = []
  var itemConflicts: [Conflict] = []
  /// The sections that the writer deleted and others moved.
  var deletedButMoved = IdentifierSet<SectionID>()

  /// Adjacent items of the writer that are placed in the draft together.
  struct Run {
    /// The section of the writer's snapshot.
    let section: Int
    /// The places of the whole run there, including items that are not placed in the draft.
    let places: Range<Int>
    let items: [ItemID]
  }

  /// Starts from three valid snapshots with their lookup tables.
  init(
    draft: Snapshot<SectionID, ItemID>, theirs: Snapshot<SectionID, ItemID>,
    base: Snapshot<SectionID, ItemID>
  ) {
    self.draft = draft
    self.theirs = theirs
    writer = Divergence(from: base, to: theirs)
    others =
      writer.hasOnlyInserted
      ? SnapshotDifference() : draft.difference(fromValid: base, marks: .init())
  }

  /// Turns the draft into the result.
  ///
  /// - Returns: The contradictions between the sides.
  func merge() throws(SnapshotError) -> [Conflict] {
    let marks = draft.marks
    findItemConflicts()
    let runs = itemRuns()
    let filled = Set(runs.map(\.section))
    findSectionConflicts(filled: filled)
    try placeSections(filled: filled)
    draft.deleteItems(writer.deletedItems + runs.flatMap(\.items))
    for run in runs { try place(run) }
    deleteSections()
    draft.mark(marks)
    draft.mark(theirs.marks)
    return sectionConflicts + itemConflicts
  }

  // MARK: Items

  /// The items that are placed in the draft where the writer has them.
  func itemRuns() -> [Run] {
    writer.placedItems.ranges.compactMap { range in
      guard let section = theirs.sectionIdentifier(at: range.section) else { return nil }
      let items = theirs.items(inSectionAt: range.section)[range.items].filter { item in
        isPlaced(item, in: section)
      }
      return items.isEmpty ? nil : Run(section: range.section, places: range.items, items: items)
    }
  }

  /// Whether an item that the writer inserted or moved is placed where the writer has it.
  func isPlaced(_ item: ItemID, in section: SectionID) -> Bool {
    guard let origin = writer.movedItems[item] else { return true }
    guard let live = draft.sectionIdentifier(containingItem: item) else { return false }
    // A move inside a section is ignored for an item that others moved out of the section.
    return origin != section || live == section
  }

  func place(_ run: Run) throws(SnapshotError) {
    guard let section = theirs.sectionIdentifier(at: run.section) else { return }
    let neighbours = theirs.items(inSectionAt: run.section)
    let anchor = nearest(to: run.places, among: neighbours.count) { place in
      draft.sectionIdentifier(containingItem: neighbours[place]) == section
    }
    switch anchor {
    case .before(let place): try draft.insertItems(run.items, afterItem: neighbours[place])
    case .behind(let place): try draft.insertItems(run.items, beforeItem: neighbours[place])
    case .none: try draft.appendItems(run.items, toSection: section)
    }
  }

  /// The element nearest to a run, next to which the run can be placed.
  enum Anchor {
    /// The element is before the run.
    case before(Int)
    /// The element is after the run.
    case behind(Int)
  }

  /// - Complexity: O(1) for the nearest neighbour, and as many steps outwards as elements are
  ///   missing. A run that is placed is the neighbour of the next one, so all runs of a section
  ///   together take no more steps than there are elements missing from it.
  func nearest(
    to run: Range<Int>, among count: Int, where isThere: (Int) -> Bool
  ) -> Anchor? {
    var (before, behind) = (run.lowerBound - 1, run.upperBound)
    while before >= 0 || behind < count {
      if before >= 0, isThere(before) { return .before(before) }
      if behind < count, isThere(behind) { return .behind(behind) }
      before -= 1
      behind += 1
    }
    return nil
  }
}

extension Snapshot {
  /// Adds the marks of what still exists.
  mutating func mark(_ marks: Marks) {
    guard !marks.isEmpty else { return }
    self.marks.reload(sections: marks.reloadedSections.inOrder.filter(containsSection))
    self.marks.reconfigure(
      sections: marks.reconfiguredSections.inOrder.filter(containsSection))
    self.marks.reload(items: marks.reloadedItems.inOrder.filter(containsItem))
    self.marks.reconfigure(items: marks.reconfiguredItems.inOrder.filter(containsItem))
    // A known rename must not be recorded as a second one.
    self.marks.rename(
      marks.renames.inOrder.filter {
        containsItem($0.new) && self.marks.renames.newName(of: $0.old) == nil
      })
  }
}

extension Merger {
  /// Places the sections that the writer inserted or moved.
  ///
  /// It also brings back deleted ones if items of the writer belong to them.
  ///
  /// - Parameter filled: The sections of the writer's snapshot that receive items.
  func placeSections(filled: Set<Int>) throws(SnapshotError) {
    var placed = writer.placedSections
    for index in filled {
      guard let section = theirs.sectionIdentifier(at: index), !draft.containsSection(section)
      else { continue }
      placed.insert(contentsOf: index..<index + 1)
    }
    for run in placed.ranges {
      let sections = run.compactMap { index in
        theirs.sectionIdentifier(at: index).flatMap { section in
          isPlaced(section, isFilled: filled.contains(index)) ? section : nil
        }
      }
      let anchor = nearest(to: run, among: theirs.numberOfSections) { index in
        // A section after the run that is placed itself is not in its place yet.
        (index < run.lowerBound || !placed.contains(index))
          && theirs.sectionIdentifier(at: index).map(draft.containsSection) ?? false
      }
      try place(sections, anchor)
    }
  }

  /// Whether a section that the writer inserted or moved is placed where the writer has it.
  func isPlaced(_ section: SectionID, isFilled: Bool) -> Bool {
    isFilled || draft.containsSection(section) || writer.insertedSections.contains(section)
  }

  /// Places sections next to another one, in order; they may be in the draft already.
  func place(
    _ sections: [SectionID], _ anchor: Anchor?
  ) throws(SnapshotError) {
    var previous: SectionID?
    for section in sections {
      let isNew = !draft.containsSection(section)
      if isNew { draft.appendSections([section]) }
      if let previous {
        try draft.moveSection(section, afterSection: previous)
      } else if case .before(let index) = anchor, let other = theirs.sectionIdentifier(at: index) {
        try draft.moveSection(section, afterSection: other)
      } else if case .behind(let index) = anchor, let other = theirs.sectionIdentifier(at: index) {
        try draft.moveSection(section, beforeSection: other)
      }
      previous = section
    }
  }

  /// Deletes what the writer deleted, except for sections into which others have put items.
  func deleteSections() {
    for section in writer.deletedSections where draft.containsSection(section) {
      guard draft.numberOfItems(inSection: section) == 0 else {
        add(section, .deletedButFilled)
        continue
      }
      if deletedButMoved.contains(section) { add(section, .deletedButMoved) }
      draft.deleteSections([section])
    }
  }
}

extension Merger {
  /// Finds contradictions about items, before the draft is edited.
  func findItemConflicts() {
    for path in writer.placedItems {
      guard let item = theirs.itemIdentifier(for: path) else { continue }
      let isInsert = writer.insertedItems.contains(item)
      guard let live = draft.itemPath(for: item) else {
        if !isInsert { itemConflicts.append(.item(item, .movedButDeleted)) }
        continue
      }
      guard isInsert || others.bringsItem(to: live), !agree(theirs: path, live: live) else {
        continue
      }
      itemConflicts.append(.item(item, isInsert ? .insertedTwice : .movedTwice))
    }
    for item in writer.deletedItems {
      guard let live = draft.itemPath(for: item), others.bringsItem(to: live) else { continue }
      itemConflicts.append(.item(item, .deletedButMoved))
    }
  }

  /// Whether both sides put an item at the same place.
  ///
  /// That is the same section, after the same one of those items that both sides have in it.
  ///
  /// - Complexity: As many steps as one side alone has items before this one. Both sides have the
  ///   item itself, so all items together take no more steps than there are changes.
  func agree(theirs path: ItemPath, live livePath: ItemPath) -> Bool {
    guard let section = theirs.sectionIdentifier(at: path.section),
      section == draft.sectionIdentifier(at: livePath.section)
    else { return false }
    func previous(
      _ path: ItemPath, in side: Snapshot<SectionID, ItemID>,
      sharedWith other: Snapshot<SectionID, ItemID>
    ) -> ItemID? {
      side.items(inSectionAt: path.section)[..<path.item].last { item in
        other.sectionIdentifier(containingItem: item) == section
      }
    }
    return previous(path, in: theirs, sharedWith: draft)
      == previous(livePath, in: draft, sharedWith: theirs)
  }

  /// Finds contradictions about sections that the writer inserted, moved or filled.
  ///
  /// Called before the draft is edited.
  func findSectionConflicts(filled: Set<Int>) {
    deletedButMoved = IdentifierSet(writer.deletedSections.filter(isMovedByOthers))
    let filledSections = RangeSet(sorting: filled.map { $0..<$0 + 1 })
    for index in writer.placedSections.union(filledSections).ranges.joined() {
      guard let section = theirs.sectionIdentifier(at: index) else { continue }
      let isInsert = writer.insertedSections.contains(section)
      guard draft.containsSection(section) else {
        guard !isInsert else { continue }
        add(section, filled.contains(index) ? .filledButDeleted : .movedButDeleted)
        continue
      }
      let isTwice =
        isInsert || writer.movedSections.contains(section) && isMovedByOthers(section)
      if isTwice, !agree(on: section) { add(section, isInsert ? .insertedTwice : .movedTwice) }
    }
  }

  private func isMovedByOthers(_ section: SectionID) -> Bool {
    draft.indexOfSection(section).map(others.movesSection(to:)) ?? false
  }

  /// Whether both sides have a section after the same one of their common sections.
  func agree(on section: SectionID) -> Bool {
    func previous(
      _ side: Snapshot<SectionID, ItemID>, sharedWith other: Snapshot<SectionID, ItemID>
    ) -> SectionID? {
      guard let index = side.indexOfSection(section) else { return nil }
      return (0..<index).reversed().lazy.compactMap(side.sectionIdentifier(at:))
        .first(where: other.containsSection)
    }
    return previous(theirs, sharedWith: draft) == previous(draft, sharedWith: theirs)
  }

  func add(_ section: SectionID, _ contradiction: Contradiction) {
    sectionConflicts.append(.section(section, contradiction))
  }
}
