/// Which sections go, come, move and show something else.
extension StageChange {
  func planSections(_ plan: inout StagePlan<Out>) {
    guard case .same(let sections) = rules.sections else { return }
    func identifiers(_ indices: RangeSet<Int>, _ snapshot: Input) -> [Out] {
      indices.ranges.joined().compactMap(snapshot.sectionIdentifier(at:)).map(sections.output)
    }
    plan.sectionDeletes = identifiers(difference.sectionDeletes, old)
    var placed = difference.sectionInserts
    for move in difference.sectionMoves { placed.insert(contentsOf: move.to..<move.to + 1) }
    plan.sectionPlacements = identifiers(placed, new)
    plan.sectionReloads = identifiers(map.newSections(forOld: difference.sectionReloads), new)
    let updated = difference.sectionReconfigures.union(
      map.newSections(forOld: difference.sectionReloads))
    plan.sectionUpdates = identifiers(updated, new)
  }
}

/// The order of the sections of a stage.
extension QueryStage {
  /// Whether a section belongs before another, which both are in the input or have a key.
  func isBefore(_ left: Out, _ right: Out, _ input: Input) -> Bool {
    switch rules.sections {
    case .keyed(let keys, _): return keys.areInOrder(left, right)
    case .same(let sections):
      guard let first = input.indexOfSection(sections.input(left)),
        let second = input.indexOfSection(sections.input(right))
      else { return false }
      return first < second
    }
  }

  /// Where a section goes among the first sections of a draft, which are in order.
  ///
  /// - Complexity: O(log² s) for s sections.
  func place(
    of section: Out, amongFirst count: Int, of draft: Output, _ input: Input
  ) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(draft.order[middle].id, section, input) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
