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
        let tree = new.withFacts(ofSectionAt: changed[index].new) { $0.itemTree }
        guard let stays, !changed[index].runs.moveOnly(items, knowing: stays, in: tree)
        else { continue }
        let sought = filter ?? HashFilter(Array(items.elements.span.hashBuffer))
        filter = sought
        let former = old.withFacts(ofSectionAt: changed[index].old) { $0.itemTree }
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
    _ placed: ElementSet, knowing stays: [Bool], in tree: OrderTree
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
    of items: ElementSet, _ filter: HashFilter, since old: OrderTree
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
