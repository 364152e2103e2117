extension OutlineComparison {
  /// Compares two versions of a section.
  init<ItemID>(
    old: SectionBody, _ oldOutline: Outline<ItemID>?, new: SectionBody,
    _ newOutline: Outline<ItemID>?, visible: OrderMatching
  ) {
    self.init()
    switch (oldOutline, newOutline) {
    case (nil, nil): break
    case (let outline?, nil), (nil, let outline?):
      let isGone = newOutline == nil
      hasChanged = true
      outline.forEachHiddenHash { hidden.add($0, isGone ? -1 : 1) }
      if isGone { departures = [0..<outline.count] } else { arrivals = [0..<outline.count] }
      Self.forEachPair(visible, old) { old, new in
        let row = outline.position(ofVisibleRow: isGone ? old : new)
        if row.map(outline.disclosure(at:)) != Disclosure() { disclosures.append(new) }
      }
    case (let oldOutline?, let newOutline?):
      compare(old, oldOutline, new, newOutline, visible)
    }
    disclosures = disclosures.sortedIfNeeded { $0 }
  }

  mutating func compare<ItemID>(
    _ old: SectionBody, _ oldOutline: Outline<ItemID>, _ new: SectionBody,
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
}
