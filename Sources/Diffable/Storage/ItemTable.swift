/// Where each item of a snapshot is, and which items may be in it twice.
///
/// The table files hashes, not items, so it never knows that an item is there twice. It knows where
/// that is possible, and the rest is decided with `==`. An edit that brings items follows this
/// rule:
///
/// > Each item that came is a suspect if the table, having followed the edit, has another entry of its
/// > hash.
///
/// So every item that is there twice is equal to a suspect. Let the snapshot hold each item once
/// when the list of suspects is empty. If it holds one twice later, there is an edit after which it
/// first did. One of the two came with that edit, both are filed under the same hash, and so what
/// came is a suspect. Suspects are items and not places, so it does not matter where later edits
/// move them; and one that is alone again by the time of the check is acquitted by the check.
///
/// Which hashes have another entry is answered for little:
///
/// 1. What goes is taken out of the table before what comes is put in. So of all entries of a hash
///    that come, the last one meets another entry exactly if there are several in the end.
/// 2. That finds the hash of each item that came unless the edit also took another item of that hash
///    out of the same place: then the table does not change. Edits that do both name the hashes of all
///    that came, in ``IdentityChanges/exchanged``, and the table is asked for each of them.
struct ItemTable: Sendable {
  var entries: IdentityTable
  /// What came while the table had another entry of its hash; most often nothing.
  var suspects: HashedElements

  /// Creates an empty table with room for some items.
  init(_ kernel: ElementKernel, capacity: Int = 0) {
    entries = IdentityTable(capacity: capacity)
    suspects = HashedElements(kernel)
  }

  /// Files all items of a section that has none in the table yet.
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
  /// - Returns: The hashes of what came that have another entry.
  mutating func apply(_ changes: IdentityChanges) -> Set<UInt32> {
    var met: Set<UInt32> = []
    entries.remove(changes.removed)
    file(changes.inserted, &met)
    for hash in changes.exchanged where entries.holdsSeveral(hash: hash) { met.insert(hash) }
    return met
  }

  /// Adds those of some items that came whose hashes have another entry.
  mutating func suspect(_ items: HashedElements, _ met: Set<UInt32>) {
    withExtendedLifetime(items) {
      let span = items.span
      for index in 0..<span.count where met.contains(span.hashes[index]) {
        suspects.append(span.address(index), hash: span.hashes[index])
      }
    }
  }

  /// Forgets the suspects, once none of them has turned out to be there twice.
  mutating func acquit() {
    guard !suspects.isEmpty else { return }
    suspects = HashedElements(suspects.kernel)
  }
}
