/// The entries that a table has to forget and to learn so that it follows a change of the trees.
///
/// It can be taken back.
@usableFromInline struct IdentityChanges: Sendable {
  @usableFromInline var removed: [IdentityTable.Entry] = []
  @usableFromInline var inserted: [IdentityTable.Entry] = []
  /// The hashes of elements that may have come without an entry of their own.
  ///
  /// An entry names a hash and a place, not an element. Where one element goes and another of the same
  /// hash comes to its place, the table stays as it is, and neither list above names the hash.
  @usableFromInline var exchanged: ContiguousArray<UInt32> = []

  @inlinable init(removed: [IdentityTable.Entry] = [], inserted: [IdentityTable.Entry] = []) {
    self.removed = removed
    self.inserted = inserted
  }

  @inlinable var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && exchanged.isEmpty }

  @inlinable var inverse: IdentityChanges {
    IdentityChanges(removed: inserted, inserted: removed)
  }

  /// Adds other changes.
  @inlinable mutating func append(_ other: IdentityChanges) {
    if isEmpty { return self = other }
    removed.append(contentsOf: other.removed)
    inserted.append(contentsOf: other.inserted)
    exchanged.append(contentsOf: other.exchanged)
  }

  /// Adds what an edit did to the order of a section's items.
  @inlinable mutating func append<Element>(_ delta: LeafDelta<Element>, section: SectionKey) {
    append(delta) { _ in section }
  }

  /// Adds all items of a section that comes.
  @inlinable mutating func appendInserts<ItemID>(_ tree: ItemTree<ItemID>, section: SectionKey) {
    for leaf in tree.leaves {
      inserted.append(LeafEntries(leaf, section: section))
    }
  }

  /// Adds all items of a section that goes.
  @inlinable mutating func appendRemoves<ItemID>(_ tree: ItemTree<ItemID>, section: SectionKey) {
    for leaf in tree.leaves {
      removed.append(LeafEntries(leaf, section: section))
    }
  }

  /// Adds what an edit did to the leaves of a tree, whose elements are filed under any key.
  ///
  /// Two leaves with the same label are mostly equal, so only what parts them is named. They are
  /// compared by hash: an edit that takes elements out and puts others in says itself which hashes are
  /// ``exchanged``.
  @inlinable mutating func append<Element>(
    _ delta: LeafDelta<Element>, key: (Element) -> SectionKey
  ) {
    var new = delta.added[...]
    for leaf in delta.removed {
      while let other = new.first, other.label < leaf.label {
        insert(other, 0..<other.hashes.count, key)
        new.removeFirst()
      }
      if let other = new.first, other.label == leaf.label {
        exchange(leaf, other, key)
        new.removeFirst()
      } else {
        remove(leaf, 0..<leaf.hashes.count, key)
      }
    }
    for leaf in new { insert(leaf, 0..<leaf.hashes.count, key) }
  }

  @inlinable mutating func exchange<Element>(
    _ old: Leaf<Element>, _ new: Leaf<Element>, _ key: (Element) -> SectionKey
  ) {
    let (oldHashes, newHashes) = (old.hashes, new.hashes)
    func isSame(_ i: Int, _ j: Int) -> Bool {
      oldHashes[i] == newHashes[j] && key(old.elements[i]) == key(new.elements[j])
    }
    var (i, j) = (0, 0)
    while i < oldHashes.count, j < newHashes.count {
      if isSame(i, j) {
        (i, j) = (i + 1, j + 1)
        continue
      }
      var (gone, come) = (1, 1)
      for step in 1...8 {
        if i + step < oldHashes.count, isSame(i + step, j) {
          (gone, come) = (step, 0)
          break
        }
        if j + step < newHashes.count, isSame(i, j + step) {
          (gone, come) = (0, step)
          break
        }
      }
      remove(old, i..<i + gone, key)
      insert(new, j..<j + come, key)
      (i, j) = (i + gone, j + come)
    }
    remove(old, i..<oldHashes.count, key)
    insert(new, j..<newHashes.count, key)
  }

  @inlinable mutating func remove<Element>(
    _ leaf: Leaf<Element>, _ range: Range<Int>, _ key: (Element) -> SectionKey
  ) {
    for index in range {
      removed.append(
        .init(hash: leaf.hashes[index], section: key(leaf.elements[index]), label: leaf.label))
    }
  }

  @inlinable mutating func insert<Element>(
    _ leaf: Leaf<Element>, _ range: Range<Int>, _ key: (Element) -> SectionKey
  ) {
    for index in range {
      inserted.append(
        .init(
          hash: leaf.hashes[index], section: key(leaf.elements[index]), label: leaf.label,
          hint: index))
    }
  }
}

extension IdentityChanges? {
  /// Adds other changes; if either are unknown, so is what both amount to.
  @inlinable mutating func append(_ other: IdentityChanges?) {
    guard let other else { return self = nil }
    self?.append(other)
  }
}
