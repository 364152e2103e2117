/// The elements that two snapshots have in common, in positions alone.
///
/// Matching compares identifiers and records the result here. Everything after it works on
/// integers.
package struct Correspondence: Sendable {
  /// The matched sections, in ascending order of `new`.
  package internal(set) var sections: [MatchedRun]
  /// Old indices of deleted sections, as ascending ranges.
  package internal(set) var sectionDeletes: [Range<Int>]
  /// New indices of inserted sections, as ascending ranges.
  var sectionInserts: [Range<Int>]
  /// Matched sections whose items differ in any way, in ascending order of `new`.
  package var changed: [ChangedSection] = []
  /// Matched sections whose outlines differ, in ascending order of `new`.
  ///
  /// Includes sections that are an outline on one side only.
  package internal(set) var outlines: [ChangedOutline] = []
  /// New paths of items on both sides that gained, lost, expanded or collapsed children.
  var disclosures: [ItemPath] = []
  /// New paths of items that received another identifier.
  package var renames: [ItemPath] = []
  /// Items that leave one matched section for another.
  package var migrations: [Move<ItemPath>] = []
  /// New indices of sections that writers have placed, ascending.
  package var placedSections: [Int] = []

  /// Whether nothing has come, gone or moved, and no row is drawn in another way.
  fileprivate var isIdentity: Bool {
    sections.count <= 1 && changed.isEmpty && outlines.isEmpty && sectionDeletes.isEmpty
      && sectionInserts.isEmpty && disclosures.isEmpty && renames.isEmpty && migrations.isEmpty
  }

  package init(
    sections: [MatchedRun] = [], sectionDeletes: [Range<Int>] = [],
    sectionInserts: [Range<Int>] = []
  ) {
    self.sections = sections
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
  }

  /// A section that is on both sides, and the changes of its items.
  package struct ChangedSection: Sendable {
    package var old: Int
    package var new: Int
    /// The items that are in this section on both sides, in ascending order of `new`.
    package var runs: [MatchedRun] = []
    /// Which of the runs keep their place; `nil` if all do or it is not known yet.
    package var stays: [Bool]?
    /// New indices of items that writers have placed, ascending.
    package internal(set) var placed: [Int] = []
    /// Old indices of items that have left all matched sections, as ascending ranges.
    package var deletes: [Range<Int>] = []
    /// New indices of items that were in no matched section before, as ascending ranges.
    package var inserts: [Range<Int>] = []

    /// Sorts what was found later into its place.
    package mutating func sort() {
      runs = runs.sortedIfNeeded { $0.new }
      inserts = inserts.sortedIfNeeded { $0.lowerBound }
    }
  }
}

extension Correspondence {
  /// A section that is on both sides, and the changes of the rows of its outline.
  ///
  /// A moved row is in both lists.
  package struct ChangedOutline: Sendable {
    package let old: Int
    let new: Int
    /// Positions of rows in the old outline, as ascending ranges.
    package let departures: [Range<Int>]
    /// Positions of rows in the new outline, as ascending ranges.
    let arrivals: [Range<Int>]
  }
}

extension SnapshotDifference {
  /// Creates the difference for a correspondence of two snapshots, with the fewest moves.
  ///
  /// - Parameter preference: Which elements move where there is a choice.
  /// - Complexity: O(r log r + c) for r runs and c changed elements or ranges of them.
  package init(
    _ correspondence: borrowing Correspondence, moving preference: MovePreference = .fewest
  ) {
    self.init()
    // Most writes to a list of models change nothing else.
    guard !correspondence.isIdentity else { return }
    sectionDeletes = RangeSet(sorting: correspondence.sectionDeletes)
    sectionInserts = RangeSet(sorting: correspondence.sectionInserts)
    let stays = correspondence.sections.heaviestIncreasingSubsequence(
      placed: correspondence.placedSections, moving: preference)
    correspondence.sections.forEachMove(knowing: stays) { from, to in
      sectionMoves.append(Move(from: from, to: to))
    }
    addItems(correspondence, moving: preference)
    outlineChanges = RangeSet(sorting: correspondence.outlines.map { $0.new..<$0.new + 1 })
    let renames = correspondence.renames
    if !renames.isEmpty { itemRenames = ItemPathSet(renames) }
    if !renames.isEmpty || !correspondence.disclosures.isEmpty {
      itemReconfigures = ItemPathSet(correspondence.disclosures + renames)
    }
  }

