import RawSQLite

/// What another program does to a file.
enum OtherProgram {
  struct Failed: Error {
    let sql: String
    let code: Int32
  }

  /// Runs statements, and something else before it closes the file.
  static func run(_ sql: String, on path: String, beforeClosing body: () throws -> Void = {}) throws
  {
    var connection: OpaquePointer?
    guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failed(sql: "", code: 0) }
    defer { sqlite3_close(connection) }
    // A log closes its file a moment after it is released.
    sqlite3_busy_timeout(connection, 10_000)
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Failed(sql: sql, code: code) }
    try body()
  }
}
