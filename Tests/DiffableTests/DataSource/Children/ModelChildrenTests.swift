import Diffable
import ListSupport
import TestScope
import Testing

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
