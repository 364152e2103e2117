#if SQLite
public import Diffable
public import DiffableSync
import Synchronization

/// The log of a list in a ``SQLiteFile``.
///
/// A `ReplicatedSource` over it is a list that outlives its process: opened again, it has its epoch and
/// its last revisions, so clients resume without a reset, and named changes of its author can be undone.
///
/// Several sources, in one process or in several, may write the list.
public final class SQLiteRevisionLog: RevisionLog {
  /// The name of the list.
  public let name: String
  /// The file that the list is in.
  public let file: SQLiteFile

  private let number: Int
  private let opened = Lock<(number: Int, epoch: Epoch)?>(nil)
  private let warnings = Lock<(told: Set<RevisionLogWarning>, new: [RevisionLogWarning])>(([], []))

  init(_ file: SQLiteFile, name: String, number: Int) {
    (self.file, self.name, self.number) = (file, name, number)
  }

  deinit {
    if let list = opened.withLock({ $0?.number }) {
      file.changes.forget(Changes.Reader(list: list, log: number))
    }
  }

  /// The epoch of the list.
  ///
  /// Makes the list if there is none.
  ///
  /// - Complexity: One query. The first call of any function of a log also looks at all n lists of the file, in O(n).
  /// - Throws: `RevisionLogError.rejected(reason:)` if the file is damaged, was moved, or does not take
  ///   writes. `RevisionLogError.notDone(reason:)` if other processes keep it locked for too long, and when
  ///   the task is cancelled. `RevisionLogError.unavailable(reason:)` if the disk fails.
  public func epoch() async throws(RevisionLogError) -> Epoch {
    // A source that could not read asks whether it can again.
    let list = try await open().number
    return try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.reader.epoch(of: list)
    }
  }

  /// The number of the list in the file, and its epoch.
  private func open() async throws(RevisionLogError) -> (number: Int, epoch: Epoch) {
    if let list = opened.withLock({ $0 }) { return list }
    let list = try await file.ask { [file, name] () async throws(SQLiteFileError.Fault) in
      try await file.writer.list(name)
    }
    opened.withLock { $0 = list }
    return list
  }

  /// The last revision of the list.
  ///
  /// - Complexity: One query.
  /// - Throws: As ``epoch()``.
  public func lastRevision() async throws(RevisionLogError) -> Revision? {
    let list = try await open().number
    return try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.reader.lastRevision(of: list)
    }
  }

  // MARK: Entries

  /// Appends entries if the list ends at a revision, in one transaction.
  ///
  /// - Returns: Whether the entries make the next revisions.
  /// - Complexity: One transaction, which waits for the disk once.
  /// - Throws: `RevisionLogError.rejected(reason:)` if the disk is full, and as ``epoch()``. The entries
  ///   were not appended then, and neither were they if the file is locked. They may have been if the disk
  ///   fails.
  public func append(
    _ entries: [LogEntry], after revision: Revision
  ) async throws(RevisionLogError) -> Bool {
    let list = try await open().number
    let end = try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.writer.append(entries, to: list, after: revision)
    }
    switch end {
    case .appended:
      file.changes.append(Changes.Reader(list: list, log: number))
      return true
    case .endsAt(let last) where last < revision:
      throw .unavailable(reason: "the list “\(name)” ends at \(last), before \(revision)")
    case .endsAt:
      return false
    }
  }

  /// The entries that a source does not know; waits until there is one.
  ///
  /// A call that waits is woken at once by another log of the same ``SQLiteFile``, and within
  /// ``SQLiteFile/Options/lookInterval`` by another process, or by an append of this log.
  ///
  /// - Returns: Up to 256 entries or 1 MiB, one entry at least. `LogPage.cut` if the entry of the next
  ///   revision was dropped.
  /// - Complexity: One query for each time that it is woken.
  /// - Throws: As ``epoch()``.
  public func entries(
    after known: @escaping @Sendable () -> Revision
  ) async throws(RevisionLogError) -> LogPage {
    let list = try await open().number
    let reader = Changes.Reader(list: list, log: number)
    while true {
      let count = file.changes.count(reader)
      let revision = known()
      let page = try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
        try await file.reader.page(of: list, after: revision)
      }
      if let page { return page }
      file.look()
      await file.changes.wait(reader, after: count)
    }
  }

  // MARK: States

  /// The newest stored state that is not damaged, or `nil` if there is none.
  ///
  /// - Complexity: O(n) for a state of n bytes.
  /// - Throws: As ``epoch()``.
  public func newestState() async throws(RevisionLogError) -> StoredState? {
    try await state(before: Revision(.max))
  }

  /// The newest stored state before a revision that is not damaged, or `nil` if there is none.
  ///
  /// The file has the newest two states.
  ///
  /// - Complexity: O(n) for a state of n bytes.
  /// - Throws: As ``epoch()``.
  public func state(before revision: Revision) async throws(RevisionLogError) -> StoredState? {
    let list = try await open().number
    let (state, damaged) = try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.reader.state(of: list, before: revision)
    }
    for revision in damaged { warn(ofDamagedState: revision) }
    return state
  }

  /// Whether a source that opens the list now can read all of it.
  ///
  /// - Complexity: O(n) for a state of n bytes.
  /// - Throws: As ``epoch()``.
  public func isComplete() async throws(RevisionLogError) -> Bool {
    let list = try await open().number
    return try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.reader.isComplete(list)
    }
  }

  /// Stores a state, and drops entries that it makes unnecessary.
  ///
  /// The state before the newest one stays. The space of what was dropped goes back to the file system.
  ///
  /// - Parameters:
  ///   - state: The state of a revision.
  ///   - revision: The last revision whose entry may be dropped. Entries after the state stay.
  /// - Complexity: O(n + k) for a state of n bytes and k entries that are dropped.
  /// - Throws: As ``append(_:after:)``.
  public func store(
    _ state: StoredState, droppingEntriesThrough revision: Revision
  ) async throws(RevisionLogError) {
    let list = try await open().number
    try await file.ask { [file] () async throws(SQLiteFileError.Fault) in
      try await file.writer.store(state, of: list, droppingEntriesThrough: revision)
    }
  }

  // MARK: Warnings

  /// The damaged states that were found since the last call.
  public func takeWarnings() -> [RevisionLogWarning] {
    warnings.withLock { warnings in
      defer { warnings.new = [] }
      return warnings.new
    }
  }

  private func warn(ofDamagedState revision: Revision) {
    let warning = RevisionLogWarning(
      "The state of \(revision) of the list “\(name)” is damaged. An older state and the entries after it "
        + "are used. The next stored state replaces it.")
    warnings.withLock { warnings in
      if warnings.told.insert(warning).inserted { warnings.new.append(warning) }
    }
  }
}
#endif
