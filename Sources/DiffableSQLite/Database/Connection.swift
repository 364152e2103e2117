#if SQLite
import Diffable
import DiffableSync

/// A connection to a file of lists, on a queue of its own.
///
/// Each function is one transaction, and none of them suspends.
actor Connection {
  /// What became of an append.
  enum Append: Sendable {
    case appended
    /// The list ends at another revision.
    case endsAt(Revision)
  }

  private let executor: QueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let path: String
  private let options: SQLiteFile.Options
  private var database: Database?
  /// The last revisions of the lists that were read.
  private var ends: [Int: Int] = [:]
  /// The version of the file at the last look.
  private var version = 0

  init(path: String, options: SQLiteFile.Options, label: String) {
    (self.path, self.options) = (path, options)
    executor = QueueExecutor(label)
  }

  /// The open database; the first call opens it.
  private func open() throws(SQLiteFileError.Fault) -> Database {
    if let database { return database }
    let opened = try Database.lists(at: path, options)
    opened.closingQueue = Database.closingQueue
    database = opened
    return opened
  }

  /// Opens the file, unless it is open.
  func begin() throws(SQLiteFileError.Fault) {
    _ = try open()
  }

  /// Calls a function at intervals until it returns `false`, on the queue of this connection.
  nonisolated func keepLooking(
    every interval: Duration, _ body: @escaping @Sendable () -> Bool
  ) {
    executor.keepCalling(body, every: interval)
  }

  /// Whether another connection has changed the file since the last call; the first call returns `true`.
  ///
  /// - Throws: Also ``SQLiteFileError/Fault/moved`` if the file is no longer where it was.
  func hasChanged() throws(SQLiteFileError.Fault) -> Bool {
    let database = try open()
    let isShorter = try database.checkFiles()
    let found = try database.number("PRAGMA data_version")
    defer { version = found }
    return found != version || isShorter
  }

  /// The names of the lists, in order.
  func names() throws(SQLiteFileError.Fault) -> [String] {
    try read { database throws(SQLiteFileError.Fault) in try database.lists().map(\.name).sorted() }
  }

  /// The number and the epoch of a list, which is made if there is none.
  func list(_ name: String) throws(SQLiteFileError.Fault) -> (number: Int, epoch: Epoch) {
    var found = try read { database throws(SQLiteFileError.Fault) in
      try database.lists().first { $0.name == name }
    }
    if found == nil {
      found = try write { database throws(SQLiteFileError.Fault) in
        // Another process may have made it meanwhile.
        let lists = try database.lists()
        if let list = lists.first(where: { $0.name == name }) { return list }
        let list = ListRow(
          number: lists.count + 1, name: name, epoch: Epoch(), dropped: 0, last: 0)
        guard Format.lists.contains(list.number) else {
          throw .tooLarge(reason: "a file has at most \(Format.lists.upperBound) lists")
        }
        try database.add(list)
        return list
      }
    }
    guard let found else { throw .corrupt(reason: "a new list is gone") }
    return (found.number, found.epoch)
  }

  /// Appends entries if a list ends at a revision.
  func append(
    _ entries: [LogEntry], to number: Int, after revision: Revision
  ) throws(SQLiteFileError.Fault) -> Append {
    try write { database throws(SQLiteFileError.Fault) in
      let list = try database.list(number)
      guard list.last == revision.number else { return .endsAt(Revision(list.last)) }
      try database.append(entries, to: list)
      return .appended
    }
  }

  /// What a list has after a revision; `nil` if that is its last one, or a later one.
  func page(
    of number: Int, after revision: Revision
  ) throws(SQLiteFileError.Fault) -> LogPage? {
    try read { database throws(SQLiteFileError.Fault) in
      let list = try database.list(number)
      guard revision.number >= list.dropped else { return .cut }
      try remember(list)
      guard revision.number < list.last else { return nil }
      return .entries(
        try database.entries(of: list, after: revision.number), after: revision)
    }
  }

  /// Remembers where a list ends, so that an older file is noticed that was copied over this one.
  private func remember(_ list: ListRow) throws(SQLiteFileError.Fault) {
    let known = ends[list.number] ?? 0
    guard list.last >= known else {
      throw .corrupt(
        reason:
          "the list “\(list.name)” ends at \(Revision(list.last)), and has had \(Revision(known)): "
          + "somebody has put an older file in its place")
    }
    ends[list.number] = list.last
  }

  /// The last revision of a list.
  func lastRevision(of number: Int) throws(SQLiteFileError.Fault) -> Revision {
    try read { database throws(SQLiteFileError.Fault) in Revision(try database.list(number).last) }
  }

  /// Checks that the file has a list, and returns its epoch.
  func epoch(of number: Int) throws(SQLiteFileError.Fault) -> Epoch {
    try read { database throws(SQLiteFileError.Fault) in try database.list(number).epoch }
  }

  /// The newest state of a list before a revision that was not changed, and the damaged ones after it.
  ///
  /// - Throws: ``SQLiteFileError/Fault/corrupt(reason:)`` if entries were dropped and no state replaces them.
  func state(
    of number: Int, before revision: Revision
  ) throws(SQLiteFileError.Fault) -> (state: StoredState?, damaged: [Revision]) {
    try read { database throws(SQLiteFileError.Fault) in
      let list = try database.list(number)
      let found = try database.state(of: list, before: revision.number)
      guard revision.number <= list.last || found.state?.revision.number ?? 0 >= list.dropped else {
        throw .corrupt(
          reason: "the list “\(list.name)” has no readable state from \(Revision(list.dropped)) "
            + "on, and the entries before that were dropped")
      }
      return found
    }
  }

  /// Whether the newest state and the entries after it lead to the end of a list.
  func isComplete(_ number: Int) throws(SQLiteFileError.Fault) -> Bool {
    try read { database throws(SQLiteFileError.Fault) in
      let list = try database.list(number)
      let state = try database.state(of: list, before: .max).state
      return state?.revision.number ?? 0 >= list.dropped
    }
  }

  /// Stores a state of a list, and drops entries.
  func store(
    _ state: StoredState, of number: Int, droppingEntriesThrough revision: Revision
  ) throws(SQLiteFileError.Fault) {
    try write { database throws(SQLiteFileError.Fault) in
      let list = try database.list(number)
      guard (0...list.last).contains(state.revision.number) else {
        throw .tooLarge(reason: "the list ends before \(state.revision)")
      }
      try database.store(state, of: list)
      try database.drop(through: min(revision, state.revision).number, of: list)
    }
    // What is free now goes back to the file system.
    let database = try open()
    try database.run("PRAGMA incremental_vacuum")
    try database.run("PRAGMA wal_checkpoint(PASSIVE)")
    database.haveChangedSize()
  }

  private func read<Result>(
    _ body: (Database) throws(SQLiteFileError.Fault) -> Result
  ) throws(SQLiteFileError.Fault) -> Result {
    let database = try open()
    return try database.transaction("DEFERRED") { () throws(SQLiteFileError.Fault) in
      try body(database)
    }
  }

  private func write<Result>(
    _ body: (Database) throws(SQLiteFileError.Fault) -> Result
  ) throws(SQLiteFileError.Fault) -> Result {
    let database = try open()
    return try database.transaction("IMMEDIATE") { () throws(SQLiteFileError.Fault) in
      try body(database)
    }
  }
}
#endif
