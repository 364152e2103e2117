#if SQLite
import Diffable
import DiffableSync

extension Database {
  /// The largest number of entries and bytes in a page, which has at least one entry.
  static let page = (entries: 256, bytes: 1 << 20)

  /// Appends entries to a list that ends before them.
  func append(_ entries: [LogEntry], to list: ListRow) throws(SQLiteFileError.Fault) {
    var list = list
    guard Format.revisions.contains(list.last + entries.count) else {
      throw .tooLarge(reason: "a list has at most \(Format.revisions.upperBound) revisions")
    }
    for entry in entries {
      list.last += 1
      let key = Format.key(list.number, list.last)
      try run(
        "INSERT INTO entries (key, id, author, kind, delta, checksum) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .integer(key), .text(entry.id.description), .text(entry.author),
          .text(entry.kind.description), .bytes(entry.delta),
          .integer(Self.checksum(key, entry.id.description, entry)),
        ])
    }
    try set(list)
  }

  /// The entries of a list after a revision that it has, one page of them.
  ///
  /// - Throws: ``SQLiteFileError/Fault/corrupt(reason:)`` if one is missing or was changed.
  func entries(of list: ListRow, after revision: Int) throws(SQLiteFileError.Fault) -> [LogEntry] {
    var (entries, bytes): ([LogEntry], Int) = ([], 0)
    try forEach(
      """
      SELECT key, id, author, kind, delta, checksum FROM entries
      WHERE key > ? AND key <= ? ORDER BY key LIMIT \(Self.page.entries)
      """,
      [
        .integer(Format.key(list.number, revision)), .integer(Format.key(list.number, list.last)),
      ]
    ) { row throws(SQLiteFileError.Fault) in
      let next = revision + entries.count + 1
      guard row.integer(0) == Format.key(list.number, next) else { return false }
      let entry = try Self.entry(in: row, at: next, of: list)
      bytes += entry.delta.count
      guard entries.isEmpty || bytes <= Self.page.bytes else { return false }
      entries.append(entry)
      return true
    }
    guard !entries.isEmpty else { throw .missingEntry(revision + 1, of: list) }
    return entries
  }

  private static func entry(
    in row: Row, at revision: Int, of list: ListRow
  ) throws(SQLiteFileError.Fault) -> LogEntry {
    let key = Format.key(list.number, revision)
    let (text, kind) = (row.text(1) ?? "", row.text(3) ?? "")
    guard let id = WriteID(text), let kind = LogEntry.Kind(kind) else {
      throw .missingEntry(revision, of: list)
    }
    let entry = LogEntry(id: id, delta: row.bytes(4), author: row.text(2), kind: kind)
    guard checksum(key, text, entry) == row.integer(5) else {
      throw .missingEntry(revision, of: list)
    }
    return entry
  }

  private static func checksum(_ key: Int64, _ id: String, _ entry: LogEntry) -> Int64 {
    var sum = Checksum()
    sum.add(key)
    sum.add(id)
    sum.add(entry.author)
    sum.add(entry.kind.description)
    sum.add(entry.delta)
    return sum.value
  }
}

extension SQLiteFileError.Fault {
  fileprivate static func missingEntry(_ revision: Int, of list: ListRow) -> SQLiteFileError.Fault {
    let what = "the entry of \(Revision(revision)) of the list “\(list.name)”"
    return .corrupt(reason: "\(what) is missing or was changed")
  }
}
#endif
