import Diffable
import DiffableSync
import DiffableTerminal

/// Which board `livelist board` shows, and when it stops.
struct BoardOptions: Equatable, Sendable {
  /// Where a board is.
  enum Place: Equatable, Sendable {
    /// At a server, by the address that the server has printed.
    case server(BoardServer)
    /// In a file; `nil` for the one of this user.
    case file(String?)
  }

  var place = Place.file(nil)
  /// The number of batches after which to stop; `nil` continues until the user quits.
  var frames: Int?
}

/// `livelist board`: a board that several people change at once.
struct BoardCommand: ListCommand {
  static let nouns = (one: "card", many: "cards")

  let shown: EditableMirror<BoardBatch>
  private let mirror: MirrorSource<BoardBatch>
  private let connector: BoardConnector
  private let connection: BoardConnection

  init(options: BoardOptions) async throws {
    connector =
      switch options.place {
      case .server(let server): BoardConnector(server)
      case .file(let path): try await BoardConnector(file: path)
      }
    connection =
      switch options.place {
      case .server: BoardConnection(offline: "the server has not answered yet")
      case .file: BoardConnection(offline: nil)
      }
    mirror = MirrorSource()
    shown = try await mirror.editable(mergeHandler: BoardCard.merged) { [connector] in
      try await connector.answer($0)
    }
  }

  func makeView() -> BoardView {
    let view = BoardView(shown)
    view.offlineReason = connection.offlineReason
    connection.changeHandler = { [weak view] in view?.offlineReason = $0 }
    return view
  }

  func show(_ batch: BoardBatch, in view: BoardView) async { await view.show(batch) }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    let following = Task { [mirror, connection, connector] in
      do {
        try await connector.follow(mirror, connection)
      } catch {
        // Ends what is shown, and so the command.
        connection.fail(error)
        await mirror.finish()
      }
    }
    defer { following.cancel() }
    // A board has columns; before the first state there is nothing to show.
    for await batch in shown.updates() where batch.snapshot.numberOfSections > 0 {
      try await body()
      break
    }
    if let fault = connection.fault { throw fault }
  }
}

/// Why the server cannot be reached at present, and why it is not asked any longer.
@MainActor
final class BoardConnection {
  /// Called with the reason, or `nil` while the server is reached.
  ///
  /// Without a view, the reason goes where errors go.
  var changeHandler: @MainActor (_ offlineReason: String?) -> Void = { reason in
    guard let reason else { return }
    try? Complaint.write("offline, \(reason)")
  }
  /// Why the board is no longer followed.
  private(set) var fault: (any Error)?
  /// Why the board is not reached; nobody has been told yet of the first reason.
  private(set) var offlineReason: String?

  /// - Parameter reason: Why the board is not reached at first; `nil` if it is.
  nonisolated init(offline reason: String?) { offlineReason = reason }

  func become(offline reason: String?) {
    guard reason != offlineReason else { return }
    offlineReason = reason
    changeHandler(reason)
  }

  func fail(_ error: any Error) { fault = error is CancellationError ? nil : error }
}
