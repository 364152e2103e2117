import Diffable

/// Following a change of the input, where all rows that match are shown.
///
/// With a limit, the best rows are chosen again: there are few.
extension ScoringStep {
  /// The changes of the last result, by section; indices and gaps refer to it.
  struct Plan {
    var removals: [Int: [Int]] = [:]
    var arrivals: [Arrival] = []
  }

  /// A row that is inserted.
  struct Arrival {
    let section: SectionID
    let path: ItemPath
    let found: ScoredSection.Found
    var gap = 0
  }

  /// What to change; `nil` if choosing the rows again costs less, or is simpler.
  ///
  /// What it reads is released when it returns. Otherwise the table of the live state would have two holders
  /// while it is edited.
  ///
  /// - Complexity: O(c · log² n) for c changed rows of n.
  @inline(never) func plan(
    _ change: InputChange<SectionID, ItemID>, _ output: Input
  ) -> Plan? {
    guard rule.limit == nil, change.deletedSections.isEmpty, change.placedSections.isEmpty
    else { return nil }
    let (old, new) = (change.old, change.new)
    let limit = InputChange<SectionID, ItemID>.limit(among: output.numberOfItems)
    guard let rows = change.rows(atMost: limit) else { return nil }
    var plan = Plan()
    func remove(_ item: ItemID) {
      guard let place = output.itemPath(for: item) else { return }
      plan.removals[place.section, default: []].append(place.item)
    }
    for path in rows.leaving { remove(old.row(at: path).item()) }
    for path in rows.updated { remove(new.row(at: path).item()) }
    for section in plan.removals.keys {
      // Identifiers that break the laws of equality may lead to one place twice.
      plan.removals[section] = plan.removals[section].map { Set($0).sorted() }
    }
    for path in rows.entering + rows.updated {
      let section = new.section(at: path.section)
      guard let found = memory[section]?.found(at: path.item) else { continue }
      guard let index = output.indexOfSection(section) else { return nil }
      var arrival = Arrival(section: section, path: path, found: found)
      arrival.gap = gap(for: arrival, inSectionAt: index, of: output, change)
      plan.arrivals.append(arrival)
    }
    plan.arrivals.sort { left, right in
      if left.gap != right.gap { return left.gap < right.gap }
      return left.found.score != right.found.score
        ? left.found.score > right.found.score : left.path < right.path
    }
    let empties = plan.removals.contains { output.itemCount(ofSectionAt: $0) == $1.count }
    return omitsEmptySections && empties ? nil : plan
  }

  /// The index of the first row of the last output that belongs after an arrival.
  ///
  /// That output is in order by the old input, so a binary search is sound, even among rows that will go.
  private func gap(
    for arrival: Arrival, inSectionAt index: Int, of output: Input,
    _ change: InputChange<SectionID, ItemID>
  ) -> Int {
    let tree = output.base.withBody(ofSectionAt: index) { $0.itemTree }
    return tree.partitioningPosition { row in
      let score = rule.rows.score(row.element)
      if score != arrival.found.score { return score > arrival.found.score }
      guard let path = change.oldPath(of: row.item()) else { return false }
      return path < change.oldGap(before: arrival.path)
    }
  }

  /// Applies a change to the live state.
  ///
  /// - Complexity: O(c · log n) for c changed rows of n.
  func carryOut(
    _ plan: Plan, _ change: InputChange<SectionID, ItemID>, _ marks: Input.Marks,
    _ live: inout Live
  ) throws(SnapshotError) -> Live.Commit? {
    let marks = live.snapshot.following(marks)
    let made = make(plan.arrivals.map(\.found))
    return try live.edit { draft, given throws(SnapshotError) in
      var hasModels = true
      for (section, positions) in plan.removals {
        draft.remove(positions, ofSectionAt: section, keepingModels: &hasModels)
      }
      // Last to first, so that earlier gaps stay as they are.
      for (number, arrival) in plan.arrivals.enumerated().reversed() {
        guard let index = draft.indexOfSection(arrival.section) else { continue }
        let removed = plan.removals[index] ?? []
        let place = arrival.gap - removed.partitioningIndex { $0 >= arrival.gap }
        let items = HashedElements(draft.kernels.items, gathering: [arrival.found.row.item])
        let models = made.map { HashedElements($0.kernel, gathering: [$0.span.address(number)]) }
        draft.insert(
          items, models, at: ItemPath(section: index, item: place), keepingModels: &hasModels)
      }
      given.isComplete = hasModels
      if !hasModels, let made {
        for (number, arrival) in plan.arrivals.enumerated() {
          given.set(arrival.found.row.item, model: made.span.address(number), rule.kernels)
        }
      }
      given.setHeaders(change)
      draft.take(marks)
    }
  }
}
