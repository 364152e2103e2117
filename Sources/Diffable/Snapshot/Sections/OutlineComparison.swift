/// The changes of the outline of a section that is on both sides.
///
/// The visible items are compared like those of a flat list, and the rows of both outlines in the
/// same way. The two results give the hidden items and the rows whose disclosure changed. A row of
/// a flat list counts as a leaf without ancestors.
///
/// - Complexity: O(d · log n) for d leaves of rows that differ, and O(log² n) for each item whose
///   disclosure changed. O(n) if a section is an outline on one side only.
struct OutlineComparison {
  var hasChanged = false
  /// New indices of visible items whose disclosure changed, ascending.
  var disclosures: [Int] = []
  var hidden = HiddenEntries()
  /// The hashes of rows that were inserted or moved: hidden ones are counted, not named.
  var arrivedHashes: [UInt32] = []
  /// The rows that have left their place, and those that have arrived at a new one.
  var departures: [Range<Int>] = []
  var arrivals: [Range<Int>] = []

  init<ItemID>(old: SectionBody<ItemID>, new: SectionBody<ItemID>, visible: OrderMatching) {
    switch (old.outline?.value, new.outline?.value) {
    case (nil, nil): break
    case (let outline?, nil):
      hasChanged = true
      outline.forEachHiddenHash { hidden.add($0, -1) }
      departures = [0..<outline.count]
      let signs = Self.signs(of: outline)
      Self.forEachPair(visible, old) { old, new in
        if signs[old] != Disclosure() { disclosures.append(new) }
      }
    case (nil, let outline?):
      hasChanged = true
      outline.forEachHiddenHash { hidden.add($0, 1) }
      arrivals = [0..<outline.count]
      let signs = Self.signs(of: outline)
      Self.forEachPair(visible, old) { _, new in
        if signs[new] != Disclosure() { disclosures.append(new) }
      }
    case (let oldOutline?, let newOutline?):
      compare(old, oldOutline, new, newOutline, visible)
    }
    disclosures.sort()
  }

  mutating func compare<ItemID>(
    _ old: SectionFacts, _ oldOutline: Outline<ItemID>, _ new: SectionFacts,
    _ newOutline: Outline<ItemID>, _ visible: OrderMatching
  ) {
    let comparison = TreeComparison(
      old: oldOutline.rows.base, new: newOutline.rows.base, keepingPairs: true)
    let rows = comparison.matching
    func isIdentical(_ pair: TreeComparison.Pair) -> Bool {
      pair.oldAddress.assumingMemoryBound(to: OutlineRow<ItemID>.self).pointee.isIdentical(
        to: pair.newAddress.assumingMemoryBound(to: OutlineRow<ItemID>.self).pointee)
    }
    for leftover in rows.arrivals { hidden.add(leftover.hash, 1) }
    arrivedHashes = rows.arrivals.map(\.hash)
    for leftover in oldOutline.rows.base.leftovers(at: rows.departures) {
      hidden.add(leftover.hash, -1)
    }
    departures = rows.departures
    for leftover in rows.arrivals { arrivals.appendIndex(leftover.position) }
    let (oldItems, newItems) = (old.itemTree, new.itemTree)
    for leftover in visible.arrivals { hidden.add(leftover.hash, -1) }
    for leftover in newItems.leftovers(at: visible.inserts) { hidden.add(leftover.hash, -1) }
    for leftover in oldItems.leftovers(at: visible.departures) { hidden.add(leftover.hash, 1) }
    hasChanged =
      !rows.isEqual
      || comparison.comparedPairs.contains { !isIdentical($0) }
    guard hasChanged else { return }

    var seen: Set<Int> = []
    func consider(old oldRow: Int, new newRow: Int) {
      guard seen.insert(newRow).inserted,
        oldOutline.disclosure(at: oldRow) != newOutline.disclosure(at: newRow),
        oldOutline.rows[oldRow].isVisible,
        let index = newOutline.visibleIndex(ofRowAt: newRow)
      else { return }
      disclosures.append(index)
    }
    // A row that stays can gain its first child or lose its last one only if the row after it is
    // another one, or is at another level.
    for run in rows.runs {
      consider(old: run.old + run.count - 1, new: run.new + run.count - 1)
    }
    for pair in comparison.comparedPairs where !isIdentical(pair) {
      consider(old: pair.old, new: pair.new)
      if pair.old > 0, pair.new > 0,
        oldOutline.rows[pair.old - 1] == newOutline.rows[pair.new - 1]
      {
        consider(old: pair.old - 1, new: pair.new - 1)
      }
    }
    for leftover in rows.arrivals {
      if let origin = oldOutline.position(
        of: leftover.element(as: OutlineRow<ItemID>.self).id, hash: leftover.hash)
      {
        consider(old: origin, new: leftover.position)
      }
    }
  }

  /// The disclosure of each visible item.
  static func signs<ItemID>(of outline: Outline<ItemID>) -> [Disclosure] {
    var signs: [Disclosure] = []
    var position = 0
    outline.forEachRow { row, _, isHidden in
      if !isHidden { signs.append(outline.disclosure(at: position)) }
      position += 1
    }
    return signs
  }

  /// Calls a function with the old and new index of each item that is in the section on both sides.
  ///
  /// Moved items are included.
  static func forEachPair(
    _ visible: OrderMatching, _ old: SectionFacts, _ body: (_ old: Int, _ new: Int) -> Void
  ) {
    for run in visible.runs {
      for offset in 0..<run.count { body(run.old + offset, run.new + offset) }
    }
    let tree = old.itemTree
    defer { withExtendedLifetime(tree) {} }
    var pool = LeftoverPool(tree.leftovers(at: visible.departures), tree.kernel)
    for arrival in visible.arrivals {
      if let found = pool.take(arrival) { body(pool.leftovers[found].position, arrival.position) }
    }
  }
}
