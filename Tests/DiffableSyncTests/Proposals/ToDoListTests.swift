import Diffable
import DiffableSync
import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

@Suite("A to-do list that was written after its article alone", .deadline) struct ToDoListTests {
  /// A network that is cut and mended.
  private final class Network: ToDoNetwork {
    struct Cut: Error {}

    private struct State {
      var isUp = true
      var connections: [AsyncThrowingStream<[UInt8], any Error>.Continuation] = []
    }

    private let server: ToDoServer
    private let state = Lock(State())

    init(_ server: ToDoServer) { self.server = server }

    private func check() throws { guard state.withLock({ $0.isUp }) else { throw Cut() } }

    func open(after token: ResumeToken?) throws -> AsyncThrowingStream<[UInt8], any Error> {
      try check()
      let (stream, connection) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
      let events = server.events(after: token)
      let task = Task {
        for try await bytes in events { connection.yield(bytes) }
        connection.finish()
      }
      connection.onTermination = { _ in task.cancel() }
      state.withLock { $0.connections.append(connection) }
      return stream
    }

    func post(_ body: Data) async throws -> Data {
      try check()
      let answer = try await server.answer(to: body)
      try check()
      return answer
    }

    func cut() {
      let connections = state.withLock { state in
        state.isUp = false
        defer { state.connections = [] }
        return state.connections
      }
      for connection in connections { connection.finish(throwing: Cut()) }
    }

    func mend() { state.withLock { $0.isUp = true } }
  }

  @Test("It has fewer than 90 lines")
  func length() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "ToDoList.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count < 90)
  }

  @Test(
    "A text that the server cannot read is refused, so that its client does not send it for ever",
    arguments: [
      ("undecodable", "{}"), ("undecodable", #"{"format":1,"id":"a","base":""}"#),
      ("unknownFormat", #"{"format":2,"id":"AAAAAAAAAAAAAAAAAAAAAQ","base":""}"#),
    ])
  func unreadable(code: String, text: String) async throws {
    let answer = try await ToDoServer().answer(to: Data(text.utf8))
    guard
      case .refused(let refusal) = try JSONDecoder().decode(
        ProposalAnswer<ToDos>.self, from: answer)
    else {
      Issue.record("\(String(decoding: answer, as: UTF8.self))")
      return
    }
    #expect(refusal.code == code)
  }

  @Test("It survives an hour offline, and the end of the app in it")
  func offline() async throws {
    let server = ToDoServer()
    try await server.list.apply(
      [ToDo(id: "bread", title: "Buy bread"), ToDo(id: "gate", title: "Oil the gate")],
      section: { _ in "Home" })
    let (phone, clock) = (Network(server), ManualClock())
    let ben = try await ToDoClient(Network(server), clock: ImmediateClock())
    var ann = try await ToDoClient(phone, clock: clock)
    defer { for client in [ann, ben] { client.following.cancel() } }
    for client in [ann, ben] {
      for await batch in client.list.updates() where batch.snapshot.numberOfItems == 2 { break }
    }

    phone.cut()
    _ = try await ann.add(ToDo(id: "plants", title: "Water plants"))
    _ = try await ann.add(ToDo(id: "empty", title: ""))
    try await ann.change("bread") { $0.isDone = true }
    try await ann.change("gate") { $0.title = "Oil both gates" }
    // The others go on; after so many changes the server no longer knows what Ann's changes start from.
    try await ben.change("bread") { $0.title = "Buy rye bread" }
    for round in 0..<100 {
      try await server.list.setModel(
        ToDo(id: "gate", title: "Oil the gate", isDone: round % 2 == 0))
    }
    try await wait { await server.list.model(for: "bread")?.title == "Buy rye bread" }
    for minute in 0..<60 {
      // One pause before it asks for the list again, and one before it sends.
      try await wait(for: "\(minute)") { clock.sleeping == 2 }
      clock.advance(by: .seconds(60))
      if minute == 30 {
        let stored = try await ann.stored()
        ann.following.cancel()
        try await wait { clock.sleeping < 2 }
        ann = try await ToDoClient(phone, resuming: stored, clock: clock)
        #expect(await "\(ann.list.snapshot)" == "Home[bread gate plants empty]")
      }
    }
    phone.mend()
    try await wait {
      clock.advance(by: .seconds(30))
      guard await ann.list.pending?.count == 0 else { return false }
      let token = await server.list.token(for: server.list.revision)
      let (mine, theirs) = await (ann.list.confirmed.resumeToken, ben.list.confirmed.resumeToken)
      return mine == token && theirs == token
    }
    for client in [ann, ben] {
      #expect(await "\(client.list.snapshot)" == "Home[bread gate plants]")
      #expect(
        await client.list.element(for: "bread")
          == ToDo(id: "bread", title: "Buy rye bread", isDone: true))
      #expect(await client.list.element(for: "gate")?.title == "Oil both gates")
    }
  }
}
