/// The place of each item of a snapshot, and the items that may appear twice.
///
/// The table files hashes, not items, so it never knows that an item appears twice. It knows where
/// that is possible; then `==` decides. An edit that inserts items follows this rule:
///
/// > Each inserted item is a possible duplicate if the table, after following the edit, has another
/// > entry of its hash.
///
/// So every item that appears twice equals a possible duplicate. Proof: assume that the snapshot has
/// each item once when the list of possible duplicates is empty. If it later has an item twice,
/// there is a first edit after which it does. That edit inserted one of the two; both are filed
/// under the same hash, so the inserted one is a possible duplicate. The list has items and not
/// places, so it does not matter where later edits move them. If an item of the list is there only
/// once when the list is checked, the check removes it.
///
/// It is cheap to find the hashes with another entry:
///
/// 1. Deleted items are removed from the table before inserted items are added. So the last added
///    entry of a hash meets another entry if and only if there are several in the end.
/// 2. That finds the hash of each inserted item, unless the edit also deleted another item of that
///    hash at the same place: then the table does not change. Edits that do both list the hashes of
///    all inserted items in ``IdentityChanges/exchanged``, and each of them is looked up in the
///    table.
package struct ItemTable: Sendable {
  private struct Contents: Sendable {
    var entries: IdentityTable
    var possibleDuplicates: HashedElements
  }

  /// Copied with every snapshot, so it is one reference.
  private var contents: CopyOnWrite<Contents>

  /// Creates an empty table with room for some items.
  package init(_ kernel: ElementKernel, capacity: Int = 0) {
    contents = CopyOnWrite(
      Contents(
        entries: IdentityTable(capacity: capacity), possibleDuplicates: HashedElements(kernel)))
  }

  package var entries: IdentityTable {
    _read { yield contents.value.entries }
    _modify { yield &contents.value.entries }
  }

  /// Items that were inserted while the table had another entry of their hash; mostly none.
  package var possibleDuplicates: HashedElements {
    _read { yield contents.value.possibleDuplicates }
    _modify { yield &contents.value.possibleDuplicates }
  }

  /// Files all items of a section that is not in the table yet.
  ///
  /// - Parameter met: Receives the hashes that have another entry.
  /// - Complexity: O(n) for n items.
  mutating func file(_ tree: OrderTree, section: SectionKey, _ met: inout Set<UInt32>) {
    var entries: [IdentityTable.Entry] = []
    entries.reserveCapacity(Swift.min(tree.count, 1024))
    tree.root?.forEachLeaf { leaf in
      if entries.count + leaf.count > 1024 {
        file(entries, &met)
        entries.removeAll(keepingCapacity: true)
      }
      entries.append(leaf, section: section)
    }
    file(entries, &met)
  }

  mutating func file(_ new: [IdentityTable.Entry], _ met: inout Set<UInt32>) {
    entries.insert(new) { met.insert($0.hash) }
  }

  /// Follows an edit.
  ///
  /// - Returns: The hashes of inserted items that have another entry.
  package mutating func apply(_ changes: IdentityChanges) -> Set<UInt32> {
    var met: Set<UInt32> = []
    if !changes.removed.isEmpty { entries.remove(changes.removed) }
    entries.insert(changes.inserted) { met.insert($0.hash) }
    for hash in changes.exchanged where entries.holdsSeveral(hash: hash) { met.insert(hash) }
    return met
  }

  /// Notes the inserted items whose hashes have another entry.
  mutating func notePossibleDuplicates(_ items: HashedElements, _ met: Set<UInt32>) {
    let span = items.span
    withExtendedLifetime(items) {
      HashFilter(Array(met)).forEachCandidate(in: span.hashBuffer) { index in
        guard met.contains(span.hashes[index]) else { return }
        possibleDuplicates.append(span.address(index), hash: span.hashes[index])
      }
    }
  }

  /// Clears the possible duplicates, once none has turned out to appear twice.
  package mutating func forgetPossibleDuplicates() {
    guard !possibleDuplicates.isEmpty else { return }
    possibleDuplicates = HashedElements(possibleDuplicates.kernel)
  }
}

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
  package init(from old: borrowing OrderTree, to new: borrowing OrderTree) {
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

/// A value behind one reference.
///
/// A struct that has many references takes long to copy. Copies of this one share the value until
/// one of them is written to.
///
/// It may be shared between threads as an array may: code that writes to the value holds the only
/// reference, and code that shares it only reads.
@usableFromInline package struct CopyOnWrite<Value: Sendable>: @unchecked Sendable {
  @usableFromInline var storage: ManagedBuffer<Value, Never>

  @inlinable package init(_ value: Value) {
    storage = Self.store(value)
  }

  @inlinable static func store(_ value: Value) -> ManagedBuffer<Value, Never> {
    .create(minimumCapacity: 0) { _ in value }
  }

  @inlinable package var value: Value {
    _read {
      defer { withExtendedLifetime(storage) {} }
      yield place.pointee
    }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Self.store(value) }
      defer { withExtendedLifetime(storage) {} }
      yield &place.pointee
    }
  }

  /// Reads a part of the value; reading it through ``value`` may copy all of it first.
  @inlinable @inline(__always)
  package func read<Part>(_ part: (UnsafePointer<Value>) -> Part) -> Part {
    withExtendedLifetime(storage) { part(UnsafePointer(place)) }
  }

  /// The place of the value, valid while the storage is held.
  ///
  /// Access through the class would be checked for exclusivity, which access to the box already is.
  @inlinable var place: UnsafeMutablePointer<Value> {
    storage.withUnsafeMutablePointerToHeader { $0 }
  }
}

extension CopyOnWrite: CustomReflectable {
  /// The mirror of the value, so that printed values show what is in the box.
  @usableFromInline package var customMirror: Mirror { Mirror(reflecting: value) }
}
