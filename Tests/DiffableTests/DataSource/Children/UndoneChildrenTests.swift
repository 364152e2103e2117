import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable

@Suite("Undo of changes among which children were loaded", .deadline)
struct UndoneChildrenTests {
  typealias TreeSource = DataSourceActor<String, String>

  private enum Event: CaseIterable {
    case expand, expandAndMoveInto, expandAndCollapse, expandUnreadable, collapse, moveInto, add
  }

  private struct Unreadable: Error {}

  /// The section `main`, with a and b, whose children are not loaded, and c.
  ///
  /// Those of b cannot be loaded.
  private func source() throws -> TreeSource {
    var outline = try Outline(["a", "b", "c"])
    outline.setChildrenUnloaded(of: ["a", "b"])
    let snapshot = try Snapshot<String, String>(outline, in: "main")
    return try TreeSource(snapshot) { folder in
      guard folder == "a" else { throw Unreadable() }
      return try Outline(["a1", "a2"])
    }
  }

  private func run(_ event: Event, number: Int, on source: TreeSource) async throws {
    switch event {
    case .expand: try await source.update { $0.expandItems(["a"]) }
    case .expandAndMoveInto:
      try await source.update { $0.expandItems(["a"]) }
      try await source.update { try $0.moveItem("c", intoItem: "a") }
    case .expandAndCollapse:
      try await source.update { $0.expandItems(["a"]) }
      try await source.update { $0.collapseItems(["a"]) }
    case .expandUnreadable: try await source.update { $0.expandItems(["b"]) }
    case .collapse: try await source.update { $0.collapseItems(["a"]) }
    case .moveInto: try await source.update { try $0.moveItem("c", intoItem: "a") }
    case .add: try await source.update { try $0.appendItems(["\(number)"], toSection: "main") }
    }
    try await rest(source)
  }

  /// Waits until nothing is loading.
  private func rest(_ source: TreeSource) async throws {
    try await wait { await source.snapshot.loadingItems.isEmpty }
  }

  @Test("What was grouped with an undo of which nothing is left stays one step") func group()
    async throws
  {
    let source = try source()
    let start = await source.revision
    for number in 0..<2 { try await run(.add, number: number, on: source) }
    // The children cannot be loaded, so that it is collapsed already.
    try await source.update(named: "Open") { $0.expandItems(["b"]) }
    try await rest(source)
    source.groupUndo(since: start)
    try await source.undo(.named)
    #expect(await source.snapshot.itemIdentifiers == ["a", "b", "c", "0", "1"])
    try await source.undo()
    #expect(await source.snapshot.itemIdentifiers == ["a", "b", "c"])
  }

  @Test("It comes to the state before all of them, and redo back to the one after them")
  func everything() async throws {
    for program in everySequence(of: Event.allCases, length: scoped(usual: 3, wide: 4)) {
      let source = try source()
      let start = await source.snapshot
      for (number, event) in program.enumerated() {
        try await run(event, number: number, on: source)
      }
      let end = await source.snapshot
      var count = 0
      while try await source.undo() != nil, count < 40 {
        try await rest(source)
        count += 1
      }
      #expect(await source.snapshot == start, "\(program)")
      #expect(count < 40, "\(program)")
      // A load that was cancelled is made up for by an undo, and that is a change of its own.
      guard !program.contains(.expandAndCollapse) else { continue }
      while try await source.redo() != nil { try await rest(source) }
      #expect(await source.snapshot == end, "\(program)")
    }
  }

  @Test(
    "A row that comes below an item before its children do stays, after them",
    arguments: [true, false])
  func movedMeanwhile(isLoading: Bool) async throws {
    let source = try source()
    try await source.perform { source in
      if isLoading { try source.update { $0.expandItems(["a"]) } }
      try source.update { try $0.moveItem("c", intoItem: "a") }
      if !isLoading { try source.update { $0.expandItems(["a"]) } }
    }
    try await rest(source)
    #expect(await source.snapshot.itemIdentifiers == ["a", "a1", "a2", "c", "b"])
    #expect(await source.snapshot.outline(ofSection: "main")?.parent(of: "c") == "a")
  }

  @Test("A row that is dropped on an item while its children are loaded stays below it")
  func droppedMeanwhile() async throws {
    let source = try source()
    try await source.update { $0.expandItems(["a"]) }
    var drag = try #require(try await source.beginReorder(["c"]))
    _ = try drag.proposed(to: .into("a"))
    _ = try await drag.commit()
    try await rest(source)
    let outline = await source.snapshot.outline(ofSection: "main")
    #expect(Set(outline?.children(of: "a") ?? []) == ["a1", "a2", "c"])
  }

