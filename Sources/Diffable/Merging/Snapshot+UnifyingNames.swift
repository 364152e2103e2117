extension Snapshot {
  /// Gives each renamed item the same name on all sides of a merge.
  ///
  /// It is the writer's name, or the others' name if the writer did not rename the item.
  ///
  /// This is the live snapshot. What the writer renamed gets its name here, as by
  /// ``replaceItem(_:with:)``. A rename is skipped if identifiers contradict it: the new name is
  /// taken, or the old one is used again. The merge then treats it as a delete and an insert.
  ///
  /// - Parameters:
  ///   - theirs: The writer's version of the base, with the writer's renames; they are removed.
  ///   - base: The snapshot that both sides started from.
  ///   - others: What others have renamed since.
  /// - Complexity: O(r · log n) for r renames and n items, plus missing lookup tables.
  mutating func unifyNames(
    _ theirs: inout Snapshot, _ base: inout Snapshot, _ others: ItemRenames<ItemID>
  ) {
    let writers = theirs.marks.renames
    theirs.marks.forgetRenames()
    theirs.resolve()
    base.resolve()
    for rename in writers.inOrder where isRename(rename, from: base, to: theirs) {
      let live = others.newName(of: rename.old) ?? rename.old
      // An item that others deleted has no name here, and stays deleted.
      if containsItem(live) {
        guard live == rename.new || !containsItem(rename.new) else { continue }
        let own = ItemRename(old: live, new: rename.new)
        if self.rename(own) { marks.rename([own]) }
      }
      base.rename(rename)
    }
    for rename in others.inOrder where writers.newName(of: rename.old) == nil {
      guard isRename(rename, from: base, to: self), !theirs.containsItem(rename.new) else {
        continue
      }
      theirs.rename(rename)
      base.rename(rename)
    }
  }

  /// Whether a later snapshot has another name for an item, and not the old one.
  private func isRename(
    _ rename: ItemRename<ItemID>, from old: Snapshot, to new: Snapshot
  ) -> Bool {
    old.containsItem(rename.old) && !old.containsItem(rename.new)
      && new.containsItem(rename.new) && !new.containsItem(rename.old)
  }
}
