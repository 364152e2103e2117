import Foundation
import Testing
import ToolchainSupport

/// The code that the documentation shows compiles, and prints what the documentation says.
@Suite(.timeLimit(.minutes(15)))
struct PageTests {
  /// The modules that pages import, linked once for all of them.
  private static let library = Task {
    // Beside the modules, so that each way to build has its own and none is left in another place.
    let library = try BuiltModules().products.appendingPathComponent("documented-modules.library")
    try await withTemporaryFolder { folder in
      let linked = folder.appendingPathComponent("modules.library")
      let result = try await SwiftCompiler().link(Page.modules, to: linked)
      try #require(result.status == 0, "\(result.errors)")
      // Another run may be using the one that is there.
      try? FileManager.default.removeItem(at: library)
      try FileManager.default.moveItem(at: linked, to: library)
    }
    return library
  }

  @Test("The program of a page prints what the page says", arguments: Page.all.flatMap(\.programs))
  func program(of page: Page) async throws {
    let compiler = try SwiftCompiler()
    try await withTemporaryFolder { folder in
      let source = folder.appendingPathComponent("Page.swift")
      let executable = folder.appendingPathComponent("page")
      try Data(page.program.utf8).write(to: source)
      let built = try await compiler.build(
        [source], linking: Self.library.value, to: executable)
      try #require(built.status == 0, "\(built.errors)")
      let result = try await executable.run([])
      #expect(result.output == page.expectedOutput)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test("The pages are found")
  func pagesAreFound() {
    let paths = Page.all.map(\.path)
    #expect(paths.contains("README.md"))
    #expect(paths.contains("Sources/Diffable/Diffable.docc/Diffable.md"))
    #expect(paths.contains("Sources/DiffableViews/DiffableViews.docc/DiffableViews.md"))
    let programs = Page.all.filter(\.hasProgram).map(\.path)
    #expect(programs.count { !$0.contains("DiffableUI.docc") } == 38)
    #if os(Linux)
    #expect(programs.contains("Sources/DiffableUI/DiffableUI.docc/MovingOverFromApple.md"))
    #endif
    let tutorial = Page.all.first { $0.path == Page.pathOfSteps }
    #expect(tutorial?.programs.map(\.step) == [1, 2, 3, 4, 5, 6])
    #expect(tutorial?.programs.last?.blocks.count == tutorial?.blocks.count)
  }

  @Test("A link of a page at the top leads to a file", arguments: Page.all.filter(\.isAtTheTop))
  func links(of page: Page) throws {
    let url = Page.root.appendingPathComponent(page.path)
    let text = try String(contentsOf: url, encoding: .utf8)
    let links =
      text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
      + text.matches(of: /(?m)^\[[^\]]+\]: (\S+)$/).map { String($0.1) }
    for link in links where !link.hasPrefix("https:") {
      let file = Page.root.appendingPathComponent(link)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
    }
    #expect(page.path != "README.md" || links.count > 10)
  }

  @Test("A wrong program is not accepted")
  func wrongProgram() async throws {
    let page = Page(
      path: "wrong.md",
      text: """
        ```swift
        import Diffable

        let source = DataSourceActor<String, Int>()
        try source.apply(Snapshot())
        ```
        """)
    let compiler = try SwiftCompiler()
    let result = try await withTemporaryFolder { folder in
      let source = folder.appendingPathComponent("Page.swift")
      try Data(page.program.utf8).write(to: source)
      return try await compiler.check([source])
    }
    #expect(result.status != 0)
    #expect(result.errors.contains("wrong.md:5"))
    #expect(result.errors.contains("no such module") == false)
  }
}
