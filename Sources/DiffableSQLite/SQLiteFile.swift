#if SQLite
import Diffable
import DiffableSync
import Synchronization

/// A file with lists that outlive their process.
///
/// ```swift
/// let file = try await SQLiteFile(path: "board.lists")
/// let board = try await ReplicatedSource<ModelBatch<String, Card>>(file.log("board")) {
///   try Array(JSONEncoder().encode($0))
/// } decode: {
///   try JSONDecoder().decode(ModelDelta.self, from: Data($0))
/// }
/// ```
///
/// A file has one list or several, each with a name. Each list is a ``SQLiteRevisionLog``. Open a file
/// once in a process, and take all logs from it: then readers are woken as soon as something is written.
/// Other processes of the machine may open the same file, and are woken within
/// ``Options/lookInterval``.
///
/// The file has a write-ahead log next to it, whose name ends in `-wal`, and shared memory, `-shm`, while
/// it is open. Do not move, copy or delete one without the others. Put it on a local disk.
///
/// The file closes soon after the last reference to it, to its logs and to their sources is gone. Who closes it
/// last writes what is in the log into the file, and deletes the log.
public final class SQLiteFile: Sendable {
  /// The path that the file was opened at.
  public let path: String

  let options: Options
  let changes = Changes()
  let writer: Connection
  let reader: Connection
  private let failureHandler: @Sendable (SQLiteFileError) -> Void
  private let state = Lock((lastLog: 0, isLooking: false))

  /// Opens a file, and makes it if there is none.
  ///
  /// A file that is not recognised is left as it is.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its folder must exist.
  ///   - options: How safe writes are, and how long calls wait.
  ///   - failure: Receives each ``SQLiteFileError`` of a later call, for programs that act on one. The
  ///     source that made the call receives it as a `RevisionLogError`, as text.
  /// - Throws: Why the file cannot be opened. ``SQLiteFileError/Fault/busy`` if the task is cancelled.
  public init(
    path: String, options: Options = Options(),
    failure: @escaping @Sendable (SQLiteFileError) -> Void = { _ in }
  ) async throws(SQLiteFileError) {
    (self.path, self.options, failureHandler) = (path, options, failure)
    writer = Connection(path: path, options: options, label: "SQLiteFile.writer")
    reader = Connection(path: path, options: options, label: "SQLiteFile.reader")
    try await waiting { [writer] () async throws(SQLiteFileError.Fault) in try await writer.begin()
    }
    try await waiting { [reader] () async throws(SQLiteFileError.Fault) in try await reader.begin()
    }
  }

  /// The log of a list in the file.
  ///
  /// The first call of a function of the log makes the list if there is none. Each log is a way to the
  /// list for one source. Create one log for each source.
  ///
  /// - Parameter name: The name of the list: any text.
  public func log(_ name: String) -> SQLiteRevisionLog {
    let number = state.withLock { state in
      state.lastLog += 1
      return state.lastLog
    }
    return SQLiteRevisionLog(self, name: name, number: number)
  }

  /// The names of the lists in the file, in order.
  ///
  /// - Complexity: O(n) for n lists.
  /// - Throws: What is wrong with the file. ``SQLiteFileError/Fault/busy`` if the task is cancelled.
  public func names() async throws(SQLiteFileError) -> [String] {
    try await waiting { [reader] () async throws(SQLiteFileError.Fault) in try await reader.names()
    }
  }

  /// Asks again while another process keeps the file locked.
  private func waiting<Answer: Sendable>(
    _ ask: () async throws(SQLiteFileError.Fault) -> Answer
  ) async throws(SQLiteFileError) -> Answer {
    let clock = ContinuousClock()
    let end = clock.now + options.timeout
    while true {
      do throws(SQLiteFileError.Fault) {
        return try await ask()
      } catch {
        let named = SQLiteFileError(error, path: path)
        guard error == .busy, clock.now < end else { throw named }
        // Of random length, so that writers do not keep coming at the same time.
        let pause = Duration.microseconds(Int.random(in: 500...3000))
        guard (try? await clock.sleep(for: pause)) != nil else { throw named }
      }
    }
  }

  /// Asks for a log, and reports what goes wrong.
  func ask<Answer: Sendable>(
    _ ask: () async throws(SQLiteFileError.Fault) -> Answer
  ) async throws(RevisionLogError) -> Answer {
    guard !Task.isCancelled else { throw .taskWasCancelled }
    do throws(SQLiteFileError) {
      return try await waiting(ask)
    } catch {
      // Who has asked hears the truth all the same: whether anything was changed.
      if !Task.isCancelled { failureHandler(error) }
      throw RevisionLogError(error)
    }
  }

  /// Looks now and then whether another process has changed the file, or has moved it away, as long as the
  /// file is open.
  func look() {
    let isFirst = state.withLock { state in
      defer { state.isLooking = true }
      return !state.isLooking
    }
    guard isFirst else { return }
    // Nothing holds the file between two looks.
    reader.keepLooking(every: min(options.lookInterval, .seconds(1))) { [weak self] in
      guard let self else { return false }
      if changes.isAwaited, reader.assumeIsolated({ (try? $0.hasChanged()) ?? true }) {
        // A reader that asks again receives the error, if there is one.
        changes.find()
      }
      return true
    }
  }
}

extension RevisionLogError {
  static let taskWasCancelled = notDone(reason: "the task was cancelled")

  /// What an error of the file means for a log.
  init(_ error: SQLiteFileError) {
    switch error.fault {
    case .busy: self = .notDone(reason: error.description)
    // It may be that of the last step of a write, and then a later process may find the write.
    case .failed: self = .unavailable(reason: error.description)
    case .cannotOpen, .notAFile, .notADatabase, .otherApplication, .newerVersion, .foreignSchema,
      .missingBesideLog, .readOnly, .full, .tooLarge, .moved, .corrupt, .unsupportedFileSystem:
      self = .rejected(reason: error.description)
    }
  }
}
#endif
