extension Snapshot {
  /// Whether it is cheaper to compare both as values than to make a tree and a table for each.
  ///
  /// Arrays that were passed in have neither. Related trees are better compared by what they do not
  /// share, and outlines are trees.
  func isBetterCompared(asValueWith old: Snapshot) -> Bool {
    guard order.totals.outlines == 0, old.order.totals.outlines == 0 else { return false }
    return holdsArrays || old.holdsArrays
  }

  private var holdsArrays: Bool {
    base.itemTable == nil
      && records.contains { if case .array = $0.items { true } else { false } }
  }

  /// What changed from an older snapshot to this one, if neither has an outline.
  func difference(
    asValueFrom old: Snapshot
  ) throws(SnapshotError) -> SnapshotDifference {
    guard !old.hasDuplicateSections else { throw old.duplicates() }
    guard !hasDuplicateSections else { throw duplicates() }
    let sections = matchSections(since: old, kernels.sections)
    let (oldValue, newValue) = (old.value, value)
    let outcome = oldValue.withSide(kernels.items) { oldSide in
      newValue.withSide(kernels.items) { newSide in
        ValueComparison.compare(
          oldSide, isUnique: oldValue.isUnique, newSide, isUnique: newValue.isUnique,
          pairs: sections.sections)
      }
    }
    switch outcome {
    case .oldIsTwice: throw old.duplicates()
    case .newIsTwice: throw duplicates()
    case .compared(let comparison):
      old.base.resolution?.remember(oldValue.hashes)
      base.resolution?.remember(newValue.hashes)
      var correspondence = sections
      comparison.addChanges(to: &correspondence)
      return difference(correspondence, marks: marks)
    }
  }

  /// Finds the sections that are on both sides.
  private func matchSections(since old: Snapshot, _ kernel: ElementKernel) -> Correspondence {
    let oldSections = ContiguousArray(old.records.lazy.map { $0.id })
    let newSections = ContiguousArray(records.lazy.map { $0.id })
    let pair = ValueSide.withSide(of: [oldSections], kernel: kernel) { old in
      ValueSide.withSide(of: [newSections], kernel: kernel) { new in
        ValueComparison(old: old, new: new, pairs: [MatchedRun(old: 0, new: 0, count: 1)]).pairs[0]
      }
    }
    return Correspondence(
      sections: pair.runs, sectionDeletes: pair.departures, sectionInserts: pair.arrivals)
  }

  /// The items of all sections, and what is known about them.
  private var value: SnapshotValue<ItemID> {
    // If the table has been made, trees have the hashes.
    let known = base.resolution?.cached.map { Snapshot($0) } ?? self
    return SnapshotValue(
      known.records.map { $0.items }, proof: base.resolution?.proof,
      isUnique: known.base.itemTable != nil && !known.hasDuplicateItems())
  }
}

/// The items of a snapshot's sections, to be compared as a value.
private struct SnapshotValue<ItemID: Hashable & Sendable> {
  let columns: [ContiguousArray<ItemID>]
  let hashes: ElementHashes
  /// Whether no item appears twice; then all hashes are known.
  let isUnique: Bool

  init(_ sections: [SectionItems<ItemID>], proof: ElementHashes?, isUnique: Bool) {
    columns = sections.map { ContiguousArray($0.array) }
    if let proof {
      (hashes, self.isUnique) = (proof, true)
      return
    }
    hashes = ElementHashes(count: columns.reduce(0) { $0 + $1.count })
    var (index, isComplete) = (0, true)
    for section in sections {
      guard case .tree(let tree) = section else {
        isComplete = isComplete && section.count == 0
        index += section.count
        continue
      }
      for hash in tree.base.hashes {
        hashes.values[index] = hash
        index += 1
      }
    }
    self.isUnique = isComplete && isUnique
  }

  func withSide<Result>(
    _ kernel: ElementKernel, _ body: (ValueSide) -> Result
  ) -> Result {
    ValueSide.withSide(of: columns, hashes: hashes, kernel: kernel, body)
  }
}
