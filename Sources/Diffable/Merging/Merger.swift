/// A merge under way: the live snapshot as a draft, and what both sides changed since the base.
///
/// Everything the writer inserted or moved is in *runs*: neighbours in the writer's snapshot,
/// between elements that the writer did not move. A run is put into the draft as a whole, next to
/// the nearest element of the writer's snapshot that others have left in its place; only if there is
/// none, next to the nearest one that the draft has in the same section. Runs are placed from first to
/// last, so everything before a run is already in its place.
///
/// What both sides have put into the same gap is in its place already, see ``agreeing(_:theirs:live:)``. It
/// ends a run.
final class Merger<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias Conflict = MergeConflict<SectionID, ItemID>

  let theirs: Snapshot<SectionID, ItemID>
  let rule: MergeRule
  let writer: Divergence<SectionID, ItemID>
  /// What others have changed; nothing if the writer has neither moved nor inserted nor deleted anything.
  let others: SnapshotDifference
  /// What others have not left in its place, and the writer has not put there too.
  var displaced: PlacedRows<SectionID, ItemID>
  /// What the writer has placed, and what stays where others have put it nevertheless.
  var left = PlacedRows<SectionID, ItemID>()
  /// The items that both sides have put into the same gap, by their paths in the writer's snapshot.
  var agreed = ItemPathSet()
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
  ///
  /// The marks of the writer's snapshot say what the writer has placed.
  ///
  /// - Parameter placed: What others have placed since the base.
  init(
    draft: Snapshot<SectionID, ItemID>, theirs: Snapshot<SectionID, ItemID>,
    base: Snapshot<SectionID, ItemID>, placedByOthers placed: PlacedRows<SectionID, ItemID>,
    by rule: MergeRule
  ) {
    self.draft = draft
    self.theirs = theirs
    self.rule = rule
    writer = Divergence(from: base, to: theirs, placing: theirs.marks.placed)
    others = writer.isEmpty ? SnapshotDifference() : draft.moves(since: base, placing: placed)
    // What both sides have inserted needs no entry: the writer places it.
    displaced = PlacedRows(movedBy: others, in: draft)
    if rule == .change { placeAgain(theirs.marks.placed, since: base.marks.placed) }
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
    // The edits of a merge are no word of a writer.
    draft.marks = .init()
    draft.mark(marks)
    draft.mark(theirs.marks)
    return sectionConflicts + itemConflicts
  }

  // MARK: Items

  /// The items that are placed in the draft where the writer has them.
  func itemRuns() -> [Run] {
    writer.placedItems.ranges.compactMap { range in
      let items = theirs.items(inSectionAt: range.section)[range.items].filter(isPlaced)
      return items.isEmpty ? nil : Run(section: range.section, places: range.items, items: items)
    }
  }

  /// Whether an item that the writer inserted or moved is placed where the writer has it.
  func isPlaced(_ item: ItemID) -> Bool {
    guard !left.items.contains(item) else { return false }
    return writer.movedItems[item] == nil || draft.sectionIdentifier(containingItem: item) != nil
  }

  func place(_ run: Run) throws(SnapshotError) {
    guard let section = theirs.sectionIdentifier(at: run.section) else { return }
    let neighbours = theirs.items(inSectionAt: run.section)
    func path(_ place: Int) -> ItemPath { ItemPath(section: run.section, item: place) }
    let nearest = nearest(to: run.places, among: neighbours.count) { place in
      let neighbour = neighbours[place]
      guard draft.sectionIdentifier(containingItem: neighbour) == section else { return .isAbsent }
      guard !left.items.contains(neighbour) else { return .isElsewhere }
      // What the writer has placed before is where the writer has it.
      return place < run.places.lowerBound && writer.placedItems.contains(path(place))
        || !displaced.items.contains(neighbour) ? .stands : .isElsewhere
    }
    // What the writer has placed together stays together.
    let isBeforeItsOwn =
      agreed.contains(path(run.places.upperBound))
      && !agreed.contains(path(run.places.lowerBound - 1))
    switch isBeforeItsOwn ? .behind(run.places.upperBound) : nearest {
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

    var place: Int {
      switch self {
      case .before(let place), .behind(let place): place
      }
    }
  }

  /// What has become of an element of the writer's snapshot in the draft.
  enum Neighbour {
    /// Others have left it in its place.
    case stands
    /// Others have moved it.
    case isElsewhere
    /// It is gone, or in another section.
    case isAbsent
  }

  /// The nearest neighbour that others have left in its place, or else the nearest that is there.
  ///
  /// - Complexity: O(1) for the nearest neighbour, and as many steps outwards as elements are
  ///   missing or were moved by others. A run that is placed is the neighbour of the next one, so all runs
  ///   of a section together take no more steps than there are such elements.
  func nearest(
    to run: Range<Int>, among count: Int, _ neighbour: (Int) -> Neighbour
  ) -> Anchor? {
    var (before, behind) = (run.lowerBound - 1, run.upperBound)
    var elsewhere: Anchor?
    while before >= 0 || behind < count {
      for anchor in [Anchor.before(before), .behind(behind)] {
        guard (0..<count).contains(anchor.place) else { continue }
        switch neighbour(anchor.place) {
        case .stands: return anchor
        case .isElsewhere: elsewhere = elsewhere ?? anchor
        case .isAbsent: break
        }
      }
      before -= 1
      behind += 1
    }
    return elsewhere
  }
}

extension Snapshot {
  /// Adds the marks of what still exists.
  mutating func mark(_ marks: Marks) {
    guard !marks.isEmpty else { return }
    // Marks are on the names after the renames, one of which may be a name before them. A known rename must not
    // be recorded as a second one.
    self.marks.rename(
      marks.renames.inOrder.filter {
        containsItem($0.new) && self.marks.renames.newName(of: $0.old) == nil
      })
    self.marks.reload(sections: marks.reloadedSections.inOrder.filter(containsSection))
    self.marks.reconfigure(
      sections: marks.reconfiguredSections.inOrder.filter(containsSection))
    self.marks.reload(items: marks.reloadedItems.inOrder.filter(containsItem))
    self.marks.reconfigure(items: marks.reconfiguredItems.inOrder.filter(containsItem))
    var placed = marks.placed
    placed.keep(sections: containsSection, items: containsItem)
    self.marks.placed.formUnion(placed)
  }
}
