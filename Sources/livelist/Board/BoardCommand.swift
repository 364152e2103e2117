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
final class BoardCommand: ListCommand {
  static let nouns = (one: "card", many: "cards")

  let shown: EditableMirror<BoardBatch>
  private let mirror = MirrorSource<BoardBatch>()
  private let connector: BoardConnector
  private var view: BoardView?
  /// Why the board is not reached; nobody has been told yet of the first reason.
  private var offlineReason: String?
  /// Why the board is no longer followed.
  private var fault: (any Error)?

  init(options: BoardOptions) async throws {
    let connector: BoardConnector
    switch options.place {
    case .server(let server):
      connector = BoardConnector(server)
      offlineReason = "the server has not answered yet"
    case .file(let path): connector = try await BoardConnector(file: path)
    }
    self.connector = connector
    shown = try await connector.editable(mirror)
  }

  func makeView() -> BoardView {
    let view = BoardView(shown)
    view.offlineReason = offlineReason
    view.sendHandler = { [weak self] in self?.sendNow() }
    self.view = view
    return view
  }

  func show(_ batch: BoardBatch, in view: BoardView) async { await view.show(batch) }

  func writing(_ body: @escaping @MainActor () async throws -> Void) async throws {
    let following = Task {
      do {
        try await connector.follow(mirror) { self.become(offline: $0) }
      } catch {
        if !(error is CancellationError) { fault = error }
        // Ends what is shown, and so the command.
        await mirror.finish()
      }
    }
    defer { following.cancel() }
    let (leaves, leave) = AsyncStream.makeStream(of: Void.self)
    view?.leaveHandler = { leave.finish() }
    // A board has columns; before the first state there is nothing to show.
    for await batch in shown.updates() where batch.snapshot.numberOfSections > 0 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await body() }
        group.addTask { for await _ in leaves {} }
        defer { group.cancelAll() }
        try await group.next()
      }
      break
    }
    if let fault { throw fault }
  }

  func sayFarewell() throws(OutputError) {
    guard let count = view?.edits.undecidedCount, count > 0 else { return }
    let changes = Figure.count(count, "change", "changes")
    let reason = offlineReason.map { ": \($0)" } ?? ""
    try Complaint.write("\(changes) may be lost, as there is no answer yet\(reason)")
  }

  /// Sends what waits: after many failures the next attempt may be half a minute away.
  private func sendNow() {
    Task { _ = try await connector.editable(mirror) }
  }

  /// Says why the board is not reached; without a view, the reason goes where errors go.
  ///
  /// - Parameter reason: Why; `nil` if it is reached again.
  private func become(offline reason: String?) {
    guard reason != offlineReason else { return }
    offlineReason = reason
    if let view {
      view.offlineReason = reason
    } else if let reason {
      try? Complaint.write("offline, \(reason)")
    }
  }
}
