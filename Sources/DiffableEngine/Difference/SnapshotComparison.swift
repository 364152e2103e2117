/// The comparison of two valid snapshots: matched elements, and the changes for a lookup table.
///
/// The changes turn the table of the old snapshot into the table of the new one. Sections are
/// matched first, then the items of every matched pair. Leftovers of all pairs go into one pool,
/// which finds the items that moved out of their neighbourhood or to another section. Items of
/// inserted or deleted sections are not searched.
///
/// - Complexity: O(d · log n) for d leaves that differ in related trees of n items. For unrelated
///   trees O(n) comparisons and expected O(m) probes for m items out of place.
package struct SnapshotComparison {
  package var correspondence = Correspondence()
  /// `nil` if it is better to make a new table.
  package internal(set) var changes: IdentityChanges? = IdentityChanges()

  /// A section of `correspondence.changed`, and what has no partner in it.
  struct ChangedSection {
    let old: SectionBody
    let new: SectionBody
    /// The old items, and the positions of those that have left.
    let oldItems: OrderTree
    let departures: [Range<Int>]
    /// The new items, and those that have come.
    let newItems: OrderTree
    let arrivals: [OrderMatching.Leftover]
    /// Holds those arrivals that are not in a leaf of the tree.
    let held: [HashedElements]
  }

  /// By index in `correspondence.changed`.
  private var changed: [ChangedSection] = []
  private var hasOutlines = false

  /// Whether only items that the old snapshot did not have can appear twice.
  ///
  /// Every other item was matched with an old item of its own. So no two other items are equal, and
  /// none equals one of these, if that is certain for everything that was inserted.
  package private(set) var knowsNewcomers = true
  /// The sections on both sides that are not the same object, in ascending order of `new`.
  package private(set) var touched: [TouchedSection] = []
  let kernel: ElementKernel

  /// A section on both sides, or an inserted one.
  package struct TouchedSection {
    package let old: Int?
    package let new: Int
  }

  /// Compares two snapshots.
  ///
  /// - Parameter matchings: How the items of sections match their old items, as far as that is
  ///   known, in ascending order of the new sections.
  package init(
    old: borrowing UntypedSnapshot, new: borrowing UntypedSnapshot,
    matchings: [(section: Int, items: OrderMatching)] = []
  ) {
    self.init(old: old.order, new: new.order, new.kernels, matchings: matchings)
  }

  /// Compares two orders of sections.
  package init(
    old: borrowing OrderTree, new: borrowing OrderTree, _ kernels: SnapshotKernels,
    matchings: [(section: Int, items: OrderMatching)] = []
  ) {
    kernel = kernels.items
    matchSections(old, new, kernels.bodies, matchings)
    matchLeftovers()
  }

  /// Records sections that were the same object on both sides but no longer are.
  ///
  /// - Parameter sections: Their new indices; those that are recorded already are left out.
  /// - Complexity: O((k + t) · log (k + t) + k · log r) for k sections, t touched ones and r runs of sections.
  package mutating func noteTouched(_ sections: Set<Int>) {
    guard !sections.isEmpty else { return }
    let known = Set(touched.lazy.map(\.new))
    for new in sections.sorted() where !known.contains(new) {
      let next = correspondence.sections.partitioningIndex { $0.new > new }
      let run = next > 0 ? correspondence.sections[next - 1] : nil
      touched.append(TouchedSection(old: run.map { $0.old + new - $0.new }, new: new))
    }
    touched = touched.sortedIfNeeded { $0.new }
  }

  /// The items that the old snapshot did not have, if only these can appear twice.
  ///
  /// - Parameter isUnique: Whether no item can appear twice, so that there is none to be asked about.
  /// - Complexity: O(k · log n) for k of n items.
  package func newcomers(isUnique: Bool) -> HashedElements? {
    var elements = HashedElements(kernel)
    if isUnique { return elements }
    guard knowsNewcomers else { return nil }
    for (section, found) in zip(changed, correspondence.changed) {
      elements.append(section.newItems, at: found.inserts)
    }
    return elements
  }

  /// Matches sections, and the items of each pair that is not the same object, ascending by `new`.
  private mutating func matchSections(
    _ old: OrderTree, _ new: OrderTree, _ place: SectionBody.Place,
    _ matchings: [(section: Int, items: OrderMatching)]
  ) {
    // The records that are read here belong to the trees, or are held by the matching.
    let sections = TreeComparison(old: old, new: new, keepingPairs: true)
    defer { withExtendedLifetime((old.root, new.root, sections.matching.held)) {} }
    correspondence.sections = sections.matching.runs
    var pairs = sections.comparedPairs
    if !sections.matching.departures.isEmpty || !sections.matching.arrivals.isEmpty {
      matchMovedSections(sections.matching, old, place, &pairs)
    }
    var next = 0
    for pair in pairs {
      while next < matchings.count, matchings[next].section < pair.new { next += 1 }
      let isKnown = next < matchings.count && matchings[next].section == pair.new
      matchItems(
        (pair.old, pair.new), place.body(ofRecordAt: pair.oldAddress),
        place.body(ofRecordAt: pair.newAddress), knowing: isKnown ? matchings[next].items : nil)
    }
  }

  /// Matches the sections that are not in their neighbourhood, and records those that have come or gone.
  private mutating func matchMovedSections(
    _ matching: OrderMatching, _ old: OrderTree, _ place: SectionBody.Place,
    _ pairs: inout [TreeComparison.Pair]
  ) {
    var pool = LeftoverPool(old.leftovers(at: matching.departures), old.kernel)
    for leftover in matching.arrivals {
      if let index = pool.take(leftover) {
        let partner = pool.leftovers[index]
        correspondence.sections.append(
          MatchedRun(old: partner.position, new: leftover.position, count: 1))
        pairs.append(
          .init(
            old: partner.position, new: leftover.position, oldAddress: partner.address,
            newAddress: leftover.address))
      } else {
        correspondence.sectionInserts.appendIndex(leftover.position)
        touched.append(TouchedSection(old: nil, new: leftover.position))
        knowsNewcomers = false
        changes?.inserted.append(itemsOf: place.body(ofRecordAt: leftover.address))
      }
    }
    for (leftover, isTaken) in zip(pool.leftovers, pool.isTaken) where !isTaken {
      correspondence.sectionDeletes.appendIndex(leftover.position)
      changes?.removed.append(itemsOf: place.body(ofRecordAt: leftover.address))
    }
    correspondence.sections = correspondence.sections.sortedIfNeeded { $0.new }
    pairs = pairs.sortedIfNeeded { $0.new }
  }

  /// Matches the items of a section on both sides, given its indices.
  private mutating func matchItems(
    _ indices: (old: Int, new: Int), _ oldBody: SectionBody, _ newBody: SectionBody,
    knowing known: OrderMatching?
  ) {
    guard oldBody !== newBody else { return }
    touched.append(TouchedSection(old: indices.old, new: indices.new))
    let hasSameKey = oldBody.key == newBody.key
    let (old, new) = (oldBody.itemTree, newBody.itemTree)
    let isSame = old.isIdentical(to: new)
    let haveOutlines = oldBody.isOutline || newBody.isOutline
    let hasSameOutline = !haveOutlines || newBody.outline === oldBody.outline
    guard !isSame || !hasSameKey || !hasSameOutline else { return }
    if !hasSameKey {
      changes?.removed.append(itemsOf: oldBody)
      changes?.inserted.append(itemsOf: newBody)
    }
    guard !isSame || !hasSameOutline else { return }
    // Sections that break the laws of `Hashable` may be matched with others than the known ones.
    let known = hasSameKey ? known : nil
    let items =
      known
      ?? TreeComparison(old: old, new: new, section: hasSameKey ? newBody.key : nil).matching
    // If either are unknown, so are those of the whole.
    if let more = items.changes { changes?.append(more) } else { changes = nil }
    if known == nil || !hasSameOutline { knowsNewcomers = false }
    if !hasSameOutline { matchOutlines(indices, oldBody, newBody, visible: items) }
    guard !items.isEqual else { return }
    changed.append(
      ChangedSection(
        old: oldBody, new: newBody, oldItems: old, departures: items.departures, newItems: new,
        arrivals: items.arrivals, held: items.held))
    if haveOutlines { hasOutlines = true }
    correspondence.changed.append(
      .init(
        old: indices.old, new: indices.new, runs: items.runs, stays: items.stays,
        inserts: items.inserts))
  }

  /// Finds the changes of an outline and their effect on a table.
  private mutating func matchOutlines(
    _ indices: (old: Int, new: Int), _ oldBody: SectionBody, _ newBody: SectionBody,
    visible: OrderMatching
  ) {
    guard let outline = newBody.outline ?? oldBody.outline else { return }
    let comparison = outline.comparison(from: oldBody, to: newBody, visible: visible)
    guard comparison.hasChanged else { return }
    correspondence.outlines.append(
      .init(
        old: indices.old, new: indices.new, departures: comparison.departures,
        arrivals: comparison.arrivals))
    correspondence.disclosures += comparison.disclosures.map {
      ItemPath(section: indices.new, item: $0)
    }
    if oldBody.key == newBody.key {
      changes?.append(comparison.hidden, section: newBody.key)
      changes?.exchanged += comparison.arrivedHashes
    }
  }

  /// Matches items that left one place with items that arrived at another.
  private mutating func matchLeftovers() {
    guard changed.contains(where: { !$0.arrivals.isEmpty }) else {
      for (section, changed) in changed.enumerated() {
        correspondence.changed[section].deletes = changed.departures
      }
      return
    }
    // The trees and windows that contain leftovers are held until the end.
    let changed = changed
    defer { withExtendedLifetime(changed) {} }
    var leftovers: [OrderMatching.Leftover] = []
    leftovers.reserveCapacity(
      changed.reduce(0) { $1.departures.reduce($0) { $0 + $1.count } })
    var origins: [Int] = []
    for (section, changed) in changed.enumerated() {
      changed.oldItems.appendLeftovers(at: changed.departures, to: &leftovers)
      origins += repeatElement(section, count: leftovers.count - origins.count)
    }
    var pool = LeftoverPool(leftovers, kernel)
    for section in changed.indices where !changed[section].arrivals.isEmpty {
      findOrigins(of: changed[section].arrivals, in: section, &pool, origins)
    }
    for (index, isTaken) in pool.isTaken.enumerated() where !isTaken {
      correspondence.changed[origins[index]].deletes.appendIndex(leftovers[index].position)
    }
    for section in correspondence.changed.indices { correspondence.changed[section].sort() }
  }

  /// Finds the origins of the new items of a section.
  ///
  /// - Parameter origins: By leftover of the pool: the section that it left.
  private mutating func findOrigins(
    of items: [OrderMatching.Leftover], in section: Int, _ pool: inout LeftoverPool,
    _ origins: [Int]
  ) {
    var changed = correspondence.changed[section]
    // The section must have a single holder, so that nothing is copied.
    correspondence.changed[section] = .init(old: changed.old, new: changed.new)
    defer { correspondence.changed[section] = changed }
    guard !pool.isTaken.isEmpty else {
      knowsNewcomers = false
      for item in items { changed.inserts.appendIndex(item.position) }
      return
    }
    changed.runs.reserveCapacity(changed.runs.count + items.count)
    for item in items {
      let position = item.position
      guard let found = pool.take(item) else {
        knowsNewcomers = false
        changed.inserts.appendIndex(position)
        continue
      }
      let origin = (section: origins[found], index: pool.leftovers[found].position)
      let path = ItemPath(section: changed.new, item: position)
      if hasOutlines, isDrawnAnew(item.address, from: origin.section, to: section) {
        correspondence.disclosures.append(path)
      }
      if origin.section == section {
        changed.runs.appendMatch(old: origin.index, new: position)
        changed.stays = nil
      } else {
        correspondence.migrations.append(
          Move(
            from: ItemPath(
              section: correspondence.changed[origin.section].old, item: origin.index),
            to: path))
      }
    }
  }

  /// Whether an item that left its place has another disclosure in its new place.
  ///
  /// Moves inside an outline are covered by the comparison of the outlines.
  private func isDrawnAnew(_ item: UnsafeRawPointer, from origin: Int, to section: Int) -> Bool {
    let (old, new) = (changed[origin].old, changed[section].new)
    guard old.isOutline || new.isOutline,
      origin != section || !old.isOutline || !new.isOutline
    else { return false }
    return (old.outline?.disclosure(ofItem: item) ?? Disclosure())
      != (new.outline?.disclosure(ofItem: item) ?? Disclosure())
  }
}
