/// The entries to remove from a table and to add to it, to follow a change of the trees.
///
/// The changes can be reversed.
package struct IdentityChanges: Sendable {
  package var removed: [IdentityTable.Entry] = []
  package var inserted: [IdentityTable.Entry] = []
  /// The hashes of inserted elements that may not have an entry of their own.
  ///
  /// An entry has a hash and a place, not an element. If one element is deleted and another of the
  /// same hash is inserted in its place, the table does not change, and neither list above has the
  /// hash.
  package var exchanged: ContiguousArray<UInt32> = []

  package init(removed: [IdentityTable.Entry] = [], inserted: [IdentityTable.Entry] = []) {
    self.removed = removed
    self.inserted = inserted
  }

  /// The changes of an edit of the order of a section's items.
  package init(_ delta: LeafDelta, section: SectionKey) {
    self.init()
    append(delta, section: section)
  }

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && exchanged.isEmpty }

  package var inverse: IdentityChanges {
    IdentityChanges(removed: inserted, inserted: removed)
  }

  /// Adds other changes.
  mutating func append(_ other: IdentityChanges) {
    if isEmpty { return self = other }
    removed.append(contentsOf: other.removed)
    inserted.append(contentsOf: other.inserted)
    exchanged.append(contentsOf: other.exchanged)
  }

  /// Adds the changes of an edit of the order of a section's items.
  package mutating func append(_ delta: LeafDelta, section: SectionKey) {
    append(delta) { _ in section }
  }

  /// Adds the changes of an edit of the leaves of a tree, whose elements are filed under any key.
  ///
  /// Two leaves with the same label are mostly equal, so only their differences are listed. They
  /// are compared by hash: an edit that removes elements and inserts others lists itself which
  /// hashes are ``exchanged``.
  ///
  /// - Parameter key: The key of the element at an address.
  mutating func append(_ delta: LeafDelta, key: (UnsafeRawPointer) -> SectionKey) {
    withExtendedLifetime(delta) {
      var new = delta.added[...]
      for leaf in delta.removed {
        while let other = new.first, other.label < leaf.label {
          inserted.append(other, 0..<other.count, key)
          new.removeFirst()
        }
        if let other = new.first, other.label == leaf.label {
          exchange(leaf, other, key)
          new.removeFirst()
        } else {
          removed.append(leaf, 0..<leaf.count, key)
        }
      }
      for leaf in new { inserted.append(leaf, 0..<leaf.count, key) }
    }
  }

  private mutating func exchange(
    _ oldLeaf: Leaf, _ newLeaf: Leaf, _ key: (UnsafeRawPointer) -> SectionKey
  ) {
    let (old, new) = (oldLeaf.span, newLeaf.span)
    func isSame(_ i: Int, _ j: Int) -> Bool {
      old.hashes[i] == new.hashes[j] && key(old.address(i)) == key(new.address(j))
    }
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if isSame(i, j) {
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (gone, come) =
        nextMatch(within: 8, old: old.count - i, new: new.count - j) { isSame(i + $0, j + $1) }
        ?? (1, 1)
      removed.append(oldLeaf, i..<i + gone, key)
      inserted.append(newLeaf, j..<j + come, key)
      (i, j) = (i + gone, j + come)
    }
    removed.append(oldLeaf, i..<old.count, key)
    inserted.append(newLeaf, j..<new.count, key)
  }
}

extension IdentityChanges? {
  /// Adds other changes; if either are unknown, so is the result.
  mutating func append(_ other: IdentityChanges?) {
    guard let other else { return self = nil }
    self?.append(other)
  }
}

/// The leaves that a change removed from a tree and added to it, each in ascending order of labels.
///
/// That is all that an index needs to follow: it maps each element to the label of its leaf.
package struct LeafDelta: Sendable {
  package var removed: [Leaf] = []
  package var added: [Leaf] = []

  package init(removed: [Leaf] = [], added: [Leaf] = []) {
    self.removed = removed
    self.added = added
  }
}

extension LeafDelta {
  /// The leaves that are only in one of two related trees.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ.
  package init(from old: OrderTree, to new: OrderTree) {
    self.init()
    var delta = LeafDelta()
    LeafWindows.forEach(old: old, new: new) { stretch in
      guard case .changed(let window) = stretch else { return }
      delta.append(window)
    }
    self = delta
  }

  mutating func append(_ window: LeafWindows.Window) {
    removed.append(contentsOf: window.old.lazy.compactMap { $0.leaf })
    added.append(contentsOf: window.new.lazy.compactMap { $0.leaf })
  }
}

extension [IdentityTable.Entry] {
  /// Adds the entries of all elements of a leaf.
  mutating func append(_ leaf: Leaf, section: SectionKey) {
    withExtendedLifetime(leaf) {
      append(leaf.span.hashBuffer, section: section, label: leaf.label)
    }
  }

  /// Adds the entries of adjacent elements of a leaf, given their hashes.
  ///
  /// - Parameter offset: The offset of the first of them in the leaf.
  mutating func append(
    _ hashes: UnsafeBufferPointer<UInt32>, section: SectionKey, label: LeafLabel,
    from offset: Int = 0
  ) {
    for index in hashes.indices {
      append(.init(hash: hashes[index], section: section, label: label, hint: offset + index))
    }
  }

  /// Adds the entries of some elements of a leaf, which are filed under any key.
  fileprivate mutating func append(
    _ leaf: Leaf, _ range: Range<Int>, _ key: (UnsafeRawPointer) -> SectionKey
  ) {
    let span = leaf.span
    for index in range {
      append(
        .init(
          hash: span.hashes[index], section: key(span.address(index)), label: leaf.label,
          hint: index))
    }
  }
}
