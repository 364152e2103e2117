import Diffable
import ListSupport
import TestScope
import Testing

@Suite("Undo of changes among which children were loaded", .deadline)
struct UndoneChildrenTests {
  typealias TreeSource = DataSourceActor<String, String>

  private enum Event: CaseIterable {
    case expand, expandAndCollapse, expandUnreadable, collapse, moveInto, add
  }

  private struct Unreadable: Error {}

  /// The section `main`, with a and b, whose children are not loaded, and c.
  ///
  /// Those of b cannot be loaded.
  private func source() throws -> TreeSource {
    var outline = try Outline(["a", "b", "c"])
    outline.setChildrenUnloaded(of: ["a", "b"])
    var snapshot = Snapshot<String, String>()
    snapshot.appendSections(["main"])
    try snapshot.setOutline(outline, forSection: "main")
    return try TreeSource(snapshot) { folder in
      guard folder == "a" else { throw Unreadable() }
      return try Outline(["a1", "a2"])
    }
  }

  private func run(_ event: Event, number: Int, on source: TreeSource) async throws {
    switch event {
    case .expand: try await source.update { $0.expandItems(["a"]) }
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
}
