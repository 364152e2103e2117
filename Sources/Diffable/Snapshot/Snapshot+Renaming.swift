extension Snapshot {
  /// Gives an item another identifier, and keeps its row.
  ///
  /// For example, a server assigns an identifier to a message that is already in the list. The item
  /// keeps its place and, in an outline, its descendants. When the snapshot is applied, the row is
  /// reconfigured and renamed; it is not deleted and inserted. So the row keeps its view, its
  /// selection, the focus and its place on the screen.
  ///
  /// ```swift
  /// try await source.update { try $0.renameItem(draft, to: message) }
  /// ```
  ///
  /// Marks of the item stay with it. If the old identifier is in the snapshot again when the
  /// snapshot is applied, it names the same item as before, and the new identifier counts as an
  /// inserted item.
  ///
  /// - Parameters:
  ///   - item: The current identifier of the item, visible or hidden.
  ///   - replacement: The new identifier. If it is the same, nothing changes.
  /// - Throws: ``SnapshotError/unknownItem(_:)`` if the item does not exist, and
  ///   ``SnapshotError/duplicateItems(_:)`` if the replacement is. Nothing changes then.
  /// - Complexity: O(log n) for n items, given a good hash.
  public mutating func renameItem(
    _ item: ItemID, to replacement: ItemID
  ) throws(SnapshotError) {
    resolve()
    let old = places(ofItem: item, hash: item.storedHash)
    guard let section = old.visible.first?.section ?? old.hidden.first else {
      throw .unknownItem([AnyItemID(item)])
    }
    guard item != replacement else { return }
    let taken = places(ofItem: replacement, hash: replacement.storedHash)
    guard taken.visible.isEmpty, taken.hidden.isEmpty else {
      throw .duplicateItems([
        .init(
          identifier: AnyItemID(replacement),
          places: (taken.visible + old.visible.prefix(1)).sortedIfNeeded { $0 },
          hiddenPlaces: (taken.hidden.map { hidingPlace(inSectionAt: $0, of: replacement) }
            + (old.visible.isEmpty ? [hidingPlace(inSectionAt: section, of: item)] : [])).sorted())
      ])
    }
    exchange([(item, section, old.visible.first, replacement)])
    marks.rename([ItemRename(old: item, new: replacement)])
  }

  /// Replaces identifiers where they are; in an outline they may pass on to each other.
  ///
  /// - Complexity: O(r · log n) for r of n rows.
  private mutating func exchange(
    _ names: [(item: ItemID, section: Int, path: ItemPath?, name: ItemID)]
  ) {
    var nested: [Int: [(position: Int, name: ItemID)]] = [:]
    for (item, section, path, name) in names {
      if let outline = order[section].outline?.value {
        guard let position = outline.position(of: item) else { continue }
        nested[section, default: []].append((position, name))
      } else if let path {
        removeItems(at: [path.item], inSectionAt: section)
        insert(HashedElements(hashing: ContiguousArray([name]), kernels.items), at: path)
      }
    }
    for (section, names) in nested {
      guard var edited = order[section].outline?.value else { continue }
      for (position, name) in names {
        var row = OutlineRow(id: name, level: 0)
        row.flags = edited.rows[position].flags
        let delta = edited.rows.replaceSubrange(
          position..<position + 1, with: HashedElements(hashing: [row], edited.rows.kernel))
        edited.file(delta)
      }
      edited._checkInvariants()
      exchangeOutline(edited, ofSectionAt: section)
    }
  }

  /// The path of the collapsed row that hides an item in a section.
  private func hidingPlace(inSectionAt section: Int, of item: ItemID) -> ItemPath {
    let outline = order[section].outline?.value
    let place = outline?.position(of: item).flatMap { outline?.visibleCount(before: $0) }
    return ItemPath(section: section, item: (place ?? 1) - 1)
  }

  /// Gives an item another identifier without a mark, if only the old one exists.
  ///
  /// Used on the sides of a merge.
  ///
  /// - Returns: Whether the item was renamed.
  @discardableResult
  mutating func rename(_ rename: ItemRename<ItemID>) -> Bool {
    guard containsItem(rename.old), !containsItem(rename.new) else { return false }
    exchangeNames([rename])
    return true
  }

  /// Gives items other identifiers without a mark, all at once: one may take the name of another.
  ///
  /// Renames of items that do not exist are ignored. No name may be that of an item that keeps it.
  ///
  /// - Complexity: O(r · log n) for r renames and n items.
  mutating func rename(_ renames: [ItemRename<ItemID>]) {
    var byName = IdentifierMap<ItemID, ItemRename<ItemID>>()
    for rename in renames where rename.old != rename.new && containsItem(rename.old) {
      byName[rename.new] = rename
    }
    exchangeNames(byName.elements.map(\.value))
  }

  /// Renames items that may pass their names on to each other.
  private mutating func exchangeNames(_ renames: [ItemRename<ItemID>]) {
    exchange(
      renames.compactMap { rename in
        let places = places(ofItem: rename.old)
        let path = places.visible.first
        guard let section = path?.section ?? places.hidden.first else { return nil }
        return (rename.old, section, path, rename.new)
      })
    marks.follow(renames)
  }

  /// Runs an edit that knows items under the old names of some renames.
  mutating func edit<Result>(
    renamed: [ItemRename<ItemID>], _ body: (inout Snapshot) throws -> Result
  ) throws -> Result {
    try restoreNames(renamed)
    let result = try body(&self)
    try giveNames(renamed)
    return result
  }

  /// Gives renamed items their former names again, for an edit that knows no others.
  mutating func restoreNames(_ renamed: [ItemRename<ItemID>]) throws(SnapshotError) {
    for rename in renamed { try renameItem(rename.new, to: rename.old) }
  }

  /// Gives items back the names that ``restoreNames(_:)`` took from them.
  ///
  /// Together the two leave no record of a rename, except for items that have been renamed in between.
  ///
  /// - Throws: ``SnapshotError/duplicateItems(_:)`` if the name has been used for another item.
  mutating func giveNames(_ renamed: [ItemRename<ItemID>]) throws(SnapshotError) {
    for rename in renamed where containsItem(rename.old) {
      marks.forgetRename(to: rename.old)
      if !self.rename(rename) { try renameItem(rename.old, to: rename.new) }
    }
  }

  /// This snapshot with other identifiers for the items at some paths, without marks.
  ///
  /// - Complexity: O(r · log n) for r of n items.
  func naming(_ names: some Sequence<(path: ItemPath, name: ItemID)>) -> Snapshot {
    var result = self
    result.exchange(
      names.compactMap { path, name in
        itemIdentifier(for: path).map { ($0, path.section, path, name) }
      })
    return result
  }
}
