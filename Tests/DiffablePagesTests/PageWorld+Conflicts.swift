import Diffable

@testable import DiffablePages

extension PageWorld {
  /// Compares the contradictions that an arrival has found with those that there are.
  ///
  /// It is called before what has arrived counts as said.
  mutating func checkConflicts(of arrival: Machine.Arrival, _ outcome: PageOutcome<PagedRow>) {
    let answers =
      switch arrival {
      case .page(let answer, at: _): [answer]
      case .refresh(let answers): answers
      }
    var latest: [Int: PagedRow] = [:]
    for row in answers.flatMap(\.page.models) { latest[row.id] = row }
    var expected: [PageConflict<PagedRow>] = []
    for (item, new) in latest {
      guard let base = said[item], base != new else { continue }
      if deleted.contains(item) {
        expected.append(PageConflict(item, .deletedButChanged, base: base, theirs: new, mine: nil))
      } else if let mine = edited[item], mine != base, mine != new {
        if merges {
          edited[item] = Self.merged(base, new, mine)
        } else {
          expected.append(PageConflict(item, .changedTwice, base: base, theirs: new, mine: mine))
        }
      }
    }
    if case .refresh = arrival {
      let known = Set(pages.joined())
      // New rows do not tell: they may push a row out of what was asked for.
      let staying = known.filter { latest[$0] != nil }
      for item in known where latest[item] == nil && !deleted.contains(item) {
        guard let base = said[item], let mine = edited[item], mine != base else { continue }
        let conflict = PageConflict(item, .changedButDeleted, base: base, theirs: nil, mine: mine)
        let isBetween = staying.contains { $0 < item } && staying.contains { $0 > item }
        let isGone = !backend.rows.contains { $0.id == item }
        if isGone, isBetween || outcome.conflicts.contains(conflict) { expected.append(conflict) }
      }
    }
    if outcome.conflicts.count != expected.count || !expected.allSatisfy(outcome.conflicts.contains)
    {
      faults.append("conflicts \(outcome.conflicts), and not \(expected)")
    }
  }
}
