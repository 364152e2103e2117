import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// The client that an article shows, with the board of the example server.
@Suite("The client of an app", .timeLimit(.minutes(5))) @MainActor
struct ListClientTests {
  /// What a test has: a board, its server, which can be cut off, and a file of the app.
  private struct Place {
    let board: BoardSource
    let service: BoardService
    let file: URL

    init() async throws {
      board = try await BoardSource.sample()
      service = BoardService(board)
      file = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID()).json")
    }

    /// The app, which may have had a life before.
    func startApp() async throws -> ListClient { try await ListClient(service, storedAt: file) }

    func remove() { try? FileManager.default.removeItem(at: file) }
  }

  /// Waits until a list is what the server has, and nothing waits to be sent.
  private func wait(_ client: ListClient, for source: BoardSource) async throws {
    for await _ in client.list.updates() {
      for write in await client.list.undecided { _ = await write.outcome }
      if await client.list.current.snapshot == source.snapshot { return }
    }
    Issue.record("The list has ended.")
  }

  /// Waits until a client has something to say.
  private func wait(_ client: ListClient, until condition: () -> Bool) async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    client.changeHandler = { change.yield() }
    change.yield()
    for await _ in changes where condition() { break }
  }

  /// Starts an app with the path of a server, over HTTP.
  ///
  /// - Parameter authorization: What lets it in, if not the ticket.
  private func overHTTP(
    _ path: String, authorization: String? = nil,
    _ body: @escaping @MainActor @Sendable (ListClient, BoardSource) async throws -> Void
  ) async throws {
    let board = try await BoardSource.sample()
    let file = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try await serving([.board(board)]) { @MainActor @Sendable address in
      let field = authorization ?? address.bearer["Authorization"] ?? ""
      let app = try await ListClient(ListServer(url: address.plain(path)) { field }, storedAt: file)
      app.enterForeground()
      try await body(app, board)
      await app.enterBackground(within: .seconds(60))
    }
  }

  /// Adds a card, which the server takes, and gives one no title, which it refuses.
  private func edit(_ app: ListClient, _ board: BoardSource) async throws {
    try await wait(app, for: board)
    let write = try await app.list.update(named: "Add") {
      try $0.appendItems([Chore(id: "new", title: "Oil the gate")], toSection: "Doing")
    }
    guard case .accepted = await write.outcome else {
      Issue.record("The server has refused it.")
      return
    }
    #expect(await board.model(for: "new")?.title == "Oil the gate")
    let refused = try await app.list.update(named: "Rename") {
      try $0.update("new") { $0.title = "" }
    }
    _ = await refused.outcome
    await wait(app) { app.refusals == ["Rename: A card needs a title."] }
    #expect(await app.list.element(for: "new")?.title == "Oil the gate")
    app.dismissRefusals()
    #expect(app.refusals.isEmpty)
  }

  @Test("does the same over HTTP")
  func http() async throws {
    try await overHTTP("/lists/board") { app, board in try await edit(app, board) }
  }

  @Test("keeps changes while nothing can be reached, also if the app ends, and sends them then")
  func offline() async throws {
    let place = try await Place()
    defer { place.remove() }
    var app: ListClient? = try await place.startApp()
    app?.enterForeground()
    try await wait(#require(app), for: place.board)
    place.service.cut()
    await wait(try #require(app)) { app?.trouble != nil }
    #expect(app?.trouble == "The server cannot be reached.")
    try await app?.list.update(named: "Add") {
      try $0.appendItems([Chore(id: "late", title: "Oil the gate")], toSection: "Doing")
    }
    await app?.enterBackground(within: .zero)
    app = nil
    #expect(await place.board.model(for: "late") == nil)

    // The next life shows it before there is a connection.
    let next = try await place.startApp()
    #expect(await next.list.current.snapshot.containsItem("late"))
    place.service.mend()
    next.enterForeground()
    try await wait(next, for: place.board)
    #expect(await place.board.model(for: "late")?.title == "Oil the gate")
    #expect(next.trouble == nil)
    await next.enterBackground(within: .seconds(60))
  }

  @Test("connects again after a cut at once when it is told to, and resumes from its state")
  func cut() async throws {
    let place = try await Place()
    defer { place.remove() }
    let app = try await place.startApp()
    app.enterForeground()
    try await wait(app, for: place.board)
    place.service.cut()
    await wait(app) { app.trouble != nil }
    try await place.board.update { $0.deleteItems(["fence"]) }
    let token = await app.list.confirmed.resumeToken
    place.service.mend()
    app.reconnect()
    try await wait(app, for: place.board)
    await wait(app) { app.trouble == nil }
    // On a busy machine, an attempt of its own may have been under way.
    #expect(Set(place.service.tokens) == [nil, token] && place.service.tokens.first == .some(nil))
    #expect(token != nil)
    await app.enterBackground(within: .seconds(60))
    // In the background, nothing connects.
    let count = place.service.tokens.count
    app.reconnect()
    #expect(place.service.tokens.count == count)
  }

  @Test("is silent in the background, resumes from its state, and catches up when it is notified")
  func background() async throws {
    let place = try await Place()
    defer { place.remove() }
    let app = try await place.startApp()
    app.enterForeground()
    try await wait(app, for: place.board)
    await app.enterBackground(within: .seconds(60))
    let before = await app.list.current.snapshot
    try await place.board.update { try $0.update("fence") { $0.title = "Mend the old fence" } }
    #expect(await app.list.current.snapshot == before)
    var batches = app.list.updates().makeAsyncIterator()
    _ = await batches.next()
    #expect(await app.catchUp(within: .seconds(60)))
    // It is a change of what was there, and not everything from scratch.
    let batch = try #require(await batches.next())
    #expect(batch.update.presentation != .reset)
    #expect(batch.update.difference.itemReconfigures.count == 1)
    #expect(await app.catchUp(within: .zero) == false)
    try await place.board.update { $0.deleteItems(["fence"]) }
    app.enterForeground()
    try await wait(app, for: place.board)
    await app.enterBackground(within: .seconds(60))
  }

  @Test("says that a page is no list, as that of a network which asks its users to sign in")
  func page() async throws {
    try await overHTTP("/") { app, _ in
      await wait(app) { app.trouble == "The answer of the server cannot be read." }
    }
  }

  @Test("asks the user to sign in if the server lets nobody in")
  func signingIn() async throws {
    try await overHTTP("/lists/board", authorization: "Bearer x") { app, _ in
      await wait(app) { app.trouble == "Sign in again." }
      #expect(await app.list.current.snapshot.numberOfItems == 0)
    }
  }
}
