extension IdentityChanges {
  /// Adds all items of an inserted section, hidden ones included.
  mutating func appendInserts(_ section: SectionFacts) {
    appendInserts(section.itemTree, section: section.key)
    guard section.isOutline else { return }
    section.forEachHiddenHash { hash in
      inserted.append(.init(hash: hash, section: section.key, label: .hidden))
    }
  }

  /// Adds all items of a deleted section, hidden ones included.
  mutating func appendRemoves(_ section: SectionFacts) {
    appendRemoves(section.itemTree, section: section.key)
    guard section.isOutline else { return }
    section.forEachHiddenHash { hash in
      removed.append(.init(hash: hash, section: section.key, label: .hidden))
    }
  }

  /// Adds what an edit did to a section that keeps its key.
  ///
  /// - Complexity: O(d · log n) for d leaves that differ; O(n) if a flat list becomes an outline,
  ///   or an outline a flat list.
  mutating func append<SectionID, ItemID>(
    from old: SectionRecord<SectionID, ItemID>, to new: SectionRecord<SectionID, ItemID>
  ) {
    let visible = LeafDelta(from: old.items.tree.base, to: new.items.tree.base)
    append(visible, section: new.key)
    guard let oldOutline = old.outline?.value, let newOutline = new.outline?.value else {
      old.outline?.value.forEachHiddenHash { hash in
        removed.append(.init(hash: hash, section: old.key, label: .hidden))
      }
      new.outline?.value.forEachHiddenHash { hash in
        inserted.append(.init(hash: hash, section: new.key, label: .hidden))
      }
      return
    }
    var hidden = HiddenEntries()
    let rows = LeafDelta(from: oldOutline.rows.base, to: newOutline.rows.base)
    for leaf in rows.added { hidden.add(leaf, 1) }
    for leaf in rows.removed { hidden.add(leaf, -1) }
    for leaf in visible.added { hidden.add(leaf, -1) }
    for leaf in visible.removed { hidden.add(leaf, 1) }
    append(hidden, section: new.key)
  }

  mutating func append(_ hidden: HiddenEntries, section: SectionKey) {
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
struct HiddenEntries {
  var counts: [UInt32: Int] = [:]

  init() {}

  mutating func add(_ hash: UInt32, _ count: Int) {
    counts[hash, default: 0] += count
  }

  mutating func add(_ leaf: Leaf, _ count: Int) {
    withExtendedLifetime(leaf) { for hash in leaf.span.hashBuffer { add(hash, count) } }
  }
}

extension SectionRecord {
  /// Whether both are flat lists, or both hold equal outlines.
  func hasSameOutline(as other: SectionRecord) -> Bool {
    if outline === other.outline { return true }
    guard let outline, let other = other.outline else { return false }
    return outline.value == other.value
  }
}
