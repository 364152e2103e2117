extension Snapshot {
  /// The same state on the storage of another one: what both have in common is shared, and arrays
  /// become trees.
  ///
  /// Both must be free of duplicate sections.
  ///
  /// - Complexity: O(s + n) for s sections and n items in arrays, in comparisons; O(1) where there
  ///   is no array.
  @inlinable func adopted(by live: Snapshot) -> Snapshot {
    var partners: [Record?] = []
    var hasArrays = false
    var isForeign = false
    for (index, record) in records.enumerated() {
      let partner = live.record(of: record.id, near: index)
      partners.append(partner)
      if let partner, partner.key != record.key { isForeign = true }
      if case .array = record.items { hasArrays = true }
    }
    guard hasArrays || isForeign else { return self }
    var keys = live.sectionTable
    var content = LeafContent<Record>()
    for (leaf, offset) in order.leaves.flatMap({ leaf in leaf.elements.indices.map { (leaf, $0) } })
    {
      let record = leaf.elements[offset]
      let partner = partners[content.count]
      content.append(
        Record(
          id: record.id, key: partner?.key ?? keys.makeKey(),
          items: .tree(record.items.tree(adoptedBy: partner, table: live.itemTable?.entries))),
        hash: leaf.hashes[offset])
    }
    var result = Snapshot()
    result.marks = marks
    result.itemCount = itemCount
    result.sectionTable = SectionTable(continuing: keys)
    result.sectionTable.apply(result.order.replaceSubrange(0..<0, with: content))
    return result
  }

  /// The record of a section, which most likely stands at or near an index.
  @inlinable func record(of id: SectionID, near index: Int) -> Record? {
    if index < order.count, case let record = order[index], record.id == id { return record }
    return indexOfSection(id).map { order[$0] }
  }
}

extension SectionItems {
  @inlinable func tree<SectionID>(
    adoptedBy partner: SectionRecord<SectionID, ItemID>?, table: IdentityTable?
  ) -> ItemTree<ItemID> {
    guard case .array(let items) = self, let partner else { return tree }
    return partner.items.tree.adopting(items, table: table, section: partner.key)
  }
}
