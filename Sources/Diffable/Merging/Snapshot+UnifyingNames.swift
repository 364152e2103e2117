extension Snapshot {
  /// What a merge does with the names of renamed items.
  package struct UnifiedNames {
    /// By the names that the writer uses: the names in the result, where they differ.
    var names = ItemRenames<ItemID>()
    /// The renames of the writer that others prevent.
    var conflicts: [MergeConflict<SectionID, ItemID>] = []
  }

  /// Gives each renamed item the same name on all sides of a merge.
  ///
  /// It is the writer's name, or the others' name if the writer did not rename the item.
  ///
  /// This is the live snapshot. What the writer renamed gets its name here, as by
  /// ``replaceItem(_:with:)``. If others have used that name for another item meanwhile, the item
  /// keeps its name on all sides, and that is a conflict. A rename is skipped if the identifiers of one
  /// side contradict it. The merge then treats it as a delete and an insert.
  ///
  /// - Parameters:
  ///   - theirs: The writer's version of the base, with the writer's renames; they are removed.
  ///   - base: The snapshot that both sides started from.
  ///   - others: What others have renamed since.
  /// - Complexity: O(r · log n) for r renames and n items, plus missing lookup tables.
  mutating func unifyNames(
    _ theirs: inout Snapshot, _ base: inout Snapshot, _ others: ItemRenames<ItemID>
  ) -> UnifiedNames {
    var unified = UnifiedNames()
    theirs.resolve()
    base.resolve()
    // What counts is which rows have another name now than in the base.
    let own = theirs.marks.renames.to(stateWhere: theirs.containsItem)
      .from(stateWhere: base.containsItem)
    let others = others.to(stateWhere: containsItem).from(stateWhere: base.containsItem)
    theirs.marks.forgetRenames()
    for rename in own.inOrder {
      let live = others.newName(of: rename.old) ?? rename.old
      guard containsItem(live), live != rename.new, containsItem(rename.new) else {
        // An item that others deleted has no name here, and stays deleted.
        let own = ItemRename(old: live, new: rename.new)
        if live != rename.new, self.rename(own) { marks.rename([own]) }
        base.rename(rename)
        continue
      }
      let back = ItemRename(old: rename.new, new: live)
      guard theirs.rename(back) else { continue }
      base.rename(ItemRename(old: rename.old, new: live))
      unified.names.formUnion([back])
      unified.conflicts.append(.item(live, .renamedButTaken))
    }
    for rename in others.inOrder
    where own.newName(of: rename.old) == nil && !theirs.containsItem(rename.new) {
      if theirs.rename(rename) { unified.names.formUnion([rename]) }
      base.rename(rename)
    }
    return unified
  }
}
