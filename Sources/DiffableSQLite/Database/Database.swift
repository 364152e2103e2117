#if SQLite
import CSQLite
import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection to a database file, with the statements that were prepared for it.
///
/// It is not sendable: an actor owns it.
final class Database {
  /// A value of a column.
  enum Value {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func integer(_ number: Int) -> Value { .integer(Int64(number)) }
    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
  }

  /// The row that a statement is at.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String? {
      sqlite3_column_text(statement, column).map { text in
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
      }
    }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let blob = sqlite3_column_blob(statement, column) else { return [] }
      let count = Int(sqlite3_column_bytes(statement, column))
      return [UInt8](UnsafeRawBufferPointer(start: blob, count: count))
    }
  }

  /// Where files are closed, one connection after the other: of two that close at the same time, neither would know
  /// that it is the last, and write the log into the file.
  static let closingQueue = DispatchQueue(label: "SQLiteFile.closing")

  /// Where this one is closed, since that waits for the disk, and the last reference may go on any thread; `nil`
  /// for at once.
  var closingQueue: DispatchQueue?

  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  /// The path as SQLite takes it, from the root: the program may change its folder later.
  private var files: FilesOnDisk
  /// The version of the schema that was recognised.
  private var schema: Int?

  /// Opens a file, and makes an empty one if there is none.
  init(path: String) throws(SQLiteFileError.Fault) {
    // SQLite takes some names for something else than paths.
    let isSpecial = path.hasPrefix(":") || path.hasPrefix("file:")
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotOpen(reason: "“\(path)” is not a path")
    }
    let place = isSpecial ? "./" + path : path
    files = try FilesOnDisk(beforeOpening: place)
    var opened: OpaquePointer?
    // The actor lets in one task at a time, so SQLite needs no lock.
    let code = sqlite3_open_v2(
      place, &opened,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened else { throw .cannotOpen(reason: "there is no memory") }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw Self.failure(code, of: opened)
    }
    connection = opened
    sqlite3_extended_result_codes(opened, 1)
    csqlite_ignore_triggers(opened)
    if let root = sqlite3_db_filename(opened, "main") {
      files = try FilesOnDisk(beforeOpening: String(cString: root))
    }
  }

  deinit {
    let statements = statements.values.map { UInt(bitPattern: $0) }
    let isStrange = schema == nil && files.hadLog
    let close = { @Sendable [connection = UInt(bitPattern: connection), files] in
      for statement in statements { sqlite3_finalize(OpaquePointer(bitPattern: statement)) }
      guard let connection = OpaquePointer(bitPattern: connection) else { return }
      // Closing the last connection deletes the log, which may be that of another file by now, or has what
      // another program has written.
      if isStrange || (try? files.check()) != false { csqlite_leave_files_on_close(connection) }
      sqlite3_close_v2(connection)
    }
    if let closingQueue { closingQueue.async(execute: close) } else { close() }
  }

  var isReadOnly: Bool { sqlite3_db_readonly(connection, "main") == 1 }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Remembers which files SQLite has opened.
  func haveOpened() { files.haveOpened() }

  /// Remembers the size that the file has now.
  func haveChangedSize() { files.remember() }

  /// Checks that what is written now can be found later.
  ///
  /// - Returns: Whether the file has become shorter since the last transaction.
  func checkFiles() throws(SQLiteFileError.Fault) -> Bool { try files.check() }

  /// Runs a statement, and passes on its rows until the closure returns `false`.
  func forEach(
    _ sql: String, _ values: [Value] = [], _ body: (Row) throws(SQLiteFileError.Fault) -> Bool
  ) throws(SQLiteFileError.Fault) {
    let statement = try statement(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(Self.bind(value, to: statement, at: Int32(index + 1)))
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_DONE: return
      case SQLITE_ROW: guard try body(Row(statement: statement)) else { return }
      case let code: throw Self.failure(code, of: connection)
      }
    }
  }

  /// Runs a statement, and reads all its rows.
  func run<Result>(
    _ sql: String, _ values: [Value] = [], _ read: (Row) throws(SQLiteFileError.Fault) -> Result
  ) throws(SQLiteFileError.Fault) -> [Result] {
    var results: [Result] = []
    try forEach(sql, values) { row throws(SQLiteFileError.Fault) in
      results.append(try read(row))
      return true
    }
    return results
  }

  /// Runs a statement without rows.
  func run(_ sql: String, _ values: [Value] = []) throws(SQLiteFileError.Fault) {
    try forEach(sql, values) { _ throws(SQLiteFileError.Fault) in true }
  }

  /// The first column of the first row of a statement, as a number.
  func number(_ sql: String) throws(SQLiteFileError.Fault) -> Int {
    Int(clamping: try run(sql) { row throws(SQLiteFileError.Fault) in row.integer(0) }.first ?? 0)
  }

  /// Runs a closure in a transaction, which is rolled back if the closure or the commit throws.
  ///
  /// - Parameter kind: `DEFERRED` to read one state of the file, `IMMEDIATE` to write.
  func transaction<Result>(
    _ kind: String, _ body: () throws(SQLiteFileError.Fault) -> Result
  ) throws(SQLiteFileError.Fault) -> Result {
    let isShorter = try files.check()
    try run("BEGIN \(kind)")
    do throws(SQLiteFileError.Fault) {
      // Triggers, views and tables that have come meanwhile.
      if let schema, try number("PRAGMA schema_version") != schema { try recognize() }
      if isShorter { try checkPages() }
      let result = try body()
      try run("COMMIT")
      files.remember()
      return result
    } catch {
      // SQLite has rolled back some errors itself.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Checks all pages, since the file has become shorter.
  ///
  /// It does so by itself as well, when entries were dropped.
  private func checkPages() throws(SQLiteFileError.Fault) {
    // What is in memory says nothing about the disk.
    try run("PRAGMA shrink_memory")
    let found = try run("PRAGMA quick_check(1)") { row throws(SQLiteFileError.Fault) in row.text(0)
    }
    guard found == ["ok"] else { throw .corrupt(reason: "its end was cut off") }
  }

  /// Checks that the file has lists, in a format that is known.
  func recognize() throws(SQLiteFileError.Fault) {
    try recognizeFormat()
    schema = try number("PRAGMA schema_version")
  }

  private func statement(_ sql: String) throws(SQLiteFileError.Fault) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var prepared: OpaquePointer?
    try check(
      sqlite3_prepare_v3(
        connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared else { throw .failed(code: 0, reason: "an empty statement") }
    statements[sql] = prepared
    return prepared
  }

  private static func bind(
    _ value: Value, to statement: OpaquePointer, at index: Int32
  ) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(let text):
      var text = text
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
        }
      }
    case .bytes(let bytes):
      return bytes.withUnsafeBytes {
        csqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  private func check(_ code: Int32) throws(SQLiteFileError.Fault) {
    if code != SQLITE_OK { throw Self.failure(code, of: connection) }
  }

  /// What a result code means for this package.
  private static func failure(_ code: Int32, of connection: OpaquePointer) -> SQLiteFileError.Fault
  {
    let extended = sqlite3_extended_errcode(connection)
    var reason = String(cString: sqlite3_errmsg(connection))
    let number = sqlite3_system_errno(connection)
    if code & 0xFF == SQLITE_CANTOPEN, number != 0, let text = strerror(number) {
      reason += " (\(String(cString: text)))"
    }
    return switch code & 0xFF {
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen(reason: reason)
    case SQLITE_NOTADB: .notADatabase
    // SQLITE_READONLY_DBMOVED
    case SQLITE_READONLY: extended == SQLITE_READONLY | 4 << 8 ? .moved : .readOnly
    case SQLITE_FULL: .full
    // SQLITE_IOERR_SHMSIZE: there is no space for the file of the shared memory.
    case SQLITE_IOERR where extended == SQLITE_IOERR | 19 << 8: .full
    // SQLITE_IOERR_WRITE: a limit of the file or of the user, which SQLite does not tell apart. The last
    // page of a change is not there then, so the change counts as never made.
    case SQLITE_IOERR where extended == SQLITE_IOERR | 3 << 8: .full
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    // The statements are those of this package: if one makes no sense, the schema was changed.
    case SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT,
      SQLITE_SCHEMA, SQLITE_RANGE:
      .corrupt(reason: reason)
    case SQLITE_TOOBIG: .tooLarge(reason: reason)
    default: .failed(code: Int(extended), reason: reason)
    }
  }
}
#endif
