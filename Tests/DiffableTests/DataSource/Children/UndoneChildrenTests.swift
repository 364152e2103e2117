import Diffable
import ListSupport
import TestScope
import Testing

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
    var outline = try Outline(["a", "folder", "inside"], levels: [0, 0, 1])
    outline.setChildrenUnloaded(of: ["a"])
    outline.expand(["folder"])
    let snapshot = try Snapshot<String, String>(outline, in: "main")
    let source = try TreeSource(snapshot) { _ in
      try Outline(["folder", "known", "last"], levels: [0, 1, 0], expanding: ["folder"])
    }
    try await source.update { snapshot in
      try snapshot.moveItem("folder", intoItem: "a")
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
        """)
  }
}
