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
  /// - Parameter fill: Puts columns and cards on a new board.
  static func open(
    _ path: String, _ fill: @escaping @Sendable (inout BoardBatch.Draft) throws -> Void
  ) async throws -> KeptBoard {
    let file = try await SQLiteFile(path: path)
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
#endif
