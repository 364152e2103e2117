/// The entries that a table has to forget and to learn so that it follows a change of the trees.
///
/// It can be taken back.
struct IdentityChanges: Sendable {
  var removed: [IdentityTable.Entry] = []
  var inserted: [IdentityTable.Entry] = []

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

  var inverse: IdentityChanges {
    IdentityChanges(removed: inserted, inserted: removed)
  }

  /// Adds what an edit did to the order of a section's items.
  mutating func append<Element>(_ delta: LeafDelta<Element>, section: SectionKey) {
    append(delta) { hash, _, label in
      IdentityTable.Entry(hash: hash, section: section, label: label)
    }
  }

  /// Adds all items of a section that comes.
  mutating func appendInserts<Element>(_ tree: OrderTree<Element>, section: SectionKey) {
    for leaf in tree.leaves {
      for hash in leaf.hashes {
        inserted.append(.init(hash: hash, section: section, label: leaf.label))
      }
    }
  }

  /// Adds all items of a section that goes.
  mutating func appendRemoves<Element>(_ tree: OrderTree<Element>, section: SectionKey) {
    for leaf in tree.leaves {
      for hash in leaf.hashes {
        removed.append(.init(hash: hash, section: section, label: leaf.label))
      }
    }
  }

  /// Adds what an edit did to the leaves of a tree, whose elements give entries of any kind.
  ///
  /// Two leaves with the same label are mostly equal: what they have in common at either end, and a
  /// few elements past each difference, is found by comparing entries.
  mutating func append<Element>(
    _ delta: LeafDelta<Element>,
    entry: (UInt32, Element, LeafLabel) -> IdentityTable.Entry
  ) {
    func entries(_ leaf: Leaf<Element>) -> [IdentityTable.Entry] {
      leaf.elements.indices.map { entry(leaf.hashes[$0], leaf.elements[$0], leaf.label) }
    }
    var new = delta.added[...]
    for leaf in delta.removed {
      while let other = new.first, other.label < leaf.label {
        inserted.append(contentsOf: entries(other))
        new.removeFirst()
      }
      if let other = new.first, other.label == leaf.label {
        append(entries(leaf), entries(other))
        new.removeFirst()
      } else {
        removed.append(contentsOf: entries(leaf))
      }
    }
    for leaf in new { inserted.append(contentsOf: entries(leaf)) }
  }

  private mutating func append(_ old: [IdentityTable.Entry], _ new: [IdentityTable.Entry]) {
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      if old[i] == new[j] {
        (i, j) = (i + 1, j + 1)
        continue
      }
      let ahead = (1...8).first { step in
        (i + step < old.count && old[i + step] == new[j])
          || (j + step < new.count && old[i] == new[j + step])
      }
      if let ahead, i + ahead < old.count, old[i + ahead] == new[j] {
        removed.append(contentsOf: old[i..<i + ahead])
        i += ahead
      } else if let ahead {
        inserted.append(contentsOf: new[j..<j + ahead])
        j += ahead
      } else {
        removed.append(old[i])
        inserted.append(new[j])
        (i, j) = (i + 1, j + 1)
      }
    }
    removed.append(contentsOf: old[i...])
    inserted.append(contentsOf: new[j...])
  }
}
