import Diffable

/// Sections that are deleted, inserted or moved, or that show something else.
extension StepChange {
  func planSections(_ plan: inout StepPlan<Out, ItemID>) {
    guard case .same(let sections) = rules.sections else { return }
    func identifiers(_ indices: RangeSet<Int>, _ snapshot: Input) -> [Out] {
      indices.ranges.joined().compactMap(snapshot.sectionIdentifier(at:)).map(sections.output)
    }
    /// Whether this input decides about a section.
    func isOurs(_ section: Out) -> Bool {
      guard let other, other.isFirst else { return true }
      return !other.snapshot.containsSection(sections.input(section))
    }
    let deleted = identifiers(difference.sectionDeletes, old)
    plan.sectionDeletes = deleted.filter { section in
      other.map { !$0.snapshot.containsSection(sections.input(section)) } ?? true
    }
    var placed = difference.sectionInserts
    for move in difference.sectionMoves { placed.insert(contentsOf: move.to..<move.to + 1) }
    plan.sectionPlacements = identifiers(placed, new).filter(isOurs)
    if let other, !other.isFirst {
      // A section that the first input no longer has is now placed where the second has it.
      plan.sectionPlacements += deleted.filter {
        other.snapshot.containsSection(sections.input($0))
      }
    }
    plan.sectionReloads = identifiers(map.newSections(forOld: difference.sectionReloads), new)
    let updated = difference.sectionReconfigures.union(
      map.newSections(forOld: difference.sectionReloads))
    plan.sectionUpdates = identifiers(updated, new).filter(isOurs)
  }
}

/// The order of the sections of a step.
extension QueryStep {
  /// Whether a section belongs before another; both are in the input or have a key.
  private func isBefore(_ left: Out, _ right: Out, _ inputs: [Input]) -> Bool {
    switch rules.sections {
    case .keyed(let keys, _): return keys.areInOrder(left, right)
    case .same(let sections):
      for input in inputs {
        switch (
          input.indexOfSection(sections.input(left)), input.indexOfSection(sections.input(right))
        ) {
        case (let left?, let right?): return left < right
        case (nil, nil): continue
        case (let left, _): return left != nil
        }
      }
      return false
    }
  }

  /// The place of a section among the first sections of a draft, which are in order.
  ///
  /// - Complexity: O(log² s) for s sections.
  func place(
    of section: Out, amongFirst count: Int, of draft: Output, _ input: Input
  ) -> Int {
    let inputs = inputs(input)
    return (0..<count).partitioningIndex { !isBefore(draft.section(at: $0), section, inputs) }
  }
}
