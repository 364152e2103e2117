#if SQLite
import CSQLite

/// What is at a path now.
struct FileOnDisk {
  private let found: csqlite_file

  init(at path: String) {
    found = csqlite_look(path)
  }

  var size: Int { Int(clamping: found.size) }

  func isSame(as other: FileOnDisk) -> Bool {
    found.kind == other.found.kind && found.device == other.found.device
      && found.number == other.found.number
  }

  /// What there is instead of a file, in words; `nil` if there is a file, or nothing.
  var isInstead: String? {
    switch found.kind {
    case 0, 1: nil
    case 2: "a folder"
    case 4: "a pipe (FIFO)"
    case 5: "a socket"
    default: "a device"
    }
  }
}

/// The file of a database and the two beside it, as they were when they were opened.
///
/// SQLite goes on writing to files to which no path leads any more, and to one that was cut. What it
/// acknowledges then is lost. So each transaction looks first.
struct FilesOnDisk {
  private let path: String
  private var file: FileOnDisk
  /// Whether the log had writes before it was opened.
  let hadLog: Bool
  /// The log and the shared memory, with the ends of their names.
  private var companions: [(end: String, file: FileOnDisk)] = []

  /// Looks before SQLite opens anything, since SQLite makes and deletes files when it opens one.
  ///
  /// - Throws: An error if it is not a file, or if opening it would destroy the writes in its log.
  init(beforeOpening path: String) throws(SQLiteFileError.Fault) {
    self.path = path
    // The log first: a process that makes the file fills it before it makes a log.
    let log = FileOnDisk(at: path + "-wal")
    hadLog = log.size > 0
    file = FileOnDisk(at: path)
    if let found = file.isInstead { throw .notAFile(found: found) }
    for end in ["-wal", "-shm", "-journal"] {
      if let found = FileOnDisk(at: path + end).isInstead {
        throw .cannotOpen(reason: "there is \(found) at the path that ends in “\(end)”")
      }
    }
    if file.size == 0, log.size > 0 { throw .missingBesideLog(bytes: log.size) }
  }

  /// Takes over the files that SQLite has opened.
  mutating func haveOpened() {
    file = FileOnDisk(at: path)
    companions = ["-wal", "-shm"].map { ($0, FileOnDisk(at: path + $0)) }
  }

  /// Checks that the paths lead to the same files, and that the file was not emptied.
  ///
  /// - Returns: Whether the file has become shorter since the last call of ``remember()``.
  func check() throws(SQLiteFileError.Fault) -> Bool {
    // While it is being opened it may still be made.
    guard !companions.isEmpty else { return false }
    let now = FileOnDisk(at: path)
    guard now.isSame(as: file) else { throw .moved }
    for (end, known) in companions {
      guard FileOnDisk(at: path + end).isSame(as: known) else { throw .moved }
    }
    guard now.size > 0 else { throw .corrupt(reason: "it was emptied while it was open") }
    return now.size < file.size
  }

  /// Remembers the size that the file has after a transaction.
  mutating func remember() {
    let now = FileOnDisk(at: path)
    if now.isSame(as: file) { file = now }
  }
}
#endif
