/// An order of records: finding sections and their items.
extension OrderTree {
  /// The index of the section that has a key, in an order of records.
  func index(ofSection key: SectionKey, _ table: SectionTable, _ facts: SectionFacts.Place) -> Int?
  {
    // Most lists have few sections; a scan finds them faster than the table does.
    if case .leaf(let leaf)? = root {
      let first = leaf.span.first
      return withExtendedLifetime(leaf) {
        (0..<leaf.count).first { facts.withFacts(ofRecordAt: first, $0) { $0.key == key } }
      }
    }
    guard let label = table.label(of: key), let place = leaf(labelled: label) else { return nil }
    let span = place.leaf.span
    return withExtendedLifetime(place.leaf) {
      (0..<span.count).first { facts.withFacts(ofRecordAt: span.first, $0) { $0.key == key } }
        .map { place.base + $0 }
    }
  }

  /// The paths of the items that equal a given one, ascending, in an order of records.
  ///
  /// Entries of the same leaf are processed once, so an item costs as many comparisons as there are
  /// items of its hash.
  ///
  /// - Parameter forEachEntry: Calls a function with the entries of the hash, until it returns
  ///   `false`.
  func paths(
    ofItem item: UnsafeRawPointer, hash: UInt32, _ sections: SectionTable,
    _ facts: SectionFacts.Place,
    forEachEntry: ((IdentityTable.Entry) -> Bool) -> Void
  ) -> [ItemPath] {
    var found: [ItemPath] = []
    var previous: IdentityTable.Entry?
    var seen: Set<IdentityTable.Entry> = []
    forEachEntry { entry in
      if let previous {
        if entry == previous { return true }
        if seen.isEmpty { seen.insert(previous) }
        if !seen.insert(entry).inserted { return true }
      }
      previous = entry
      guard let section = index(ofSection: entry.section, sections, facts),
        let tree = withElement(at: section, { facts.withFacts(ofRecordAt: $0) { $0.tree } }),
        let place = tree.leaf(labelled: entry.label)
      else { return true }
      var start = 0
      while let offset = place.leaf.offset(of: item, hash: hash, from: start) {
        found.append(ItemPath(section: section, item: place.base + offset))
        start = offset + 1
      }
      return true
    }
    return found.count > 1 ? found.sorted() : found
  }
}
