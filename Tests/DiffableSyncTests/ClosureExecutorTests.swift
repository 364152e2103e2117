import Diffable
import DiffablePages
import DiffableQueries
import DiffableSync
import Foundation
import ListSupport
import TestScope
import Testing

/// Where the closures of a program run that does everything on the main actor.
@MainActor @Suite(.deadline, .serialized) struct ClosureExecutorTests {
  struct Note: Identifiable, Equatable, Codable {
    let id: Int
    var folder = "Inbox"
  }

  private let source = ModelSource<String, Note>()
  private let calls = Calls()

  @Test func `Edits run on the source`() async throws {
    let (source, calls) = (source, calls)
    #expect(isOnMainQueue, "otherwise the test proves nothing")
    try await source.update { draft in
      calls.note("update", on: source)
      draft.snapshot.appendSections(["Inbox"])
      try draft.appendItems([Note(id: 1)], toSection: "Inbox")
      try draft.update(1) { _ in calls.note("model", on: source) }
    }
    let count = try await source.update { draft in
      calls.note("result", on: source)
      return draft.snapshot.numberOfItems
    }.value
    try await source.updateOrder { _ in calls.note("order", on: source) }
    try await source.apply([Note(id: count)]) { note in
      calls.note("section", on: source)
      return note.folder
    }
    let ticket = source.enqueue([Note(id: 7)]) { note in
      calls.note("queue", on: source)
      return note.folder
    }
    _ = await ticket.outcome
    #expect(calls.names == ["update", "model", "result", "order", "section", "queue"])
    #expect(calls.onMain == [])
  }

  @Test func `A mirror decodes on the mirror`() async throws {
    let (source, calls) = (source, calls)
    let mirror = MirrorSource<ModelBatch<String, Note>>()
    try await source.apply([Note(id: 1)], section: \.folder)
    await source.finish()
    for await batch in source.updates() {
      let text = try JSONEncoder().encode(ModelDelta(batch))
      try await mirror.apply(text) {
        calls.note("apply", on: mirror)
        return try JSONDecoder().decode(ModelDelta.self, from: $0)
      }
    }
    let other = MirrorSource<ModelBatch<String, Note>>()
    try await other.follow { token in
      calls.note("connect")
      return source.events(after: token) { delta in
        calls.note("encode")
        return try Array(JSONEncoder().encode(delta))
      }
    } decode: {
      calls.note("decode", on: other)
      return try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
    #expect(calls.names == ["apply", "connect", "encode", "decode"])
    #expect(calls.onMain == [])
  }

  @Test func `The functions of a query run on the derived source`() async throws {
    let (source, calls) = (source, calls)
    let derived = source.derived { $0.filter { _ in true } }
    try await derived.setQuery { query in
      calls.note("query")
      return query.filter { note in
        calls.note("filter", on: derived)
        return note.id != 5
      }.sorted { first, second in
        calls.note("sort", on: derived)
        return first.id > second.id
      }
    }
    try await source.apply((1...9).map { Note(id: $0) }, section: \.folder)
    for await batch in derived.updates() {
      // The body of a loop runs where the loop's task does.
      MainActor.preconditionIsolated()
      calls.note("body")
      #expect(batch.snapshot.numberOfItems == 8)
      break
    }
    #expect(Set(calls.names) == ["query", "filter", "sort", "body"])
    // What builds a query is called at once.
    #expect(calls.onMain == ["query", "body"])
  }

  @Test func `Children and pages are loaded away from every actor`() async throws {
    let calls = calls
    let later = Later()
    let tree = ModelSource<String, Note>(childrenProvider: { note in
      await calls.note("children", awayFrom: try #require(later.value))
      return try ModelOutline([Note(id: note.id * 10)])
    })
    later.value = tree
    defer { later.value = nil }
    var root = try Outline([1])
    root.setChildrenUnloaded(of: [1])
    let snapshot = try Snapshot<String, Int>(root, in: "Tree")
    try await tree.apply(snapshot, models: [Note(id: 1)])
    try await tree.expandItem(1)
    #expect(await tree.snapshot.containsItem(10))

    let loader = PageLoader<String, Note, Int>(source, section: "Inbox") { [source] request in
      await calls.note("page", awayFrom: source)
      return Page([Note(id: 1)], next: nil)
    }
    _ = await loader.refresh()
    #expect(await source.snapshot.containsItem(1))
    #expect(calls.names == ["children", "page"])
    #expect(calls.onMain == [])
  }

  @Test func `Observers and handlers run where the event is caused`() async throws {
    let calls = calls
    let source = DataSourceActor<String, Int>(
      options: SourceOptions(observer: { event in
        switch event {
        case .changed: calls.note("changed")
        case .subscribed: calls.note("subscribed")
        case .delivered: calls.note("delivered")
        default: break
        }
      }),
      reordering: ReorderingHandlers(
        canReorder: { _, _, _ in calls.note("canReorder") },
        didReorder: { _ in calls.note("didReorder") }))
    try await source.update { snapshot in
      snapshot.appendSections(["Inbox"])
      try snapshot.appendItems([1, 2])
    }
    for await _ in source.updates() { break }
    var drag = try #require(await source.beginReorder([1]))
    _ = try drag.proposed(to: .after(2))
    try await drag.commit()
    #expect(Set(calls.names) == ["changed", "subscribed", "delivered", "canReorder", "didReorder"])
    #expect(Set(calls.onMain) == ["subscribed", "canReorder"])
  }
}

/// The closures that were called, and where.
final class Calls: Sendable {
  private let noted = Lock<[(name: String, isOnMain: Bool)]>([])

  var names: [String] { noted.withLock { $0.map(\.name) } }
  /// Those that were called where code of the main actor runs.
  var onMain: [String] { noted.withLock { $0.filter(\.isOnMain).map(\.name) } }

  /// Notes a call; the process ends if it is not isolated to an actor that must isolate it.
  @discardableResult func note(_ name: String, on actor: (any Actor)? = nil) -> Bool {
    actor?.preconditionIsolated()
    let isOnMain = isOnMainQueue
    noted.withLock { $0.append((name, isOnMain)) }
    return true
  }

  /// Notes a call during which an actor is free: the call waits until the actor has answered.
  @discardableResult func note(
    _ name: String, awayFrom source: some EditableListSource<String, Int>
  ) async -> Bool {
    _ = await source.revision
    return note(name)
  }
}

/// A source that its own closures ask for.
final class Later: Sendable {
  private let source = Lock<ModelSource<String, ClosureExecutorTests.Note>?>(nil)

  var value: ModelSource<String, ClosureExecutorTests.Note>? {
    get { source.withLock { $0 } }
    set { source.withLock { $0 = newValue } }
  }
}
