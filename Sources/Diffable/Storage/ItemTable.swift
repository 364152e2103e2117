/// Where each item of a snapshot is, and which items may stand twice.
@usableFromInline struct ItemTable: Sendable {
  @usableFromInline var entries: IdentityTable
  /// Entries that met another one of the same hash when they came.
  ///
  /// Every item that stands twice is among them; most often nobody is.
  @usableFromInline var suspects: [IdentityTable.Entry] = []

  /// Creates an empty table with room for some items.
  @usableFromInline init(capacity: Int = 0) {
    entries = IdentityTable(capacity: capacity)
  }

  /// Files all items of a section that has none in the table yet.
  ///
  /// - Complexity: O(n) for n items.
  @inlinable mutating func file<ItemID>(_ tree: ItemTree<ItemID>, section: SectionKey) {
    for leaf in tree.leaves { file(leaf.hashes, section, leaf.label) }
  }

  @usableFromInline mutating func file(
    _ hashes: ContiguousArray<UInt32>, _ section: SectionKey, _ label: LeafLabel
  ) {
    for hash in hashes {
      let entry = IdentityTable.Entry(hash: hash, section: section, label: label)
      if entries.insert(entry) { suspects.append(entry) }
    }
  }

  /// What goes is forgotten before what comes is learnt, or an item that only changed its leaf
  /// would be suspected of standing twice.
  @usableFromInline mutating func apply(_ changes: IdentityChanges) {
    forEachReadAhead(changes.removed) { table, entry in table.entries.remove(entry) }
    forEachReadAhead(changes.inserted) { table, entry in
      if table.entries.insert(entry) { table.suspects.append(entry) }
    }
  }

  /// Calls a function with each entry, after reading the slots of some together.
  private mutating func forEachReadAhead(
    _ changes: [IdentityTable.Entry], _ body: (inout ItemTable, IdentityTable.Entry) -> Void
  ) {
    var hashes: [UInt32] = []
    for start in stride(from: 0, to: changes.count, by: 64) {
      let batch = changes[start..<min(start + 64, changes.count)]
      hashes.removeAll(keepingCapacity: true)
      hashes.append(contentsOf: batch.lazy.map(\.hash))
      entries.readHomes(of: &hashes)
      for entry in batch { body(&self, entry) }
    }
  }

  /// Forgets the suspects, once none of them has turned out to stand twice.
  @usableFromInline mutating func acquit() {
    suspects = []
  }
}
