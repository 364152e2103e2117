extension IdentityChanges {
  /// Adds all items of an inserted section, hidden ones included.
  mutating func appendInserts(_ section: SectionFacts) {
    appendInserts(section.itemTree, section: section.key)
    section.outline?.forEachHiddenHash { hash in
      inserted.append(.init(hash: hash, section: section.key, label: .hidden))
    }
  }

  /// Adds all items of a deleted section, hidden ones included.
  mutating func appendRemoves(_ section: SectionFacts) {
    appendRemoves(section.itemTree, section: section.key)
    section.outline?.forEachHiddenHash { hash in
      removed.append(.init(hash: hash, section: section.key, label: .hidden))
    }
  }

  package mutating func append(_ hidden: HiddenEntries, section: SectionKey) {
    for (hash, count) in hidden.counts where count != 0 {
      let entry = IdentityTable.Entry(hash: hash, section: section, label: .hidden)
      if count > 0 {
        inserted.append(contentsOf: repeatElement(entry, count: count))
      } else {
        removed.append(contentsOf: repeatElement(entry, count: -count))
      }
    }
  }
}

/// Counts, by hash, how many more or fewer items an outline hides.
///
/// Hidden rows are all rows except the visible ones. So the changes follow from the changes of
/// those two, without looking at a row that stays as it is.
package struct HiddenEntries {
  var counts: [UInt32: Int] = [:]

  package init() {}

  package mutating func add(_ hash: UInt32, _ count: Int) {
    counts[hash, default: 0] += count
  }

  package mutating func add(_ leaf: Leaf, _ count: Int) {
    withExtendedLifetime(leaf) { for hash in leaf.span.hashBuffer { add(hash, count) } }
  }
}
