import Diffable

/// What a step knows about the rows of its input, by section.
struct ScoredRows<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  private typealias Places = IdentifierMap<ItemID, (leaf: ScoredLeaf, offset: Int)>

  private var sections = IdentifierMap<SectionID, ScoredSection>()
  /// The pattern that all scores are of; `nil` if there is none, or if some are of another one.
  private var pattern: SearchPattern?

  subscript(section: SectionID) -> ScoredSection? { sections[section] }

  /// How rows are scored.
  struct Scoring {
    let scorer: ScoreRule.Scorer
    /// Whether all rows are scored, not only those that are new.
    let scoresAll: Bool
    /// Whether a row that did not match before does not match now.
    fileprivate(set) var narrows = false
    /// Whether to stop; asked before each leaf.
    let isSuperseded: () -> Bool

    init(_ scorer: ScoreRule.Scorer, all: Bool, _ isSuperseded: @escaping () -> Bool) {
      (self.scorer, scoresAll, self.isSuperseded) = (scorer, all, isSuperseded)
    }
  }

  /// Follows the input, and scores rows.
  ///
  /// - Returns: Whether it was not stopped. If it was, the texts that were read stay known.
  /// - Complexity: O(l) for l leaves, and O(r) for those with r rows that are new. If all are scored, one score
  ///   for each row or, if the search narrows, for each row that matched.
  mutating func follow(_ input: Snapshot<SectionID, ItemID>, _ scoring: Scoring) -> Bool {
    var scoring = scoring
    let next = scoring.scorer.pattern
    if scoring.scoresAll, let pattern, let next { scoring.narrows = next.narrows(pattern) }
    if scoring.scoresAll { pattern = nil }
    var followed = IdentifierMap<SectionID, ScoredSection>()
    for (index, record) in input.records.enumerated() {
      guard let section = follow(record, index, of: input, scoring) else {
        for (id, section) in followed.elements { sections[id] = section }
        return false
      }
      followed[record.id] = section
    }
    (sections, pattern) = (followed, next)
    return true
  }

  /// Follows a section; returns `nil` if it was stopped.
  private func follow(
    _ record: SectionRecord<SectionID, ItemID>, _ index: Int,
    of input: Snapshot<SectionID, ItemID>, _ scoring: Scoring
  ) -> ScoredSection? {
    var section = ScoredSection()
    guard record.outline == nil else {
      // Its visible rows have no leaves that could be recognised.
      let rows = input.places(ofSectionAt: index)
      let leaf = ScoredLeaf(rows)
      for row in rows { leaf.append(row, scoring.scorer) }
      section.append(leaf)
      return section
    }
    let leaves = record.items.tree.base.leaves
    let (kept, former) = match(leaves, self[record.id]?.leaves ?? [])
    let elements = input.kernels.models ?? input.kernels.items
    for (leaf, kept) in zip(leaves, kept) {
      if scoring.isSuperseded() { return nil }
      if let kept {
        if scoring.scoresAll { kept.score(scoring.scorer, narrowing: scoring.narrows) }
        section.append(kept)
      } else {
        section.append(scored(leaf, former, elements, scoring))
      }
    }
    return section
  }

  /// What is known of each leaf, and of the rows of leaves that are gone.
  private func match(_ leaves: [Leaf], _ known: [ScoredLeaf]) -> ([ScoredLeaf?], former: Places) {
    func isSame(_ leaf: Leaf, _ known: ScoredLeaf) -> Bool {
      known.leaf.map { $0 === leaf } ?? false
    }
    let start = zip(leaves, known).prefix { isSame($0, $1) }.count
    let rest = Swift.min(leaves.count, known.count) - start
    let end = zip(leaves.reversed(), known.reversed()).prefix(rest).prefix { isSame($0, $1) }.count
    var middle: [ObjectIdentifier: ScoredLeaf] = [:]
    for known in known[start..<known.count - end] {
      if let leaf = known.leaf { middle[leaf.identity] = known }
    }
    var kept: [ScoredLeaf?] = known[..<start].map { $0 }
    for leaf in leaves[start..<leaves.count - end] {
      kept.append(middle.removeValue(forKey: leaf.identity))
    }
    kept += known[(known.count - end)...].map { $0 }
    var former = Places()
    for leaf in middle.values {
      for offset in 0..<leaf.count { former[leaf.row(at: offset).item()] = (leaf, offset) }
    }
    return (kept, former)
  }

  /// What is known of a new leaf: most of its rows were in others before.
  private func scored(
    _ leaf: Leaf, _ former: Places, _ elements: ElementKernel, _ scoring: Scoring
  ) -> ScoredLeaf {
    let scored = ScoredLeaf(leaf)
    for offset in 0..<leaf.count {
      let row = leaf.row(at: offset)
      if let place = former.isEmpty ? nil : former[row.item()],
        elements.areEqual(place.leaf.row(at: place.offset).element, row.element)
      {
        scored.append(
          place.leaf, place.offset, scoring.scoresAll ? scoring.scorer : nil,
          narrowing: scoring.narrows)
      } else {
        scored.append(row, scoring.scorer)
      }
    }
    return scored
  }
}
