#if SQLite
/// Why a ``SQLiteFile`` cannot be opened, or did not do what it was asked.
///
/// In each case, nothing was overwritten.
public enum SQLiteFileError: Error, Hashable, Sendable {
  /// There is no such folder, the path is one, or access is not allowed.
  case cannotOpen(reason: String)
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
  /// The file, or the disk that it is on, does not accept writes.
  case readOnly
  /// The disk is full.
  ///
  /// The list goes on as soon as there is space again.
  case full
  /// A change or a state is larger than SQLite or the format allows.
  case tooLarge(reason: String)
  /// Another process has kept the file locked for ``SQLiteFile/Options/timeout``.
  case busy
  /// The file was moved or deleted while it was open. Open it again.
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

extension SQLiteFileError: CustomStringConvertible {
  /// Sentences that say what is wrong, and what to do.
  public var description: String {
    switch self {
    case .cannotOpen(let reason):
      "The file cannot be opened: \(reason). Look whether it is a file in a folder that exists, and whether "
        + "this user may read and write both."
    case .notADatabase:
      "The file is not a database, or its beginning is damaged. Choose another path, or restore a copy."
    case .otherApplication(let id):
      "The file is a database of another application, "
        + (id == 0 ? "without an identifier" : "with the identifier \(id)")
        + ". Choose another path."
    case .newerVersion(let found, let supported):
      "The file has version \(found) of the format, and this program reads up to \(supported). "
        + "Update the program."
    case .readOnly:
      "The file or its disk does not accept writes. Change that, and open the file again."
    case .full:
      "The disk is full. Make space."
    case .tooLarge(let reason):
      "It does not fit into the file: \(reason)."
    case .busy:
      "Another process keeps the file locked. Try again."
    case .moved:
      "The file was moved or deleted while it was open. Open it again."
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
