#if SQLite
/// Why a ``SQLiteFile`` cannot be opened, or did not do what it was asked.
///
/// It names the file and says what is wrong with it. In each case, nothing was overwritten.
public struct SQLiteFileError: Error, Hashable, Sendable {
  /// The path that the program gave.
  public let path: String
  /// What is wrong.
  public let fault: Fault

  init(_ fault: Fault, path: String) {
    (self.path, self.fault) = (path, fault)
  }

  /// What is wrong with a file, or with what it was asked.
  public enum Fault: Error, Hashable, Sendable {
    /// There is no such folder, it is not a path, or access is not allowed.
    case cannotOpen(reason: String)
    /// There is something else than a file at the path.
    ///
    /// - Parameter found: What there is, in words: “a folder”, “a pipe”, “a device”.
    case notAFile(found: String)
    /// The file is no database, or its beginning is damaged.
    case notADatabase
    /// The file is a database of another application.
    ///
    /// - Parameter id: The `application_id` of the file; 0 if it has none.
    case otherApplication(id: Int)
    /// A newer version of this package has made the file.
    ///
    /// - Parameters:
    ///   - found: The version of the format of the file.
    ///   - supported: The newest version that this package reads.
    case newerVersion(found: Int, supported: Int)
    /// Another program has changed the tables of the file, or has added a table, an index, a trigger or a view.
    ///
    /// - Parameter name: The name of the first thing that is not as this package has made it.
    case foreignSchema(name: String)
    /// The file is empty or missing, and the log beside it, whose name ends in `-wal`, has writes.
    ///
    /// Opening the file would destroy them, so it was not opened. Bring back the file that belongs to the log.
    ///
    /// - Parameter bytes: The size of the log.
    case missingBesideLog(bytes: Int)
    /// The file, or the disk that it is on, does not accept writes.
    case readOnly
    /// The disk is full, or the file may not become larger.
    ///
    /// The list goes on as soon as there is space again.
    case full
    /// A change or a state is larger than SQLite or the format allows.
    case tooLarge(reason: String)
    /// Another process has kept the file locked for ``SQLiteFile/Options/timeout``.
    case busy
    /// The file, one of the two beside it, or its folder was moved, deleted or replaced while it was open.
    ///
    /// Open it again.
    case moved
    /// The file is damaged.
    ///
    /// Parts that are not damaged can still be read. Keep a copy of the file before you do anything to it.
    case corrupt(reason: String)
    /// The file system cannot share memory between processes, as network file systems cannot.
    case unsupportedFileSystem
    /// The disk or the operating system has reported an error.
    ///
    /// - Parameters:
    ///   - code: The extended result code of SQLite.
    ///   - reason: What SQLite says about it.
    case failed(code: Int, reason: String)
  }
}

extension SQLiteFileError: CustomStringConvertible {
  /// Sentences that name the file and say what is wrong, and what to do.
  public var description: String { "“\(path)”: \(fault)" }
}

extension SQLiteFileError.Fault: CustomStringConvertible {
  /// Sentences that say what is wrong, and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let reason):
      "The file cannot be opened: \(reason). Look whether it is a file in a folder that exists, and whether "
        + "this user may read and write both."
    case .notAFile(let found):
      "There is \(found) instead of a file. Choose another path."
    case .notADatabase:
      "The file is not a database, or its beginning is damaged. Choose another path, or restore a copy."
    case .otherApplication(let id):
      "The file is a database of another application, "
        + (id == 0 ? "without an identifier" : "with the identifier \(id)")
        + ". Choose another path."
    case .newerVersion(let found, let supported):
      "The file has version \(found) of the format, and this program reads up to \(supported). "
        + "Update the program."
    case .foreignSchema(let name):
      "Another program has added or changed “\(name)” in the file. Undo that, or restore a copy."
    case .missingBesideLog(let bytes):
      "The file is empty or missing, but the log beside it, whose name ends in “-wal”, has \(bytes) bytes of "
        + "writes. Nothing was touched. Bring back the file that belongs to the log, or move the log away to "
        + "begin with an empty list."
    case .readOnly:
      "The file or its disk does not accept writes. Change that, and open the file again."
    case .full:
      "The disk is full, or the file has reached a limit. Make space."
    case .tooLarge(let reason):
      "It does not fit into the file: \(reason)."
    case .busy:
      "Another process keeps the file locked. Try again."
    case .moved:
      "The file, one beside it or its folder was moved or deleted while it was open, or replaced. Open it again."
    case .corrupt(let reason):
      "The file is damaged: \(reason). Keep a copy of it, and restore an older one."
    case .unsupportedFileSystem:
      "The file system cannot share memory between processes. Choose a path on a local disk."
    case .failed(let code, let reason):
      "SQLite failed with code \(code): \(reason). Look at the disk, and at how large a file may be."
    }
  }
}
#endif
