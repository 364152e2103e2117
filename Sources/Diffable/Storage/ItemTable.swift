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
    var entries: [IdentityTable.Entry] = []
    entries.reserveCapacity(Swift.min(tree.count, 1024))
    for leaf in tree.leaves {
      if entries.count + leaf.hashes.count > 1024 {
        file(entries)
        entries.removeAll(keepingCapacity: true)
      }
      entries.append(LeafEntries(leaf, section: section))
    }
    file(entries)
  }

  @usableFromInline mutating func file(_ new: [IdentityTable.Entry]) {
    entries.insert(new) { suspects.append($0) }
  }

  /// What goes is forgotten before what comes is learnt, or an item that only changed its leaf
  /// would be suspected of standing twice.
  @usableFromInline mutating func apply(_ changes: IdentityChanges) {
    entries.remove(changes.removed)
    file(changes.inserted)
  }

  /// Forgets the suspects, once none of them has turned out to stand twice.
  @usableFromInline mutating func acquit() {
    suspects = []
  }
}
