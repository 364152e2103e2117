extension Snapshot {
  /// Gives each item that somebody renamed the same name on all sides of a merge: the writer's, or else
  /// that of others.
  ///
  /// This is the live snapshot, where what the writer renamed gets its name, as by
  /// ``replaceItem(_:with:)``. A rename that identifiers contradict, because the new name is taken or
  /// the old one used again, is left alone: the merge sees an item that has gone and one that has come
  /// then.
  ///
  /// - Parameters:
  ///   - theirs: What the writer made of the base, with what the writer renamed; afterwards without.
  ///   - base: What both sides started from.
  ///   - others: What others renamed since.
  /// - Complexity: O(r · log n) for r renames and n items, besides lookup tables that are missing.
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

  /// Whether an item of one snapshot has another name in a later one, where the old one is not used.
  private func isRename(
    _ rename: ItemRename<ItemID>, from old: Snapshot, to new: Snapshot
  ) -> Bool {
    old.containsItem(rename.old) && !old.containsItem(rename.new)
      && new.containsItem(rename.new) && !new.containsItem(rename.old)
  }
}
