import Diffable

extension ListUpdate {
  /// C1: every index exists in its space.
  func existence() -> [ListViolation] {
    operations.flatMap { operation in
      var missing: [ListViolation] = []
      if let position = operation.oldPosition, !old.exists(position) {
        missing.append(violation(.c1, operation, .old, "There is no old \(position)."))
      }
      if let position = operation.newPosition, !new.exists(position) {
        missing.append(violation(.c1, operation, .new, "There is no new \(position)."))
      }
      return missing
    }
  }

  /// C2 and C3: every position is vacated at most once, and filled at most once.
  func uniqueUse() -> [ListViolation] {
    var violations: [ListViolation] = []
    var left: Set<ListOperation.Position> = []
    var entered: Set<ListOperation.Position> = []
    for operation in operations {
      if let position = operation.oldPosition, leaves(operation), !left.insert(position).inserted {
        violations.append(violation(.c2, operation, .old, "Old \(position) is used twice."))
      }
      if let position = operation.newPosition, enters(operation),
        !entered.insert(position).inserted
      {
        violations.append(violation(.c3, operation, .new, "New \(position) is used twice."))
      }
    }
    return violations
  }

  /// C4 and C5: the section count is correct, and every section is matched with itself.
  func sectionOrder(_ pairing: SectionPairing) -> [ListViolation] {
    var violations: [ListViolation] = []
    let deletes = Set(
      possible.compactMap { if case .deleteSection(let index) = $0 { index } else { nil } })
    let inserts = Set(
      possible.compactMap { if case .insertSection(let index) = $0 { index } else { nil } })
    let expected = old.sections.count + inserts.count - deletes.count
    if new.sections.count != expected {
      violations.append(
        ListViolation(
          .c4,
          "\(old.sections.count) sections + \(inserts.count) − \(deletes.count) make \(expected), "
            + "but the data has \(new.sections.count)."))
    }
    for (index, section) in new.sections.enumerated() {
      guard let origin = pairing.origins[index], old.sections[origin].id != section.id else {
        continue
      }
      violations.append(
        ListViolation(
          .c5, possible.first { $0 == .moveSection(Move(from: origin, to: index)) },
          at: .section(index), .new, identifier: AnyItemID(section.id),
          "The view takes section “\(old.sections[origin].id)” for “\(section.id)”."))
    }
    return violations
  }

  /// C6 and C7: surviving sections have the right item counts, and cells show their items.
  func itemOrder(_ pairing: SectionPairing) -> [ListViolation] {
    var violations: [ListViolation] = []
    var leaving: [Int: Set<Int>] = [:]
    var entering: [Int: [Int: ListOperation]] = [:]
    var reloaded: Set<Int> = []
    for operation in possible {
      if case .reloadSection(let index) = operation { reloaded.insert(index) }
      if case .item(let path) = operation.oldPosition, leaves(operation) {
        leaving[path.section, default: []].insert(path.item)
      }
      if case .item(let path) = operation.newPosition, enters(operation) {
        entering[path.section, default: [:]][path.item] = operation
      }
    }
    for (index, section) in new.sections.enumerated() {
      // A section that is matched with another one is reported once, not for each of its items. A
      // reloaded section is read again.
      guard let origin = pairing.origins[index], old.sections[origin].id == section.id,
        !reloaded.contains(origin)
      else { continue }
      let arrivals = entering[index] ?? [:]
      let departures = leaving[origin] ?? []
      let before = old.sections[origin].items
      let expected = before.count + arrivals.count - departures.count
      if section.items.count != expected {
        violations.append(
          ListViolation(
            .c6, nil, at: .section(index), .new, identifier: AnyItemID(section.id),
            "\(before.count) items + \(arrivals.count) − \(departures.count) make \(expected), "
              + "but the data has \(section.items.count)."))
      }
      var staying = before.indices.filter { !departures.contains($0) }.makeIterator()
      for (place, item) in section.items.enumerated() {
        let arrival = arrivals[place]
        let shown: ItemID? =
          switch arrival {
          case .moveItem(let move): old.sections[move.from.section].items[move.from.item]
          case .none: staying.next().map { before[$0] }
          default: nil
          }
        guard let shown, shown != item,
          !renamed.contains(ItemPath(section: index, item: place))
        else { continue }
        violations.append(
          ListViolation(
            .c7, arrival, at: .item(ItemPath(section: index, item: place)), .new,
            identifier: AnyItemID(item), "The cell of “\(item)” shows “\(shown)”."))
      }
    }
    return violations
  }
}
