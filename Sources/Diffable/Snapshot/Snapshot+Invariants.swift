extension Snapshot {
  /// Checks the numbered invariants of the type, if the `InternalChecks` trait is on.
  func _checkInvariants() {
    #if InternalChecks
    precondition(
      itemCount == records.reduce(0) { $0 + $1.items.count }, "1: number of items")
    precondition(
      sectionTable.count.map { $0 == numberOfSections }
        ?? (numberOfSections <= order.shape.leafCapacity),
      "2: entries of sections")
    precondition(Set(records.map(\.key)).count == numberOfSections, "2: keys are unique")
    for (index, record) in records.enumerated() {
      precondition(indices(ofSection: record.id).contains(index), "2: section is filed")
      precondition(self.index(ofSection: record.key) == index, "2: section is filed by key")
    }
    for record in records {
      guard let outline = record.outline?.value else { continue }
      outline._checkInvariants()
      precondition(record.items.array == outline.visibleItems, "5: visible items")
    }
    guard let itemTable else {
      precondition(resolution != nil, "4: a resolution")
      return
    }
    let hidden = records.reduce(0) {
      $0 + (($1.outline?.value.count ?? $1.items.count) - $1.items.count)
    }
    precondition(itemTable.entries.count == numberOfItems + hidden, "3: entries of items")
    for (section, record) in records.enumerated() {
      record.outline?.value.forEachRow { row, _, isHidden in
        guard isHidden else { return }
        precondition(
          places(ofItem: row.id, hash: row.storedHash).hidden.contains(section),
          "3: hidden item is filed")
      }
    }
    for (section, record) in records.enumerated() {
      guard case .tree(let tree) = record.items else {
        preconditionFailure("3: all sections hold trees")
      }
      for (index, item) in Items(base: .tree(tree)).enumerated() {
        let path = ItemPath(section: section, item: index)
        precondition(
          paths(ofItem: item, hash: item.storedHash).contains(path), "3: item is filed")
      }
    }
    #endif
  }
}
