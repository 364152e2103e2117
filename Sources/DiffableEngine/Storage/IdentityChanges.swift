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

  /// Adds all items of an inserted section.
  package mutating func appendInserts(_ tree: OrderTree, section: SectionKey) {
    tree.root?.forEachLeaf { inserted.append($0, section: section) }
  }

  /// Adds elements that were inserted in a leaf at an offset.
  mutating func appendInserts(
    _ elements: ElementSpan, section: SectionKey, label: LeafLabel, from offset: Int
  ) {
    inserted.reserveCapacity(inserted.count + elements.count)
    for index in 0..<elements.count {
      inserted.append(
        .init(hash: elements.hashes[index], section: section, label: label, hint: offset + index))
    }
  }

  /// Adds all items of a deleted section.
  package mutating func appendRemoves(_ tree: OrderTree, section: SectionKey) {
    tree.root?.forEachLeaf { removed.append($0, section: section) }
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
          insert(other, 0..<other.count, key)
          new.removeFirst()
        }
        if let other = new.first, other.label == leaf.label {
          exchange(leaf, other, key)
          new.removeFirst()
        } else {
          remove(leaf, 0..<leaf.count, key)
        }
      }
      for leaf in new { insert(leaf, 0..<leaf.count, key) }
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
      var (gone, come) = (1, 1)
      for step in 1...8 {
        if i + step < old.count, isSame(i + step, j) {
          (gone, come) = (step, 0)
          break
        }
        if j + step < new.count, isSame(i, j + step) {
          (gone, come) = (0, step)
          break
        }
      }
      remove(oldLeaf, i..<i + gone, key)
      insert(newLeaf, j..<j + come, key)
      (i, j) = (i + gone, j + come)
    }
    remove(oldLeaf, i..<old.count, key)
    insert(newLeaf, j..<new.count, key)
  }

  private mutating func remove(
    _ leaf: Leaf, _ range: Range<Int>, _ key: (UnsafeRawPointer) -> SectionKey
  ) {
    let span = leaf.span
    for index in range {
      removed.append(
        .init(hash: span.hashes[index], section: key(span.address(index)), label: leaf.label))
    }
  }

  private mutating func insert(
    _ leaf: Leaf, _ range: Range<Int>, _ key: (UnsafeRawPointer) -> SectionKey
  ) {
    let span = leaf.span
    for index in range {
      inserted.append(
        .init(
          hash: span.hashes[index], section: key(span.address(index)), label: leaf.label,
          hint: index))
    }
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

/// The entries of adjacent elements of one leaf, each made on demand.
struct LeafEntries<Hashes: RandomAccessCollection>: RandomAccessCollection
where Hashes.Element == UInt32, Hashes.Index == Int {
  let hashes: Hashes
  /// The indices of the elements' hashes.
  let indices: Range<Int>
  /// The index of the hash of the leaf's first element.
  let leafStart: Int
  let section: SectionKey
  let label: LeafLabel

  init(
    _ hashes: Hashes, at indices: Range<Int>, leafStart: Int = 0, section: SectionKey,
    label: LeafLabel
  ) {
    self.hashes = hashes
    self.indices = indices
    self.leafStart = leafStart
    self.section = section
    self.label = label
  }

  var startIndex: Int { indices.lowerBound }
  var endIndex: Int { indices.upperBound }

  subscript(index: Int) -> IdentityTable.Entry {
    IdentityTable.Entry(
      hash: hashes[index], section: section, label: label, hint: index - leafStart)
  }
}

extension LeafEntries where Hashes == UnsafeBufferPointer<UInt32> {
  /// The entries of all elements of a leaf, valid while the leaf is held.
  init(_ leaf: Leaf, section: SectionKey) {
    self.init(
      leaf.span.hashBuffer, at: 0..<leaf.count, section: section, label: leaf.label)
  }
}

extension [IdentityTable.Entry] {
  /// Adds the entries of all elements of a leaf.
  mutating func append(_ leaf: Leaf, section: SectionKey) {
    withExtendedLifetime(leaf) { append(LeafEntries(leaf, section: section)) }
  }

  /// Adds entries of a leaf: often it is one, for which the general append does too much.
  mutating func append<Hashes>(_ entries: LeafEntries<Hashes>) {
    if entries.count == 1 {
      append(entries[entries.startIndex])
    } else {
      append(contentsOf: entries)
    }
  }
}
