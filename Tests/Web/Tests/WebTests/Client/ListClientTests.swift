import Diffable
import DiffableSync
import Foundation
import Testing

@testable import WebLists

/// The client that an article shows, with the board of the example server.
@Suite("The client of an app", .timeLimit(.minutes(2))) @MainActor
struct ListClientTests {
  /// What a test has: a server of a board, a network that can be cut, and an app that can be started again.
  private struct Place {
    let board: BoardSource
    let network: Relay
    let port: Int
    let startApp: @MainActor () async throws -> ListClient
  }

  private func serving(_ body: (Place) async throws -> Void) async throws {
    let board = try await BoardSource.sample()
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await WebTests.serving([.board(board)]) { address in
      let port = try #require(address.port)
      let network = try await Relay.start(to: port)
      defer { network.stop() }
      let ticket = URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems?
        .first { $0.name == "ticket" }?.value
      let url = try #require(URL(string: "http://127.0.0.1:\(network.port)/lists/board"))
      let server = ListServer(url: url) { "Bearer \(ticket ?? "")" }
      try await body(
        Place(board: board, network: network, port: port) {
          try await ListClient(server, storedAt: folder.appending(path: "board.json"))
        })
    }
  }

  /// Waits until a list is what the server has.
  private func wait(_ client: ListClient, for source: BoardSource) async throws {
    for await batch in client.list.updates() {
      let (snapshot, undecided) = (await source.snapshot, await client.list.undecided)
      if batch.snapshot == snapshot, undecided.isEmpty { return }
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

  @Test("shows the list, edits it, and says what was refused")
  func editing() async throws {
    try await serving { place in
      let app = try await place.startApp()
      app.enterForeground()
      try await wait(app, for: place.board)
      let write = try await app.list.update(named: "Add") {
        try $0.appendItems([Chore(id: "new", title: "Oil the gate")], toSection: "Doing")
      }
      guard case .accepted = await write.outcome else {
        Issue.record("The server has refused it.")
        return
      }
      #expect(await place.board.model(for: "new")?.title == "Oil the gate")
      let refused = try await app.list.update(named: "Rename") {
        try $0.update("new") { $0.title = "" }
      }
      _ = await refused.outcome
      await wait(app) { app.refusals == ["Rename: A card needs a title."] }
      try await wait(app, for: place.board)
      await app.enterBackground(within: .seconds(5))
    }
  }

  @Test("keeps changes while nothing can be reached, also if the app ends, and sends them then")
  func offline() async throws {
    try await serving { place in
      var app: ListClient? = try await place.startApp()
      app?.enterForeground()
      try await wait(#require(app), for: place.board)
      // Nobody listens at this port.
      place.network.cut(then: 1)
      await wait(try #require(app)) { app?.trouble != nil }
      try await app?.list.update(named: "Add") {
        try $0.appendItems([Chore(id: "late", title: "Oil the gate")], toSection: "Doing")
      }
      await app?.enterBackground(within: .milliseconds(10))
      app = nil
      #expect(await place.board.model(for: "late") == nil)

      // The next life shows it before there is a connection.
      let next = try await place.startApp()
      #expect(await next.list.current.snapshot.containsItem("late"))
      place.network.cut(then: place.port)
      next.enterForeground()
      try await wait(next, for: place.board)
      #expect(await place.board.model(for: "late")?.title == "Oil the gate")
      #expect(next.trouble == nil)
      await next.enterBackground(within: .seconds(5))
    }
  }

  @Test("is silent in the background, resumes from its state, and catches up when it is notified")
  func background() async throws {
    try await serving { place in
      let app = try await place.startApp()
      app.enterForeground()
      try await wait(app, for: place.board)
      await app.enterBackground(within: .seconds(5))
      let before = await app.list.current.snapshot
      try await place.board.update { try $0.update("fence") { $0.title = "Mend the fence" } }
      #expect(await app.list.current.snapshot == before)
      var batches = app.list.updates().makeAsyncIterator()
      _ = await batches.next()
      #expect(await app.catchUp(within: .seconds(60)))
      // It is a change of what was there, and not everything from scratch.
      let batch = try #require(await batches.next())
      #expect(batch.update.presentation != .reset)
      #expect(batch.update.difference.itemReconfigures.count == 1)
      #expect(await app.catchUp(within: .milliseconds(50)) == false)
      try await place.board.update { $0.deleteItems(["fence"]) }
      app.enterForeground()
      try await wait(app, for: place.board)
      await app.enterBackground(within: .seconds(5))
    }
  }

  @Test("asks the user to sign in if the server lets nobody in")
  func signingIn() async throws {
    try await serving { place in
      let url = try #require(URL(string: "http://127.0.0.1:\(place.port)/lists/board"))
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
      defer { try? FileManager.default.removeItem(at: file) }
      let app = try await ListClient(ListServer(url: url) { "Bearer x" }, storedAt: file)
      app.enterForeground()
      await wait(app) { app.trouble == "Sign in again." }
      #expect(await app.list.current.snapshot.numberOfItems == 0)
      await app.enterBackground(within: .seconds(5))
    }
  }
}
