/// What two valid snapshots have in common: where everything went, and what a table of the old one
/// has to learn to become that of the new one.
///
/// Sections are matched first, then the items of every matched pair. What is left over anywhere
/// goes into one pool, which finds the items that moved out of their neighbourhood, to another
/// section as well. Items of sections that come or go are not looked for.
///
/// - Complexity: O(d · log n) for d leaves that differ in trees of n items that are related. For
///   unrelated ones O(n) comparisons and expected O(m) probes for m items out of place.
struct SnapshotComparison<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias State = Snapshot<SectionID, ItemID>

  private(set) var correspondence = Correspondence()
  private(set) var changes = IdentityChanges()

  /// Leftover items of all matched sections, and where each stands.
  private var departures: [(hash: UInt32, element: ItemID)] = []
  private var departurePaths: [ItemPath] = []
  private var arrivals: [(path: ItemPath, hash: UInt32, item: ItemID)] = []

  init(old: State, new: State) {
    correspondence.sectionCounts = (old.numberOfSections, new.numberOfSections)
    for pair in matchSections(old.order, new.order) { matchItems(of: pair) }
    if !arrivals.isEmpty, !departures.isEmpty { matchLeftovers() }
  }

  private typealias SectionPair = TreeComparison<State.Record>.Pair

  /// Matches sections and answers the pairs whose items have to be looked at, ascending by `new`.
  private mutating func matchSections(
    _ old: OrderTree<State.Record>, _ new: OrderTree<State.Record>
  ) -> [SectionPair] {
    let sections = TreeComparison(old: old, new: new, keepingPairs: true)
    correspondence.sections = sections.runs
    var pairs = sections.comparedPairs
    var isGone = Array(repeating: true, count: sections.oldLeftovers.count)
    var pool = LeftoverPool(sections.oldLeftovers.map { ($0.hash, $0.element) })
    for leftover in sections.newLeftovers {
      if let index = pool.take(hash: leftover.hash, leftover.element) {
        isGone[index] = false
        let partner = sections.oldLeftovers[index]
        correspondence.sections.append(
          MatchedRun(old: partner.position, new: leftover.position, count: 1))
        pairs.append(
          SectionPair(
            old: partner.position, new: leftover.position, oldElement: partner.element,
            newElement: leftover.element))
      } else {
        changes.appendInserts(leftover.element.items.tree, section: leftover.element.key)
      }
    }
    for (leftover, isGone) in zip(sections.oldLeftovers, isGone) where isGone {
      changes.appendRemoves(leftover.element.items.tree, section: leftover.element.key)
    }
    if correspondence.sections.count > sections.runs.count {
      correspondence.sections.sort { $0.new < $1.new }
      pairs.sort { $0.new < $1.new }
    }
    return pairs
  }

  private mutating func matchItems(of pair: SectionPair) {
    let (oldRecord, newRecord) = (pair.oldElement, pair.newElement)
    let hasSameKey = oldRecord.key == newRecord.key
    let isSame = oldRecord.items.isIdentical(to: newRecord.items)
    guard !isSame || !hasSameKey else { return }
    let (old, new) = (oldRecord.items.tree, newRecord.items.tree)
    if !hasSameKey {
      changes.appendRemoves(old, section: oldRecord.key)
      changes.appendInserts(new, section: newRecord.key)
    }
    guard !isSame else { return }
    let items = TreeComparison(old: old, new: new)
    if hasSameKey { changes.append(items.delta, section: newRecord.key) }
    guard items.runs != [MatchedRun(old: 0, new: 0, count: old.count)] || old.count != new.count
    else { return }
    for leftover in items.oldLeftovers {
      departures.append((leftover.hash, leftover.element))
      departurePaths.append(ItemPath(section: pair.old, item: leftover.position))
    }
    for leftover in items.newLeftovers {
      arrivals.append(
        (
          ItemPath(section: pair.new, item: leftover.position), leftover.hash, leftover.element
        ))
    }
    correspondence.changed.append(
      .init(old: pair.old, new: pair.new, counts: (old.count, new.count), runs: items.runs))
  }

  /// Finds among what left its place what arrives at another.
  private mutating func matchLeftovers() {
    var pool = LeftoverPool(departures)
    var sectionOfNew: [Int: Int] = [:]
    for (index, section) in correspondence.changed.enumerated() {
      sectionOfNew[section.new] = index
    }
    var grown: Set<Int> = []
    for (path, hash, item) in arrivals {
      guard let found = pool.take(hash: hash, item), let index = sectionOfNew[path.section] else {
        continue
      }
      let origin = departurePaths[found]
      if correspondence.changed[index].old == origin.section {
        correspondence.changed[index].runs.appendMatch(old: origin.item, new: path.item)
        grown.insert(index)
      } else {
        correspondence.migrations.append(.init(from: origin, to: path, count: 1))
      }
    }
    for index in grown { correspondence.changed[index].runs.sort { $0.new < $1.new } }
  }
}
