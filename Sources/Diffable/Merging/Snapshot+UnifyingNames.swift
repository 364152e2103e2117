extension Snapshot {
  /// What a merge does with the names of renamed items.
  package struct UnifiedNames {
    /// By the names that the writer uses: the names in the result, where they differ.
    var names = ItemRenames<ItemID>()
    /// The renames of the writer that others prevent.
    var conflicts: [MergeConflict<SectionID, ItemID>] = []
  }

  /// An item of the base, by its names on the sides of a merge.
  private struct NamedItem {
    let base: ItemID
    let theirs: ItemID
    /// The name in the live state; `nil` if it does not have the item.
    let live: ItemID?
    /// The name on all sides.
    let name: ItemID
    /// Whether others prevent the name that the writer gave.
    var isRefused = false
  }

  /// Gives each renamed item the same name on all sides of a merge.
  ///
  /// It is the writer's name, or the others' name if the writer did not rename the item.
  ///
  /// This is the live snapshot. What the writer renamed gets its name here, as by
  /// ``replaceItem(_:with:)``. If others have used that name for another item meanwhile, the item
  /// keeps its name on all sides, and that is a conflict. Names may have been passed on: if others
  /// renamed `a` to `b` and then `c` to `a`, the live `a` is the item that the base calls `c`.
  ///
  /// A rename of the writer is skipped if the writer's identifiers contradict it, and any rename is
  /// skipped if its name is that of another item on one side. The merge then treats it as a delete and
  /// an insert.
  ///
  /// - Parameters:
  ///   - theirs: The writer's version of the base, with the writer's renames; they are removed.
  ///   - base: The snapshot that both sides started from.
  ///   - others: What others have renamed since.
  /// - Complexity: O(r · log n) for r renames and n items, plus missing lookup tables. If names were
  ///   passed on, that times the number of items in such a chain.
  mutating func unifyNames(
    _ theirs: inout Snapshot, _ base: inout Snapshot, _ others: ItemRenames<ItemID>
  ) -> UnifiedNames {
    let writers = theirs.marks.renames
    theirs.marks.forgetRenames()
    theirs.resolve()
    base.resolve()
    var items = itemsRenamed(by: writers, theirs, base, others)
    let own = IdentifierSet(items.lazy.map(\.base))
    items += itemsRenamed(by: others, base).filter { !own.contains($0.base) }
    items = Self.keepingFreeNames(items, theirs, base)

    for item in items {
      guard let live = item.live, live != item.name else { continue }
      let rename = ItemRename(old: live, new: item.name)
      if self.rename(rename) { marks.rename([rename]) }
    }
    var unified = UnifiedNames()
    let renamed = items.filter { theirs.containsItem($0.theirs) }
      .map { ItemRename(old: $0.theirs, new: $0.name) }
    theirs.rename(renamed)
    base.rename(items.map { ItemRename(old: $0.base, new: $0.name) })
    unified.names.formUnion(renamed)
    unified.conflicts = items.lazy.filter(\.isRefused).map { .item($0.name, .renamedButTaken) }
    return unified
  }

  /// The items that the writer renamed.
  private func itemsRenamed(
    by writers: ItemRenames<ItemID>, _ theirs: Snapshot, _ base: Snapshot,
    _ others: ItemRenames<ItemID>
  ) -> [NamedItem] {
    writers.inOrder.compactMap { rename in
      // An identifier that both snapshots of the writer have names the same item.
      guard base.containsItem(rename.old), !base.containsItem(rename.new),
        theirs.containsItem(rename.new), !theirs.containsItem(rename.old)
      else { return nil }
      let live = liveName(of: rename.old, others)
      let isTaken = live != rename.new && containsItem(rename.new)
      let name = isTaken ? live ?? unusedName(of: rename.old, others) : rename.new
      return name.map { name in
        NamedItem(
          base: rename.old, theirs: rename.new, live: live, name: name,
          isRefused: isTaken && live != nil)
      }
    }
  }

  /// The items that others renamed, and those whose names they used again.
  private func itemsRenamed(by others: ItemRenames<ItemID>, _ base: Snapshot) -> [NamedItem] {
    others.inOrder.flatMap { rename in
      var items: [NamedItem] = []
      if base.containsItem(rename.old) {
        items.append(
          NamedItem(
            base: rename.old, theirs: rename.old, live: liveName(of: rename.old, others),
            name: rename.new))
      }
      if base.containsItem(rename.new), others.newName(of: rename.new) == nil,
        let name = unusedName(of: rename.new, others)
      {
        // The item that had the name was deleted before.
        items.append(NamedItem(base: rename.new, theirs: rename.new, live: nil, name: name))
      }
      return items
    }
  }

  /// The name of an item of the base here; `nil` if others have deleted it.
  private func liveName(of item: ItemID, _ others: ItemRenames<ItemID>) -> ItemID? {
    // A name that was given to another item was free.
    let name = others.newName(of: item) ?? (others.oldName(of: item) == nil ? item : nil)
    return name.flatMap { containsItem($0) ? $0 : nil }
  }

  /// The name of an item that others have deleted; if another item has that name now, the name that was
  /// given up for it.
  private func unusedName(of item: ItemID, _ others: ItemRenames<ItemID>) -> ItemID? {
    var name = item
    while let former = others.oldName(of: name), former != item { name = former }
    return containsItem(name) ? nil : name
  }

  /// The items that can have their names on all sides.
  private static func keepingFreeNames(
    _ items: [NamedItem], _ theirs: Snapshot, _ base: Snapshot
  ) -> [NamedItem] {
    var kept = items
    while true {
      let givenUp = (
        theirs: IdentifierSet(kept.lazy.filter { $0.theirs != $0.name }.map(\.theirs)),
        base: IdentifierSet(kept.lazy.filter { $0.base != $0.name }.map(\.base))
      )
      let free = kept.filter { item in
        func isFree(_ name: ItemID, _ side: Snapshot, _ givenUp: IdentifierSet<ItemID>) -> Bool {
          name == item.name || !side.containsItem(item.name) || givenUp.contains(item.name)
        }
        return isFree(item.theirs, theirs, givenUp.theirs) && isFree(item.base, base, givenUp.base)
      }
      if free.count == kept.count { return kept }
      kept = free
    }
  }
}
