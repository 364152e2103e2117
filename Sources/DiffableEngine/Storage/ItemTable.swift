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
    entries.remove(changes.removed)
    file(changes.inserted, &met)
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