  private mutating func addItems(
    _ correspondence: Correspondence, moving preference: MovePreference
  ) {
    let sections = correspondence.changed
    // Once for all sections: each call of `reserveCapacity` with a new length would copy the array.
    itemDeletes.reserveCapacity(sections.reduce(0) { $0 + $1.deletes.count })
    itemInserts.reserveCapacity(sections.reduce(0) { $0 + $1.inserts.count })
    for section in sections.sortedIfNeeded(by: { $0.old }) {
      for range in section.deletes { itemDeletes.append(section: section.old, items: range) }
    }
    itemMoves = correspondence.migrations
    itemMoves.reserveCapacity(
      sections.reduce(itemMoves.count) { count, section in
        count + (section.stays.map { section.runs.moveCount(knowing: $0) } ?? 0)
      })
    for section in sections {
      for range in section.inserts { itemInserts.append(section: section.new, items: range) }
      let stays =
        section.stays
        ?? section.runs.heaviestIncreasingSubsequence(placed: section.placed, moving: preference)
      section.runs.forEachMove(knowing: stays) { from, to in
        itemMoves.append(
          Move(
            from: ItemPath(section: section.old, item: from),
            to: ItemPath(section: section.new, item: to)))
      }
    }
    // The moves inside sections are in order already.
    if !correspondence.migrations.isEmpty { itemMoves = itemMoves.sortedIfNeeded { $0.to } }
  }
}

extension Correspondence {
  /// Notes what writers have placed, as far as another choice of the fewest moves may be better for it.
  ///
  /// - Complexity: O(p + r + d · log n) for p placed elements, r runs, and d leaves that differ.
  package mutating func follow(
    _ placed: PlacedElements, from old: UntypedSnapshot, to new: UntypedSnapshot
  ) {
    if let items = placed.items {
      var filter: HashFilter?
      for index in changed.indices where changed[index].runs.count > 1 {
        let stays = changed[index].stays ?? changed[index].runs.heaviestIncreasingSubsequence()
        changed[index].stays = stays
        let tree = new.withBody(ofSectionAt: changed[index].new) { $0.itemTree }
        guard let stays, !changed[index].runs.moveOnly(items, knowing: stays, in: tree)
        else { continue }
        let sought = filter ?? HashFilter(Array(items.elements.span.hashBuffer))
        filter = sought
        let former = old.withBody(ofSectionAt: changed[index].old) { $0.itemTree }
        let places = tree.positions(of: items, sought, since: former)
        // What was found does not know of it.
        if !places.isEmpty { (changed[index].placed, changed[index].stays) = (places, nil) }
      }
    }
    guard sections.count > 1, let placed = placed.sections else { return }
    placed.forEach { section, _ in
      if let index = new.index(ofSectionEqualTo: section) { placedSections.append(index) }
    }
    placedSections = placedSections.sortedIfNeeded { $0 }
  }
}

extension [MatchedRun] {
  /// Whether a choice of the fewest moves moves nothing but placed items; then no choice is better.
  ///
  /// - Complexity: O(r + p · log n) for r runs and p placed items.
  fileprivate func moveOnly(
    _ placed: ElementIndex, knowing stays: [Bool], in tree: OrderTree
  ) -> Bool {
    guard moveCount(knowing: stays) <= placed.count else { return false }
    var all = true
    forEachMove(knowing: stays) { _, to in
      guard all, let place = tree.leaf(atPosition: to) else { return all = false }
      all = withExtendedLifetime(place.leaf) {
        let (span, offset) = (place.leaf.span, to - place.base)
        return placed.contains(span.address(offset), hash: span.hashes[offset])
      }
    }
    return all
  }
}

extension OrderTree {
  /// The positions of some items, ascending, as far as an older version does not have their leaves.
  ///
  /// The leaf of an item that has moved is a new one. It needs no lookup table, which states of the history
  /// do not have.
  fileprivate func positions(
    of items: ElementIndex, _ filter: HashFilter, since old: OrderTree
  ) -> [Int] {
    var positions: [Int] = []
    LeafWindows.forEach(old: old, new: self) { stretch in
      guard case .changed(let window) = stretch else { return }
      var base = window.newBase
      for leaf in window.new.lazy.compactMap(\.leaf) {
        let span = leaf.span
        withExtendedLifetime(leaf) {
          filter.forEachCandidate(in: span.hashBuffer) { offset in
            if items.contains(span.address(offset), hash: span.hashes[offset]) {
              positions.append(base + offset)
            }
          }
        }
        base += leaf.count
      }
    }
    return positions
  }
}
