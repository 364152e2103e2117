import Diffable
import DiffableSync
import Foundation

/// `livelist board`: a board that several people change at once.
struct BoardCommand: ListCommand {
  let options: BoardOptions
  private let mirror: MirrorSource<BoardBatch>
  private let board: EditableMirror<BoardBatch>
  private let connection = BoardConnection()

  init(options: BoardOptions) async throws {
    self.options = options
    mirror = MirrorSource()
    board = try await mirror.editable(mergeHandler: BoardCard.merged) { [server = options.server] in
      try await server.answer(to: $0)
    }
  }

  var frames: Int? { options.frames }

  func updates() -> AsyncStream<BoardBatch> { board.updates() }

  func line(for batch: BoardBatch) -> String {
    BatchLine.text(for: batch.update, one: "card", many: "cards")
  }

  func makeView() -> BoardView {
    let view = BoardView(board)
    connection.changeHandler = { [weak view] in view?.isOffline = $0 }
    return view
  }

  func show(_ batch: BoardBatch, in view: BoardView) async { await view.show(batch) }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    let following = Task { [mirror, connection, server = options.server] in
      do {
        try await mirror.follow { token in
          let body = try await server.events(after: token)
          await connection.become(isOffline: false)
          return body
        } decode: {
          try JSONDecoder().decode(ModelDelta.self, from: Data($0))
        } failure: { error in
          if let error = error as? BoardServerError, error.isFinal { throw error }
          Task { await connection.become(isOffline: true) }
        }
      } catch {
        // Ends what is shown, and so the command.
        connection.fail(error)
        await mirror.finish()
      }
    }
    defer { following.cancel() }
    // A board has columns; before the first state there is nothing to show.
    for await batch in board.updates() where batch.snapshot.numberOfSections > 0 {
      try await body()
      break
    }
    if let fault = connection.fault { throw fault }
  }
}

/// Whether the server can be reached, and why it is not asked any longer.
@MainActor
final class BoardConnection {
  var changeHandler: @MainActor (_ isOffline: Bool) -> Void = { _ in }
  /// Why the board is no longer followed.
  private(set) var fault: (any Error)?

  nonisolated init() {}

  func become(isOffline: Bool) { changeHandler(isOffline) }

  func fail(_ error: any Error) { fault = error is CancellationError ? nil : error }
}
