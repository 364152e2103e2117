import ListSupport
import TestScope
import Testing

@testable import Diffable
import DiffableTesting

extension DataSourceActor<String, String> {
  /// Enqueues a state, and lets children arrive before the source can take it.
  fileprivate func enqueue(
    _ state: Snapshot<String, String>, beforeAnswer answer: Result<[String], any Error>,
    to item: String
  ) throws -> Ticket {
    let ticket = enqueue(state)
    let result: Result<ChildrenLoading<String, String>.Loaded, any Error> =
      switch answer {
      case .success(let children): .success((outline: try Outline(children), given: .init()))
      case .failure(let error): .failure(error)
      }
    insertChildren(from: (load: .init(item: item, number: 1), result: result))
    return ticket
  }
}

@Suite("Children that come after a writer has set others", .deadline)
struct LateChildrenTests {
  /// `a`, which is expanded, below which there is nothing yet or something.
  private func state(_ children: [String]) throws -> Snapshot<String, String> {
    var outline = try Outline(["a"])
    outline.setChildrenUnloaded(of: ["a"], children.isEmpty)
    try outline.append(children, to: "a")
    outline.expand(["a"])
    return try Snapshot<String, String>(outline, in: "main")
  }

  /// A provider that never answers, as long as nobody breaks the silence.
  private static func provider(
    _ silence: AsyncStream<Outline<String>>
  ) -> @Sendable (String) async throws -> Outline<String> {
    { _ in
      for await children in silence { return children }
      throw CancellationError()
    }
  }

  @Test("Those of a write that waits are set, and the others are never shown")
  func waitingWrite() async throws {
    let (silence, input) = AsyncStream<Outline<String>>.makeStream()
    let source = try DataSourceActor(state([]), childrenProvider: Self.provider(silence))
    let revision = await source.revision
    let next = try state(["written"])
    let ticket = try await source.enqueue(next, beforeAnswer: .success(["late"]), to: "a")
    #expect(try await ended { await ticket.outcome } == .applied(revision.next))
    #expect(await source.snapshot == next)
    #expect(await source.revision == revision.next)
    input.finish()
  }

  @Test("Those of a write that begins to wait while another one is made are set after them")
  func laterWrite() async throws {
    let (silence, input) = AsyncStream<Outline<String>>.makeStream()
    let later = try state(["written"])
    let target = Lock<DataSourceActor<String, String>?>(nil)
    let options = SourceOptions(observer: { event in
      guard case .changed(Revision(2), _, _, _) = event else { return }
      target.withLock { $0 }?.enqueue(later)
    })
    let source = try DataSourceActor(
      state([]), options: options, childrenProvider: Self.provider(silence))
    target.withLock { $0 = source }
    var first = try state([])
    first.appendSections(["other"])
    let ticket = try await source.enqueue(first, beforeAnswer: .success(["late"]), to: "a")
    #expect(try await ended { await ticket.outcome } == .applied(Revision(2)))
    try await wait { await source.snapshot == later }
    target.withLock { $0 = nil }
    input.finish()
  }

  private struct Unreachable: Error {}

  @Test("Where they are refused, the row is collapsed before a write that begins to wait is made")
  func refusedBeforeWrite() async throws {
    let answers: [Result<[String], any Error>] = [
      .failure(Unreachable()), .success(["a"]), .success(["elsewhere"]),
    ]
    // A flat list keeps the tree as it is.
    let list = Snapshot<String, String>(
      sections: ["main", "other"], items: [["a"], ["elsewhere", "written"]])
    for answer in answers {
      let (silence, input) = AsyncStream<Outline<String>>.makeStream()
      let target = Lock<DataSourceActor<String, String>?>(nil)
      let options = SourceOptions(observer: { [list] event in
        guard case .changed(Revision(2), _, _, _) = event else { return }
        target.withLock { $0 }?.enqueue(list)
      })
      let source = try DataSourceActor(
        state([]), options: options, childrenProvider: Self.provider(silence))
      target.withLock { $0 = source }
      var first = try state([])
      first.appendSections(["other"])
      try first.appendItems(["elsewhere"], toSection: "other")
      let ticket = try await source.enqueue(first, beforeAnswer: answer, to: "a")
      #expect(try await ended { await ticket.outcome } == .applied(Revision(2)))
      try await wait { await source.snapshot.containsItem("written") }
      #expect(await source.revision == Revision(4))
      #expect(await source.snapshot.outline(ofSection: "main")?.isExpanded("a") == false)
      #expect(await source.childrenError(of: "a") != nil, "\(answer)")
      target.withLock { $0 = nil }
      input.finish()
    }
  }
}
