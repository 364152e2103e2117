/// An order of records: finding items.
extension OrderTree {
  /// The paths of the items that equal a given one, ascending, in an order of records.
  ///
  /// Entries of the same leaf are processed once, so an item costs as many comparisons as there are
  /// items of its hash.
  ///
  /// - Parameter forEachEntry: Calls a function with the entries of the hash, until it returns
  ///   `false`.
  package func paths(
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
      guard let section = sections.index(of: entry.section, in: self, facts),
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
