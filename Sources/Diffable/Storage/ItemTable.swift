/// Where each item of a snapshot is, and which items may stand twice.
struct ItemTable: Sendable {
  private(set) var entries = IdentityTable()
  /// Entries that met another one of the same hash when they came.
  ///
  /// Every item that stands twice is among them; most often nobody is.
  private(set) var suspects: [IdentityTable.Entry] = []

  /// What goes is forgotten before what comes is learnt, or an item that only changed its leaf
  /// would be suspected of standing twice.
  mutating func apply(_ changes: IdentityChanges) {
    for entry in changes.removed { entries.remove(entry) }
    for entry in changes.inserted where entries.insert(entry) { suspects.append(entry) }
  }

  /// Forgets the suspects, once none of them has turned out to stand twice.
  mutating func acquit() {
    suspects = []
  }
}
