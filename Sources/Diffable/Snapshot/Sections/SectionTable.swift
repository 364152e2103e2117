/// Where each section of a snapshot is: by identifier, and by the key that the item table uses.
struct SectionTable: Sendable {
  var byIdentifier = IdentityTable()
  var byKey = IdentityTable()
  /// Entries that met another entry of the same hash when they were added, as in ``ItemTable``.
  var suspects: [IdentityTable.Entry] = []
  var nextKey: UInt32 = 0

  init() {}

  /// Creates an empty table whose keys differ from those of another table.
  init(continuing other: SectionTable) {
    nextKey = other.nextKey
  }

  /// A key that no section of this version has.
  mutating func makeKey() -> SectionKey {
    repeat { nextKey &+= 1 } while label(of: SectionKey(rawValue: nextKey)) != nil
    return SectionKey(rawValue: nextKey)
  }

  /// The label of the leaf that holds a section.
  ///
  /// Expected O(1).
  func label(of key: SectionKey) -> LeafLabel? {
    var label: LeafLabel?
    byKey.forEachEntry(hash: key.tableHash) { entry in
      guard entry.section == key else { return true }
      label = entry.label
      return false
    }
    return label
  }

  /// Follows an edit of the order of sections.
  ///
  /// - Parameter facts: Where the records of the order store their facts.
  mutating func apply(_ delta: LeafDelta, _ facts: SectionFacts.Place) {
    var changes = IdentityChanges()
    changes.append(delta) { facts.withFacts(ofRecordAt: $0) { $0.key } }
    byIdentifier.remove(changes.removed)
    byKey.remove(changes.removed.map(\.keyed))
    byIdentifier.insert(changes.inserted) { suspects.append($0) }
    byKey.insert(changes.inserted.map(\.keyed)) { _ in }
  }

  mutating func acquit() {
    if !suspects.isEmpty { suspects = [] }
  }
}

extension IdentityTable.Entry {
  /// The same section, filed under its key.
  var keyed: IdentityTable.Entry {
    IdentityTable.Entry(hash: section.tableHash, section: section, label: label)
  }
}
