#if SQLite
/// The format of the files.
///
/// One table has the lists, and one each has their entries and their stored states. The key of an entry
/// or a state has the number of the list in its upper bits and the revision in its lower bits. So the
/// entries of a list are next to each other, and a new one is appended to the last page of them.
///
/// SQLite does not notice that bytes of a row were changed. So each row has a checksum. The row of a list
/// has its last revision, so rows that are missing are noticed as well. `AUTOINCREMENT` keeps the number
/// of lists in a table of its own.
enum Format {
  /// `DfLs` in ASCII.
  static let application = 0x4466_4C73
  static let version = 1

  private static let revisionBits = 40

  /// The key of a revision of a list, both of which have one.
  static func key(_ list: Int, _ revision: Int) -> Int64 {
    Int64(list) << revisionBits | Int64(revision)
  }

  /// The revision of a key, which need not be one: any number gives one of ``revisions``.
  static func revision(ofKey key: Int64) -> Int {
    Int(clamping: key & (1 << revisionBits - 1))
  }

  /// The numbers of revisions and of lists that have a key.
  static let revisions = 0..<Int(clamping: 1 << revisionBits as Int64)
  static let lists = 1..<1 << (62 - revisionBits)

  /// What SQLite makes for `AUTOINCREMENT`.
  static let tableOfSequences = "CREATE TABLE sqlite_sequence(name,seq)"
  /// The texts of the tables.
  ///
  /// A file has exactly these, letter by letter.
  static let tables = [
    """
    CREATE TABLE lists (
      number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, epoch TEXT NOT NULL,
      dropped INTEGER NOT NULL, last INTEGER NOT NULL, checksum INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE entries (
      key INTEGER PRIMARY KEY, id TEXT NOT NULL, author TEXT, kind TEXT NOT NULL,
      delta BLOB NOT NULL, checksum INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE states (
      key INTEGER PRIMARY KEY, reset BLOB NOT NULL, checksum INTEGER NOT NULL
    ) STRICT
    """,
  ]
}

extension Database {
  /// Opens the file of lists at a path; makes it if there is none.
  ///
  /// - Throws: An error that says why the file is not one of lists. It was not changed then.
  static func lists(
    at path: String, _ options: SQLiteFile.Options
  ) throws(SQLiteFileError.Fault) -> Database {
    let database = try Database(path: path)
    guard !database.isReadOnly else { throw .readOnly }
    if try database.number("PRAGMA page_count") == 0 { try database.makeTables() }
    try database.transaction("DEFERRED") { () throws(SQLiteFileError.Fault) in
      try database.recognize()
    }
    try database.set(options)
    // Makes SQLite open the log and the shared memory.
    try database.transaction("DEFERRED") { () throws(SQLiteFileError.Fault) in
      try database.recognize()
    }
    database.haveOpened()
    return database
  }

  /// Checks that the file has lists, in a format that is known, and nothing else.
  func recognizeFormat() throws(SQLiteFileError.Fault) {
    let application = try number("PRAGMA application_id")
    guard application == Format.application else { throw .otherApplication(id: application) }
    let version = try number("PRAGMA user_version")
    guard version <= Format.version else {
      throw .newerVersion(found: version, supported: Format.version)
    }
    guard version == Format.version else {
      throw .corrupt(reason: "it says version \(version), which there has not been")
    }
    let tables = try run("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid") {
      row throws(SQLiteFileError.Fault) in
      (type: row.text(0) ?? "", name: row.text(1) ?? "", sql: row.text(2) ?? "")
    }
    // A trigger could delete what was appended, and a view could say something else than its table.
    for found in tables
    where !Format.tables.contains(found.sql) && found.sql != Format.tableOfSequences {
      throw .foreignSchema(name: found.name)
    }
    guard tables.count == Format.tables.count + 1, Set(tables.map(\.sql)).count == tables.count,
      tables.allSatisfy({ $0.type == "table" })
    else { throw .corrupt(reason: "a table is missing, or is there twice") }
  }

  /// Makes the tables in an empty file, unless another process does so.
  ///
  /// Nobody ever sees a file that is half made, not even after the end of the process.
  private func makeTables() throws(SQLiteFileError.Fault) {
    // A transaction that writes from the start has a first page already, and `auto_vacuum` must be
    // said before there is one.
    try transaction("DEFERRED") { () throws(SQLiteFileError.Fault) in
      guard try number("PRAGMA page_count") == 0 else { return }
      // The file shrinks when entries are dropped.
      try run("PRAGMA auto_vacuum = INCREMENTAL")
      for table in Format.tables { try run(table) }
      try run("PRAGMA application_id = \(Format.application)")
      try run("PRAGMA user_version = \(Format.version)")
    }
  }

  private func set(_ options: SQLiteFile.Options) throws(SQLiteFileError.Fault) {
    let mode = try run("PRAGMA journal_mode = WAL") { row throws(SQLiteFileError.Fault) in
      row.text(0)
    }
    guard mode == ["wal"] else { throw .unsupportedFileSystem }
    switch options.synchronous {
    case .full:
      try run("PRAGMA synchronous = FULL")
      // Apple's disks keep what they were told to sync in memory unless they are asked this way.
      try run("PRAGMA fullfsync = ON")
      try run("PRAGMA checkpoint_fullfsync = ON")
    case .normal:
      try run("PRAGMA synchronous = NORMAL")
    }
    _ = try number("PRAGMA journal_size_limit = 1048576")
    try run("PRAGMA cell_size_check = ON")
    try run("PRAGMA trusted_schema = OFF")
  }
}
#endif
