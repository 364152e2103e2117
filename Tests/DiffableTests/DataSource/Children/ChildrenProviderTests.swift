import Diffable
import ListSupport
import TestScope
import Testing

@Suite("Children that are loaded when somebody wants to see them", .deadline)
struct ChildrenProviderTests {
  typealias TreeSource = DataSourceActor<String, String>

  /// A provider that a test answers for.
  private final class Provider: Sendable {
    private typealias Answer = CheckedContinuation<Outline<String>, any Error>

    private struct State {
      var asked: [String] = []
      var cancelled: [String] = []
      var waiting: [String: Answer] = [:]
    }

    private let state = Lock(State())

    var asked: [String] { state.withLock(\.asked) }
    var cancelled: [String] { state.withLock(\.cancelled) }
    var isIdle: Bool { state.withLock(\.waiting.isEmpty) }

    func children(of item: String) async throws -> Outline<String> {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          state.withLock {
            $0.asked.append(item)
            $0.waiting[item] = continuation
          }
          if Task.isCancelled { cancel(item) }
        }
      } onCancel: {
        cancel(item)
      }
    }

    private func cancel(_ item: String) {
      let waiting = state.withLock {
        $0.cancelled.append(item)
        return $0.waiting.removeValue(forKey: item)
      }
      waiting?.resume(throwing: CancellationError())
    }

    func answer(_ item: String, _ result: Result<Outline<String>, any Error>) {
      state.withLock { $0.waiting.removeValue(forKey: item) }?.resume(with: result)
    }
  }

  private struct Unreachable: Error {}

  /// `main`: a and b, whose children are not loaded.
  private func source(_ provider: Provider) async throws -> TreeSource {
    var outline = try Outline(["a", "b"])
    outline.setChildrenUnloaded(of: ["a", "b"])
    let snapshot = try Snapshot<String, String>(outline, in: "main")
    return try TreeSource(snapshot, childrenProvider: { try await provider.children(of: $0) })
  }

  private func outline(_ source: TreeSource) async -> Outline<String> {
    await source.snapshot.outline(ofSection: "main") ?? Outline()
  }

  @Test("expanding asks once, and the children come in a revision of their own")
  func success() async throws {
    let provider = Provider()
    let source = try await source(provider)
    let expansion = Task { try await source.expandItem("a") }
    let other = Task { try await source.expandItem("a") }
    try await wait { provider.asked == ["a"] }
    let expanded = await source.revision
    #expect(await outline(source).loadingItems == ["a"])
    // Other edits in between do not ask again.
    try await source.update {
      $0.expandItems(["a"]); $0.appendSections(["other"])
    }
    provider.answer("a", .success(try Outline(["a1", "a2"])))
    try await expansion.value
    try await other.value
    #expect(await outline(source).visibleItems == ["a", "a1", "a2", "b"])
    #expect(await outline(source).hasUnloadedChildren("a") == false)
    #expect(await source.revision == Revision(expanded.number + 2))
    #expect(await source.difference(from: expanded, to: source.revision)?.itemInserts.count == 2)
    // What is loaded is not asked for again.
    try await source.update { $0.collapseItems(["a"]) }
    try await source.expandItem("a")
    #expect(provider.asked == ["a"])
  }

  @Test("what is known of rows that are gone does not pile up")
  func forgottenErrors() async throws {
    let source = TreeSource(childrenProvider: { _ in throw Unreachable() })
    try await source.update { $0.appendSections(["main"]) }
    for number in 0..<4 {
      let row = "\(number)"
      try await source.update { snapshot in
        var outline = try Outline([row])
        outline.setChildrenUnloaded(of: [row])
        try snapshot.setOutline(outline, forSection: "main")
      }
      await #expect(throws: ChildrenError<String>.self) { try await source.expandItem(row) }
      for other in 0..<4 {
        #expect((await source.childrenError(of: "\(other)") != nil) == (other == number))
      }
    }
  }

  @Test("each row has its own error, and one that is expanded again forgets no other")
  func severalErrors() async throws {
    let provider = Provider()
    let source = try await source(provider)
    for (number, row) in ["a", "b"].enumerated() {
      try await source.update { $0.expandItems([row]) }
      try await wait { provider.asked.count == number + 1 }
      provider.answer(row, .failure(Unreachable()))
      try await wait { await source.childrenError(of: row) != nil }
    }
    #expect(await source.childrenError(of: "a")?.item == "a")
    try await source.update { $0.expandItems(["b"]) }
    #expect(await source.childrenError(of: "b") == nil)
    try await wait { provider.asked == ["a", "b", "b"] }
    provider.answer("b", .success(try Outline(["b1"])))
    try await wait { await self.outline(source).visibleItems == ["a", "b", "b1"] }
    #expect(await source.childrenError(of: "a")?.item == "a")
  }

  @Test("what is expanded at first is loaded at once, and what others expand or bring back as well")
  func expandedOtherwise() async throws {
    let provider = Provider()
    var outline = try Outline(["a", "b"])
    outline.setChildrenUnloaded(of: ["a", "b"])
    outline.expand(["b"])
    let snapshot = try Snapshot<String, String>(outline, in: "main")
    let source = try TreeSource(
      snapshot, childrenProvider: { try await provider.children(of: $0) })
    try await wait { provider.asked == ["b"] }
    provider.answer("b", .success(try Outline(["b1"])))
    try await wait { await self.outline(source).visibleItems == ["a", "b", "b1"] }
    // A snapshot that is applied may expand a row, and undo may bring one back that is expanded.
    var next = await source.snapshot
    next.expandItems(["a"])
    try await source.apply(next)
    try await wait { provider.asked == ["b", "a"] }
    try await source.update(named: "Delete") { $0.deleteItems(["a"]) }
    try await wait { Set(provider.cancelled) == ["a"] }
    try await source.undo(.named)
    try await wait { provider.asked == ["b", "a", "a"] }
    provider.answer("a", .success(try Outline(["a1"])))
    try await wait { await self.outline(source).visibleItems == ["a", "a1", "b", "b1"] }
  }

  @Test(
    "a failure collapses the item and is a typed error, for those who wait and those who do not")
  func failure() async throws {
    let provider = Provider()
    let source = try await source(provider)
    let expansion = Task { try await source.expandItem("a") }
    try await wait { provider.asked == ["a"] }
    provider.answer("a", .failure(Unreachable()))
    let thrown = await #expect(throws: ChildrenError<String>.self) { try await expansion.value }
    #expect(thrown?.item == "a")
    guard case .provider(let error)? = thrown?.reason else {
      Issue.record("\(String(describing: thrown))")
      return
    }
    #expect(error is Unreachable)
    #expect(await outline(source).isExpanded("a") == false)
    #expect(await outline(source).hasUnloadedChildren("a"))
    #expect(await source.childrenError(of: "a")?.item == "a")

    // Expanding tries again, and forgets the error.
    try await source.update { $0.expandItems(["a"]) }
    try await wait { provider.asked == ["a", "a"] }
    #expect(await source.childrenError(of: "a") == nil)
    // Children that stand elsewhere already are refused.
    provider.answer("a", .success(try Outline(["b"])))
    try await wait { await source.childrenError(of: "a") != nil }
    guard case .invalidChildren? = await source.childrenError(of: "a")?.reason else {
      Issue.record("\(String(describing: await source.childrenError(of: "a")))")
      return
    }
    #expect(await outline(source).isExpanded("a") == false)
  }

  @Test("collapsing and deleting cancel, and whoever waits is told")
  func cancellation() async throws {
    let provider = Provider()
    let source = try await source(provider)
    let first = Task { try await source.expandItem("a") }
    let second = Task { try await source.expandItem("b") }
    try await wait { Set(provider.asked) == ["a", "b"] }
    try await source.update { $0.collapseItems(["a"]) }
    try await source.update { $0.deleteItems(["b"]) }
    for expansion in [await first.result, await second.result] {
      guard case .failure(let error as ChildrenError<String>) = expansion,
        case .cancelled = error.reason
      else {
        Issue.record("\(expansion)")
        continue
      }
    }
    try await wait { Set(provider.cancelled) == ["a", "b"] }
    #expect(await outline(source).items == ["a"])
    #expect(await source.childrenError(of: "a") == nil)
  }

  @Test("the end of a source cancels what it loads", arguments: [true, false])
  func end(finishes: Bool) async throws {
    let provider = Provider()
    var source: TreeSource? = try await source(provider)
    try await source?.update { $0.expandItems(["a", "b"]) }
    try await wait { Set(provider.asked) == ["a", "b"] }
    if finishes {
      await source?.finish()
    } else {
      let gone = { [weak source] in source }
      source = nil
      try await wait { gone() == nil }
    }
    try await wait { Set(provider.cancelled) == ["a", "b"] }
    #expect(provider.isIdle)
  }

  @Test("whoever waits for children is told that the source has ended")
  func endOfWait() async throws {
    let source = try await source(Provider())
    let expansion = Task { try await source.expandItem("a") }
    try await wait { source.population.waiting == 1 }
    await source.finish()
    let error = await #expect(throws: ChildrenError<String>.self) { try await expansion.value }
    guard case .source(.finished)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("whoever stops waiting for children is told that, and they come all the same")
  func cancelledWait() async throws {
    let provider = Provider()
    let source = try await source(provider)
    let expansion = Task { try await source.expandItem("a") }
    try await wait { source.population.waiting == 1 && provider.asked == ["a"] }
    expansion.cancel()
    let error = await #expect(throws: ChildrenError<String>.self) { try await expansion.value }
    if case .cancelled? = error?.reason {} else { Issue.record("\(String(describing: error))") }
    provider.answer("a", .success(try Outline(["a1"])))
    try await wait { await self.outline(source).visibleItems == ["a", "a1", "b"] }
  }

  @Test("without a provider, expanding an item is only that")
  func noProvider() async throws {
    let source = TreeSource()
    try await source.update {
      $0.appendSections(["main"])
      var outline = try Outline(["a"])
      outline.setChildrenUnloaded(of: ["a"])
      try $0.setOutline(outline, forSection: "main")
    }
    try await source.expandItem("a")
    try await source.expandItem("nobody")
    #expect(await outline(source).loadingItems == ["a"])
    await source.finish()
    let error = await #expect(throws: ChildrenError<String>.self) {
      try await source.expandItem("b")
    }
    guard case .source(.finished)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("what a writer sets while they are loading stays, whenever the answer comes")
  func setMeanwhile() async throws {
    for isQueued in [false, true] {
      let provider = Provider()
      let source = try await source(provider)
      try await source.update { $0.expandItems(["a"]) }
      try await wait { provider.asked == ["a"] }
      let write = try await source.update { snapshot -> Ticket? in
        // The answer reaches the source when this write is over.
        provider.answer("a", .success(try Outline(["loaded"])))
        var edited = snapshot
        try edited.replaceItems(childrenOf: "a", using: Outline(["mine"]))
        if isQueued { return source.enqueue(edited) }
        snapshot = edited
        return nil
      }.value
      _ = await write?.outcome
      // The loads of both items go through one stream.
      try await source.update { $0.expandItems(["b"]) }
      try await wait { provider.asked == ["a", "b"] }
      provider.answer("b", .success(try Outline(["b1"])))
      try await wait { await outline(source).visibleItems.contains("b1") }
      #expect(await outline(source).visibleItems == ["a", "mine", "b", "b1"])
    }
  }

  @Test("children that are wanted again are asked for again; the first answer is out of date")
  func wantedAgain() async throws {
    let provider = Provider()
    let source = try await source(provider)
    try await source.update { $0.expandItems(["a"]) }
    try await wait { provider.asked == ["a"] }
    try await source.perform { source in
      try source.update { try $0.replaceItems(childrenOf: "a", using: Outline(["mine"])) }
      try source.update { snapshot in
        var outline = snapshot.outline(ofSection: "main") ?? Outline()
        outline.delete(["mine"])
        outline.setChildrenUnloaded(of: ["a"])
        outline.expand(["a"])
        try snapshot.setOutline(outline, forSection: "main")
      }
    }
    try await wait { provider.asked == ["a", "a"] }
    #expect(provider.cancelled == ["a"])
    provider.answer("a", .success(try Outline(["loaded"])))
    try await wait { await outline(source).visibleItems == ["a", "loaded", "b"] }
  }

  @Test("an error is forgotten by the revision that asks again, not later")
  func staleError() async throws {
    let provider = Provider()
    let source = try await source(provider)
    try await source.update { $0.expandItems(["a"]) }
    try await wait { provider.asked == ["a"] }
    provider.answer("a", .failure(Unreachable()))
    try await wait { await source.childrenError(of: "a") != nil }
    try await source.perform { source in
      try source.update { $0.expandItems(["a"]) }
      #expect(source.childrenError(of: "a") == nil)
      // Nothing is left to load.
      try source.update { try $0.replaceItems(childrenOf: "a", using: Outline(["mine"])) }
    }
    try await source.expandItem("a")
    #expect(await outline(source).visibleItems == ["a", "mine", "b"])
  }
}

extension Actor {
  /// Runs something on the actor, with nothing in between.
  func perform(_ body: @Sendable (isolated Self) throws -> Void) rethrows {
    try body(self)
  }
}
