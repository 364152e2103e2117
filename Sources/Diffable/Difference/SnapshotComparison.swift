/// What two valid snapshots have in common: where everything went, and what a table of the old one
/// has to learn to become that of the new one.
///
/// Sections are matched first, then the items of every matched pair. What is left over anywhere
/// goes into one pool, which finds the items that moved out of their neighbourhood, to another
/// section as well. Items of sections that come or go are not looked for.
///
/// - Complexity: O(d · log n) for d leaves that differ in trees of n items that are related. For
///   unrelated ones O(n) comparisons and expected O(m) probes for m items out of place.
@usableFromInline
struct SnapshotComparison<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  @usableFromInline typealias State = Snapshot<SectionID, ItemID>

  @usableFromInline var correspondence = Correspondence()
  @usableFromInline var changes = IdentityChanges()

  @usableFromInline typealias SectionPair = TreeComparison<State.Record>.Pair
  @usableFromInline typealias Leftover = TreeComparison<ItemID>.Leftover

  /// The leftover items of all changed sections, and for each the place of its section in
  /// `correspondence.changed`.
  @usableFromInline var departures: (items: [Leftover], sections: [Int]) = ([], [])
  @usableFromInline var arrivals: (items: [Leftover], sections: [Int]) = ([], [])

  @inlinable init(old: State, new: State) {
    for pair in matchSections(old.order, new.order) { matchItems(of: pair) }
    matchLeftovers()
  }

  /// Matches sections and answers the pairs whose items have to be looked at, ascending by `new`.
  @inlinable mutating func matchSections(
    _ old: OrderTree<SectionTotals<SectionID, ItemID>>,
    _ new: OrderTree<SectionTotals<SectionID, ItemID>>
  ) -> [SectionPair] {
    let sections = TreeComparison(old: old, new: new, keepingPairs: true)
    correspondence.sections = sections.runs
    var pairs = sections.comparedPairs
    var pool = LeftoverPool(sections.oldLeftovers)
    for leftover in sections.newLeftovers {
      if let index = pool.take(leftover) {
        let partner = sections.oldLeftovers[index]
        correspondence.sections.append(
          MatchedRun(old: partner.position, new: leftover.position, count: 1))
        pairs.append(
          SectionPair(
            old: partner.position, new: leftover.position, oldElement: partner.element,
            newElement: leftover.element))
      } else {
        correspondence.sectionInserts.append(leftover.position)
        changes.appendInserts(leftover.element)
      }
    }
    for (leftover, isTaken) in zip(sections.oldLeftovers, pool.isTaken) where !isTaken {
      correspondence.sectionDeletes.append(leftover.position)
      changes.appendRemoves(leftover.element)
    }
    correspondence.sections = correspondence.sections.sortedIfNeeded { $0.new < $1.new }
    return pairs.sortedIfNeeded { $0.new < $1.new }
  }

  @inlinable mutating func matchItems(of pair: SectionPair) {
    let (oldRecord, newRecord) = (pair.oldElement, pair.newElement)
    let hasSameKey = oldRecord.key == newRecord.key
    let isSame = oldRecord.items.isIdentical(to: newRecord.items)
    let hasSameOutline = oldRecord.outline === newRecord.outline
    guard !isSame || !hasSameKey || !hasSameOutline else { return }
    if !hasSameKey {
      changes.appendRemoves(oldRecord)
      changes.appendInserts(newRecord)
    }
    guard !isSame || !hasSameOutline else { return }
    let items = TreeComparison(
      old: oldRecord.items.tree, new: newRecord.items.tree,
      section: hasSameKey ? newRecord.key : nil)
    changes.append(items.changes)
    if !hasSameOutline {
      matchOutlines(of: pair, visible: items)
    }
    guard items.runs.count > 1 || !items.oldLeftovers.isEmpty || !items.newLeftovers.isEmpty else {
      return
    }
    let place = correspondence.changed.count
    departures.items += items.oldLeftovers
    departures.sections += repeatElement(place, count: items.oldLeftovers.count)
    arrivals.items += items.newLeftovers
    arrivals.sections += repeatElement(place, count: items.newLeftovers.count)
    correspondence.changed.append(.init(old: pair.old, new: pair.new, runs: items.runs))
  }

  /// Finds what became of an outline, and what that means for a table.
  @inlinable mutating func matchOutlines(
    of pair: SectionPair, visible: TreeComparison<ItemID>
  ) {
    let comparison = OutlineComparison(
      old: pair.oldElement, new: pair.newElement, visible: visible)
    guard comparison.hasChanged else { return }
    correspondence.outlines.append(pair.new)
    correspondence.disclosures += comparison.disclosures.map {
      ItemPath(section: pair.new, item: $0)
    }
    if pair.oldElement.key == pair.newElement.key {
      changes.append(comparison.hidden, section: pair.newElement.key)
    }
  }

  /// Finds among what left its place what arrives at another; the rest went or came.
  @inlinable mutating func matchLeftovers() {
    var pool = LeftoverPool(departures.items)
    var lastGrown: Int?
    for (item, section) in zip(arrivals.items, arrivals.sections) {
      guard let found = pool.take(item) else {
        correspondence.changed[section].inserts.appendIndex(item.position)
        continue
      }
      let origin = (section: departures.sections[found], index: departures.items[found].position)
      if origin.section == section {
        if let lastGrown, lastGrown != section { sortRuns(ofSection: lastGrown) }
        lastGrown = section
        correspondence.changed[section].runs.appendMatch(old: origin.index, new: item.position)
      } else {
        correspondence.migrations.append(
          Move(
            from: ItemPath(section: correspondence.changed[origin.section].old, item: origin.index),
            to: ItemPath(section: correspondence.changed[section].new, item: item.position)))
      }
    }
    if let lastGrown { sortRuns(ofSection: lastGrown) }
    for (index, isTaken) in pool.isTaken.enumerated() where !isTaken {
      correspondence.changed[departures.sections[index]].deletes
        .appendIndex(departures.items[index].position)
    }
  }

  @inlinable mutating func sortRuns(ofSection section: Int) {
    correspondence.changed[section].runs.sort { $0.new < $1.new }
  }
}
