/// Where each item of a snapshot is, and which items may stand twice.
@usableFromInline struct ItemTable: Sendable {
  @usableFromInline var entries = IdentityTable()
  /// Entries that met another one of the same hash when they came.
  ///
  /// Every item that stands twice is among them; most often nobody is.
  @usableFromInline var suspects: [IdentityTable.Entry] = []

  @inlinable init(entries: IdentityTable = IdentityTable(), suspects: [IdentityTable.Entry] = []) {
    self.entries = entries
    self.suspects = suspects
  }

  /// What goes is forgotten before what comes is learnt, or an item that only changed its leaf
  /// would be suspected of standing twice.
  @usableFromInline mutating func apply(_ changes: IdentityChanges) {
    for entry in changes.removed { entries.remove(entry) }
    for entry in changes.inserted where entries.insert(entry) { suspects.append(entry) }
  }

  /// Forgets the suspects, once none of them has turned out to stand twice.
  @usableFromInline mutating func acquit() {
    suspects = []
  }
}
