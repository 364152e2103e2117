extension SnapshotDifference {
  /// Writes down what a correspondence of two snapshots amounts to, with the fewest moves.
  ///
  /// - Complexity: O(r log r + c) for r runs and c changed elements or ranges of them.
  init(_ correspondence: Correspondence) {
    self.init()
    addSections(correspondence)
    addItems(correspondence)
  }

  /// What no run covers is deleted or inserted; runs outside the increasing subsequence move.
  private mutating func addSections(_ correspondence: Correspondence) {
    let runs = correspondence.sections
    for range in gaps(
      between: runs.map(\.oldRange).sorted { $0.lowerBound < $1.lowerBound },
      upTo: correspondence.sectionCounts.old)
    {
      sectionDeletes.insert(contentsOf: range)
    }
    for range in gaps(between: runs.map(\.newRange), upTo: correspondence.sectionCounts.new) {
      sectionInserts.insert(contentsOf: range)
    }
    for (run, stays) in zip(runs, runs.heaviestIncreasingSubsequence()) where !stays {
      for offset in 0..<run.count {
        sectionMoves.append(Move(from: run.old + offset, to: run.new + offset))
      }
    }
  }

  private mutating func addItems(_ correspondence: Correspondence) {
    var leaving: [Int: [Range<Int>]] = [:]
    var entering: [Int: [Range<Int>]] = [:]
    for migration in correspondence.migrations {
      let (from, to) = (migration.from, migration.to)
      leaving[from.section, default: []].append(from.item..<from.item + migration.count)
      entering[to.section, default: []].append(to.item..<to.item + migration.count)
      for offset in 0..<migration.count {
        itemMoves.append(
          Move(
            from: ItemPath(section: from.section, item: from.item + offset),
            to: ItemPath(section: to.section, item: to.item + offset)))
      }
    }
    for section in correspondence.changed.sorted(by: { $0.old < $1.old }) {
      let kept = section.runs.map(\.oldRange) + leaving[section.old, default: []]
      for range in gaps(
        between: kept.sorted { $0.lowerBound < $1.lowerBound }, upTo: section.counts.old)
      {
        itemDeletes.append(section: section.old, items: range)
      }
    }
    for section in correspondence.changed {
      let kept = section.runs.map(\.newRange) + entering[section.new, default: []]
      for range in gaps(
        between: kept.sorted { $0.lowerBound < $1.lowerBound }, upTo: section.counts.new)
      {
        itemInserts.append(section: section.new, items: range)
      }
      for (run, stays) in zip(section.runs, section.runs.heaviestIncreasingSubsequence())
      where !stays {
        for offset in 0..<run.count {
          itemMoves.append(
            Move(
              from: ItemPath(section: section.old, item: run.old + offset),
              to: ItemPath(section: section.new, item: run.new + offset)))
        }
      }
    }
    itemMoves.sort { $0.to < $1.to }
  }
}

/// The ranges below `end` that ascending, disjoint ranges leave free.
private func gaps(between ranges: [Range<Int>], upTo end: Int) -> [Range<Int>] {
  var gaps: [Range<Int>] = []
  var position = 0
  for range in ranges {
    if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
    position = range.upperBound
  }
  if position < end { gaps.append(position..<end) }
  return gaps
}