  @Test("A row that is among the loaded children, too, is where they have it")
  func loadedTwice() async throws {
    var outline = try Outline(
      ["a", "folder", "inside", "kept", "sub"], levels: [0, 0, 1, 0, 1])
    outline.setChildrenUnloaded(of: ["a", "sub"])
    outline.expand(["folder", "kept"])
    let snapshot = try Snapshot<String, String>(outline, in: "main")
    let source = try TreeSource(snapshot) { _ in
      try Outline(["folder", "known", "last"], levels: [0, 1, 0], expanding: ["folder"])
    }
    try await source.update { snapshot in
      try snapshot.moveItem("folder", intoItem: "a")
      try snapshot.moveItem("kept", intoItem: "a")
      snapshot.expandItems(["a"])
    }
    try await rest(source)
    #expect(
      await source.snapshot.outline(ofSection: "main")?.description
        == """
        ▾ a
          ▾ folder
            • known
            • inside
          • last
          ▾ kept
            ▸ sub …
        """)
  }
}

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
      // What the list refuses is among the refused writes; what the tree refuses was none.
      let isElsewhere = (try? answer.get()) == ["elsewhere"]
      #expect(source.metrics.rejected == (isElsewhere ? 1 : 0), "\(answer)")
      target.withLock { $0 = nil }
      input.finish()
    }
  }
}

@Suite("Children with models, loaded when somebody wants to see them", .deadline)
struct ModelChildrenTests {
  struct File: Identifiable, Equatable {
    let id: String
    var size: Int
    var isFolder: Bool { size == 0 }
  }

  struct Unreadable: Error {}

  /// `volume`: a folder whose content is a folder and a file, without end, and one that nobody can read.
  private func source() async throws -> ModelSource<String, File> {
    let source = ModelSource<String, File>(childrenProvider: { folder in
      guard folder.id != "secret" else { throw Unreadable() }
      let inside = [
        File(id: folder.id + "/sub", size: 0), File(id: folder.id + "/file", size: folder.id.count),
      ]
      return try ModelOutline(inside) { $0.isFolder }
    })
    try await fill(source, [File(id: "home", size: 0), File(id: "secret", size: 0)])
    return source
  }

  /// Gives a source some files, of which no folder is loaded.
  private func fill(_ source: ModelSource<String, File>, _ roots: [File]) async throws {
    var outline = try Outline(roots.map(\.id))
    outline.setChildrenUnloaded(of: roots.filter(\.isFolder).map(\.id))
    try await source.apply(Snapshot(outline, in: "volume"), models: roots)
  }

  @Test func `Children come with their models, and have children of their own`() async throws {
    let source = try await source()
    try await source.expandItem("home")
    #expect(await source.snapshot.itemIdentifiers == ["home", "home/sub", "home/file", "secret"])
    #expect(await source.model(for: "home/file") == File(id: "home/file", size: 4))
    try await source.expandItem("home/sub")
    #expect(await source.model(for: "home/sub/file")?.size == 8)
    let undone = try #require(try await source.undo())
    #expect(!undone.finalSnapshot.containsItem("home/sub/file"))
    #expect(undone.finalSnapshot.disclosure(of: "home/sub")?.sign == .collapsed)
  }

  @Test func `Undo of children that a writer has set has the models of the rows beside them`()
    async throws
  {
    // Nobody turns it, so a load ends only when it is cancelled.
    let clock = ManualClock()
    let source = ModelSource<String, File>(childrenProvider: { _ in
      try await clock.sleep(for: .seconds(1))
      throw Unreadable()
    })
    let roots = [File(id: "home", size: 0), File(id: "work", size: 0), File(id: "note", size: 1)]
    try await fill(source, roots)
    try await source.update { $0.snapshot.expandItems(["home", "work"]) }
    try await source.update { draft in
      for folder in ["home", "work"] {
        let child = File(id: folder + "/file", size: 3)
        try draft.snapshot.replaceItems(childrenOf: folder, using: Outline([child.id]))
        draft.setModel(child)
      }
      try draft.update("note") { $0.size = 5 }
    }
    #expect(await source.elements.map(\.size) == [0, 3, 0, 3, 5])
    try await source.undo()
    #expect(await source.elements == roots)
    #expect(await source.snapshot.loadingItems.isEmpty)
    try await source.redo()
    #expect(await source.elements.map(\.size) == [0, 3, 0, 3, 5])
  }

  @Test func `Models of other items than the children are ignored`() async throws {
    let source = ModelSource<String, File>(childrenProvider: { folder in
      let models = ["home", "home/file", "other"].map { File(id: $0, size: 9) }
      return ModelOutline(try Outline([folder.id + "/file"]), models: models)
    })
    let roots = [File(id: "home", size: 0), File(id: "other", size: 1)]
    try await fill(source, roots)
    try await source.expandItem("home")
    #expect(
      await source.elements == [roots[0], File(id: "home/file", size: 9), roots[1]])
  }

  @Test func `Children without models, or with an identifier that is there, are refused`()
    async throws
  {
    let source = ModelSource<String, File>(childrenProvider: { folder in
      folder.id == "twice"
        ? try ModelOutline([folder]) : ModelOutline(try Outline(["child"]), models: [])
    })
    try await fill(source, [File(id: "bare", size: 0), File(id: "twice", size: 0)])
    for item in ["bare", "twice"] {
      let error = try await #require(throws: ChildrenError<String>.self) {
        try await source.expandItem(item)
      }
      guard case .invalidChildren = error.reason else { throw error }
    }
    #expect(await source.snapshot.itemIdentifiers == ["bare", "twice"])
    #expect(throws: SnapshotError.self) {
      try ModelOutline([File(id: "a", size: 1), File(id: "a", size: 2)])
    }
  }
}
