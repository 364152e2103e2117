import Diffable

extension ListUpdate {
  /// S1, S2 and S3: no item operation where sections are deleted, inserted or moved.
  func structureAroundSections() -> [ListViolation] {
    var deleted: Set<Int> = []
    var inserted: Set<Int> = []
    var movesSections = false
    for operation in operations {
      switch operation {
      case .deleteSection(let index): deleted.insert(index)
      case .insertSection(let index): inserted.insert(index)
      case .moveSection: movesSections = true
      default: break
      }
    }
    var violations: [ListViolation] = []
    for operation in operations where operation.sectionOfItem != nil {
      if let position = operation.oldPosition, deleted.contains(position.section) {
        violations.append(
          violation(.s1, operation, .old, "Its section \(position.section) is deleted."))
      }
      if let position = operation.newPosition, inserted.contains(position.section) {
        violations.append(
          violation(.s2, operation, .new, "Its section \(position.section) is inserted."))
      }
      if movesSections {
        violations.append(
          violation(
            .s3, operation, operation.oldPosition == nil ? .new : .old,
            "The same update moves a section."))
      }
    }
    return violations
  }

  /// S4, S5 and S10: reloads are alone, of staying elements, in sections that keep their items.
  func reloads(_ pairing: SectionPairing) -> [ListViolation] {
    let isStructural = operations.contains { !$0.isRefresh }
    let left = Set(operations.filter { leaves($0) }.compactMap(\.oldPosition))
    var violations: [ListViolation] = []
    for operation in operations where operation.kind == .reload {
      guard let position = operation.oldPosition else { continue }
      if isStructural {
        violations.append(
          violation(.s4, operation, .old, "The same update deletes, inserts or moves something."))
      }
      if left.contains(position) {
        violations.append(violation(.s5, operation, .old, "Old \(position) is deleted or moved."))
      }
      guard case .section(let index) = position, let target = pairing.targets[index],
        old.sections[index].id == new.sections[target].id,
        case let items = old.sections[index].items,
        Set(items)
          != Set(
            new.sections[target].items.enumerated().map { place, item in
              items.indices.contains(place)
                && renamed.contains(ItemPath(section: target, item: place)) ? items[place] : item
            })
      else { continue }
      violations.append(
        violation(.s10, operation, .old, "The section gains or loses items by its reload."))
    }
    return violations
  }

  /// S6: every section move is necessary.
  func idleSectionMoves(_ pairing: SectionPairing) -> [ListViolation] {
    possible.compactMap { operation in
      guard case .moveSection = operation,
        SectionPairing(self, ignoring: operation).origins == pairing.origins
      else { return nil }
      return violation(.s6, operation, .old, "Without it every section ends in the same place.")
    }
  }

  /// S7: nothing is repeated, neither by the same call nor by two kinds of refresh.
  func repetitions(_ pairing: SectionPairing) -> [ListViolation] {
    var violations: [ListViolation] = []
    var seen: Set<ListOperation> = []
    var reloadedSections: Set<Int> = []
    var reloadedItems: Set<AnyItemID> = []
    for operation in operations {
      let space: ListOperation.IndexSpace = operation.oldPosition == nil ? .new : .old
      if !seen.insert(operation).inserted {
        violations.append(violation(.s7, operation, space, "The update says so twice."))
      }
      switch operation {
      case .reloadSection(let index): reloadedSections.insert(index)
      case .reloadItem(let path):
        if let item = old.identifier(at: .item(path)) { reloadedItems.insert(item) }
      default: break
      }
    }
    for operation in operations {
      switch operation {
      case .reloadItem(let path) where reloadedSections.contains(path.section):
        violations.append(violation(.s7, operation, .old, "Its section is reloaded as well."))
      case .reconfigureItem(let path):
        if let origin = pairing.origins[path.section], reloadedSections.contains(origin) {
          violations.append(violation(.s7, operation, .new, "Its section is reloaded as well."))
        } else if let item = new.identifier(at: .item(path)), reloadedItems.contains(item) {
          violations.append(violation(.s7, operation, .new, "The item is reloaded as well."))
        }
      default: break
      }
    }
    return violations
  }

  /// S11: sections are not deleted or inserted while items move.
  func rowMovesApart() -> [ListViolation] {
    let movesItems = operations.contains { if case .moveItem = $0 { true } else { false } }
    guard movesItems else { return [] }
    return operations.compactMap { operation in
      switch operation {
      case .deleteSection: violation(.s11, operation, .old, "The same update moves an item.")
      case .insertSection: violation(.s11, operation, .new, "The same update moves an item.")
      default: nil
      }
    }
  }

  /// S14: moves are alone.
  func movesApart() -> [ListViolation] {
    guard operations.contains(where: { [.delete, .insert].contains($0.kind) }) else { return [] }
    return operations.filter { $0.kind == .move }.map {
      violation(.s14, $0, .old, "The same update deletes or inserts something.")
    }
  }
}
