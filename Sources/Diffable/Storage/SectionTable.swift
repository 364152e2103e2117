/// Where each section of a snapshot is: by identifier, and by the key that the item table uses.
@usableFromInline struct SectionTable: Sendable {
  @usableFromInline var byIdentifier = IdentityTable()
  @usableFromInline var byKey = IdentityTable()
  /// Entries that met another one of the same hash when they came, as in ``ItemTable``.
  @usableFromInline var suspects: [IdentityTable.Entry] = []
  @usableFromInline var nextKey: UInt32 = 0

  @inlinable init() {}

  /// An empty table that makes other keys than the given one did.
  @inlinable init(continuing other: SectionTable) {
    nextKey = other.nextKey
  }

  /// A key that no section of this version has.
  @inlinable mutating func makeKey() -> SectionKey {
    repeat { nextKey &+= 1 } while label(of: SectionKey(rawValue: nextKey)) != nil
    return SectionKey(rawValue: nextKey)
  }

  /// The label of the leaf that holds a section.
  ///
  /// Expected O(1).
  @inlinable func label(of key: SectionKey) -> LeafLabel? {
    var label: LeafLabel?
    byKey.forEachEntry(hash: key.storedHash) { entry in
      guard entry.section == key else { return true }
      label = entry.label
      return false
    }
    return label
  }

  @inlinable mutating func apply<SectionID, ItemID>(
    _ delta: LeafDelta<SectionRecord<SectionID, ItemID>>
  ) {
    var changes = IdentityChanges()
    changes.append(delta, key: { $0.key })
    for entry in changes.removed {
      byIdentifier.remove(entry)
      byKey.remove(entry.keyed)
    }
    for entry in changes.inserted {
      if byIdentifier.insert(entry) { suspects.append(entry) }
      byKey.insert(entry.keyed)
    }
  }

  @inlinable mutating func acquit() {
    suspects = []
  }
}

extension IdentityTable.Entry {
  /// The same section, filed under its key.
  @inlinable var keyed: IdentityTable.Entry {
    IdentityTable.Entry(hash: section.storedHash, section: section, label: label)
  }
}
