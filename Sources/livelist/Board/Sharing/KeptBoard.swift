#if SQLite
import Diffable
import DiffableSQLite
import DiffableSync
import Foundation

/// A board in a file, which outlives the process.
typealias KeptBoard = ReplicatedSource<BoardBatch>

extension KeptBoard {
  /// Opens the board in a file.
  ///
  /// - Parameters:
  ///   - fill: Puts columns and cards on a new board.
  ///   - failure: Receives a few words that say why the file cannot be used.
  static func open(
    _ path: String, _ fill: @escaping @Sendable (inout BoardBatch.Draft) throws -> Void,
    failure: @escaping @Sendable (_ words: String) -> Void = { _ in }
  ) async throws -> KeptBoard {
    let file = try await SQLiteFile(path: path) { failure($0.fault.words) }
    var options = ReplicationOptions()
    // A page that was offline for a while knows an old state.
    (options.source.history, options.revisionsPerState) = (1_000, 1_000)
    let board = try await KeptBoard(
      file.log("board"), options: options, mergeHandler: BoardCard.merged
    ) { delta in
      try delta.json { try Array(JSONEncoder().encode($0)) }
    } decode: {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
    try await board.update { draft in
      // Another process may have been first.
      if draft.snapshot.numberOfSections == 0 { try fill(&draft) }
    }
    return board
  }
}

extension SQLiteFileError.Fault {
  /// What is wrong with the file of a board, for the person at the terminal.
  fileprivate var words: String {
    switch self {
    case .full: "the disk is full"
    case .busy: "another program keeps the file locked"
    case .moved: "the file was moved or deleted"
    case .readOnly: "the file cannot be written"
    case .corrupt: "the file is damaged"
    default: "the file cannot be used"
    }
  }
}
#endif
