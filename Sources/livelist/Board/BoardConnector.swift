import Diffable
import DiffableSync
import Foundation

/// How the board in the terminal follows the one that everybody shares, and changes it.
struct BoardConnector: Sendable {
  /// Follows the board until it ends or an error is final, and says why it is not reached.
  let follow:
    @Sendable (
      MirrorSource<BoardBatch>, @escaping @MainActor @Sendable (_ offlineReason: String?) -> Void
    ) async throws -> Void
  /// Makes a change, or refuses it.
  let answer: @Sendable (Proposal<BoardBatch>) async throws -> ProposalAnswer<BoardBatch>

  /// The board of a mirror for its user; another call sends at once what waits.
  func editable(
    _ mirror: MirrorSource<BoardBatch>
  ) async throws -> EditableMirror<BoardBatch> {
    try await mirror.editable(mergeHandler: BoardCard.merged) { [answer] in try await answer($0) }
  }

  /// Connects to a server.
  init(_ server: BoardServer) {
    answer = { try await server.answer(to: $0) }
    follow = { mirror, become in
      try await mirror.follow { token in
        let body = try await server.events(after: token)
        await become(nil)
        return body
      } decode: {
        try JSONDecoder().decode(ModelDelta.self, from: Data($0))
      } failure: { error in
        if let error = error as? BoardServerError, error.isFinal { throw error }
        let reason = BoardServer.words(for: error)
        Task { await become(reason) }
      }
    }
  }

  /// Opens a file.
  ///
  /// - Parameter path: The path, or `nil` for the file of this user.
  init(file path: String?) async throws {
    #if SQLite
    let (reasons, reason) = AsyncStream.makeStream(
      of: String?.self, bufferingPolicy: .bufferingNewest(1))
    let board = try await KeptBoard.open(try path ?? Self.ownFile()) {
      $0.snapshot.appendSections(["To do", "Doing", "Done"])
    } failure: {
      reason.yield($0)
    }
    answer = { proposal in
      let answer = try await board.accept(proposal) { _, _ in }
      reason.yield(nil)
      return answer
    }
    follow = { mirror, become in
      let telling = Task { for await reason in reasons { await become(reason) } }
      defer { telling.cancel() }
      try await mirror.follow { token in
        board.events(after: token) { try $0.json { try Array(JSONEncoder().encode($0)) } }
      } decode: {
        try JSONDecoder().decode(ModelDelta.self, from: Data($0))
      }
    }
    #else
    throw NoSQLite()
    #endif
  }

  #if SQLite
  private static func ownFile() throws -> String {
    let folder = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
    ).appendingPathComponent("livelist")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("board.lists").path
  }
  #endif
}

/// Why a board cannot be kept in a file.
struct NoSQLite: Error, CustomStringConvertible {
  var description: String {
    """
    this livelist was built without SQLite, which keeps a board in a file. Pass --server, or \
    install the library of SQLite (libsqlite3-dev in Debian) and run \
    “swift run --traits SQLite livelist board”
    """
  }
}
