#if SQLite
import Diffable
import DiffableSync

extension Database {
  /// The newest state of a list before a revision that was not changed, and the damaged ones after it.
  func state(
    of list: ListRow, before revision: Int
  ) throws(SQLiteFileError.Fault) -> (state: StoredState?, damaged: [Revision]) {
    var (state, damaged): (StoredState?, [Revision]) = (nil, [])
    try forEach(
      """
      SELECT key, reset, checksum FROM states WHERE key >= ? AND key < ? ORDER BY key DESC
      """,
      [
        .integer(Format.key(list.number, 0)),
        .integer(Format.key(list.number, min(max(revision, 0), list.last + 1))),
      ]
    ) { row throws(SQLiteFileError.Fault) in
      let key = row.integer(0)
      let found = StoredState(
        revision: Revision(Format.revision(ofKey: key)), reset: row.bytes(1))
      guard Self.checksum(key, found) == row.integer(2) else {
        damaged.append(found.revision)
        return true
      }
      state = found
      return false
    }
    return (state, damaged)
  }

  /// Stores a state of a list if it is newer than all others; keeps the one before.
  func store(_ state: StoredState, of list: ListRow) throws(SQLiteFileError.Fault) {
    let first = Format.key(list.number, 0)
    let key = Format.key(list.number, state.revision.number)
    let known = try run(
      "SELECT key, checksum, reset FROM states WHERE key >= ? AND key <= ? ORDER BY key DESC",
      [.integer(first), .integer(Format.key(list.number, list.last))]
    ) { row throws(SQLiteFileError.Fault) in
      let key = row.integer(0)
      let found = StoredState(
        revision: Revision(Format.revision(ofKey: key)), reset: row.bytes(2))
      return (key: key, isDamaged: Self.checksum(key, found) != row.integer(1))
    }
    let whole = known.filter { !$0.isDamaged }.map(\.key)
    guard key > whole.first ?? first else { return }
    for state in known where state.key != whole.first {
      try run("DELETE FROM states WHERE key = ?", [.integer(state.key)])
    }
    try run(
      "INSERT INTO states (key, reset, checksum) VALUES (?, ?, ?)",
      [.integer(key), .bytes(state.reset), .integer(Self.checksum(key, state))])
  }

  /// Drops the entries of a list through a revision.
  func drop(through revision: Int, of list: ListRow) throws(SQLiteFileError.Fault) {
    guard revision > list.dropped else { return }
    var list = list
    list.dropped = min(revision, list.last)
    try run(
      "DELETE FROM entries WHERE key >= ? AND key <= ?",
      [
        .integer(Format.key(list.number, 0)), .integer(Format.key(list.number, list.dropped)),
      ])
    try set(list)
  }

  private static func checksum(_ key: Int64, _ state: StoredState) -> Int64 {
    var sum = Checksum()
    sum.add(key)
    sum.add(state.reset)
    return sum.value
  }
}
#endif
