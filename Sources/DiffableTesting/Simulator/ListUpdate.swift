import Diffable

/// An update of a list view, with everything needed to check it.
struct ListUpdate<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  typealias List = PlainList<SectionID, ItemID>

  let old: List
  let new: List
  let operations: [ListOperation]
  /// The paths where a cell shows the same row under another name.
  let renamed: ItemPathSet
  /// The operations whose positions all exist.
  let possible: [ListOperation]

  init(
    _ operations: [ListOperation], from old: List, to new: List,
    renaming renamed: ItemPathSet = []
  ) {
    self.renamed = renamed
    self.old = old
    self.new = new
    self.operations = operations
    possible = operations.filter { operation in
      operation.oldPosition.map(old.exists) ?? true
        && operation.newPosition.map(new.exists) ?? true
    }
  }

  /// All violated rules, whatever the profile, except those about the view's state.
  func violations() -> [ListViolation] {
    let pairing = SectionPairing(self)
    return coreViolations(pairing)
      + structureAroundSections() + reloads(pairing) + idleSectionMoves(pairing)
      + repetitions(pairing) + rowMovesApart() + movesApart() + steps()
  }

  /// The violations of C1 to C7: there are none if the operations make the old state the new one.
  func coreViolations(_ pairing: SectionPairing) -> [ListViolation] {
    existence() + uniqueUse() + sectionOrder(pairing) + itemOrder(pairing)
  }

  func violation(
    _ rule: ListRule, _ operation: ListOperation, _ space: ListOperation.IndexSpace,
    _ explanation: String
  ) -> ListViolation {
    let position = space == .old ? operation.oldPosition : operation.newPosition
    let list = space == .old ? old : new
    return ListViolation(
      rule, operation, at: position, space,
      identifier: position.flatMap { list.identifier(at: $0) }, explanation)
  }

  /// Whether the operation vacates an old position: deletes and moves.
  func leaves(_ operation: ListOperation) -> Bool {
    operation.oldPosition != nil && !operation.isRefresh
  }

  /// Whether the operation fills a new position: inserts and moves.
  func enters(_ operation: ListOperation) -> Bool {
    operation.newPosition != nil && !operation.isRefresh
  }
}

/// The old section that a view matches with each new one.
///
/// Moves determine their sections; all other survivors fill the free new slots in ascending order.
struct SectionPairing {
  /// By new index.
  private(set) var origins: [Int: Int] = [:]
  /// By old index.
  private(set) var targets: [Int: Int] = [:]

  init<SectionID, ItemID>(
    _ update: ListUpdate<SectionID, ItemID>, ignoring ignored: ListOperation? = nil
  ) {
    var staying = Set(update.old.sections.indices)
    var free = Set(update.new.sections.indices)
    for operation in update.possible where operation != ignored {
      switch operation {
      case .deleteSection(let index): staying.remove(index)
      case .insertSection(let index): free.remove(index)
      case .moveSection(let move):
        staying.remove(move.from)
        free.remove(move.to)
        origins[move.to] = move.from
      default: break
      }
    }
    for (from, to) in zip(staying.sorted(), free.sorted()) { origins[to] = from }
    for (to, from) in origins { targets[from] = to }
  }
}
