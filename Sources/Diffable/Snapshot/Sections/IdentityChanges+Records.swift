extension IdentityChanges {
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
}

extension SectionRecord {
  /// Whether both are flat lists, or both hold equal outlines.
  func hasSameOutline(as other: SectionRecord) -> Bool {
    if outline === other.outline { return true }
    guard let outline, let other = other.outline else { return false }
    return outline.value == other.value
  }
}
