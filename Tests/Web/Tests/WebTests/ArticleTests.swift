import Foundation
import Testing

@testable import WebLists

/// A text of this repository.
func text(_ path: String) throws -> String {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  let package = tests.deletingLastPathComponent().deletingLastPathComponent()
  let root = package.deletingLastPathComponent().deletingLastPathComponent()
  return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// The code of the server that the documentation shows is that of the server.
@Test("Following from elsewhere shows the handler as it is")
func handler() throws {
  let article = try text("Sources/DiffableSync/DiffableSync.docc/FollowingFromElsewhere.md")
  for file in ["ListResponse", "ConnectionLimits"] {
    // What the handler is visible to is a matter of that package.
    let code = try text("Tests/Web/Sources/WebLists/\(file).swift")
      .replacing("package ", with: "")
    #expect(article.contains("```swift hummingbird\n\(code)```\n"), "\(file)")
  }
}

/// The code of the client that the documentation shows is what the tests of a client run.
@Test("A client on Apple's systems shows the client as it is")
func client() throws {
  let article = try text("Sources/DiffableSync/DiffableSync.docc/AClientOnApplesSystems.md")
  for file in ["ListServer", "ListClient"] {
    let code = try text("Tests/Web/Tests/WebTests/Client/\(file).swift")
    #expect(article.contains("```swift\n\(code)```\n"), "\(file)")
  }
}

/// The compiler has seen the rest of the program.
@Test("Following from elsewhere shows how a server is started")
func start() throws {
  let article = try text("Sources/DiffableSync/DiffableSync.docc/FollowingFromElsewhere.md")
  let file = try text("Tests/Web/Tests/WebTests/ArticleServer.swift")
  let code = try #require(file.firstMatch(of: /(?s)\n(\/\/\/ Serves.*)/)?.1)
  #expect(article.contains("```swift hummingbird\n\(code)```\n"))
}

/// The code for a page that the tutorial shows runs in one.
@Test(
  "From memory to a service shows how a page follows a list",
  .enabled(if: ChromeDriver.isInstalled), .timeLimit(.minutes(5)))
func tutorial() async throws {
  let article = try text("Sources/Diffable/Diffable.docc/FromMemoryToAService.md")
  let block = try #require(article.firstMatch(of: /(?s)```js\n(.*?)```/)?.1)
  // What a driver runs is no module, and imports in another way.
  let code = block.replacing(
    #"import { FollowedList } from "./diffable/list.js""#,
    with: #"const { FollowedList } = await import("/diffable/list.js")"#)
  let source = try await BoardSource.sample()
  try await ChromeDriver.withBrowsers { browsers in
    try await serving([.board(source)]) { address in
      try await browsers[0].open(address)
      let shown: [String] = try await browsers[0].result(
        of: """
          const shown = []
          const show = (column, cards) => {
            shown.push(`${column}:${cards.map(({ title, isDone }) => title + (isDone ? "*" : "")).join()}`)
            if (column === "Done") done(shown)
          };
          (async () => { \(code) })().catch((error) => done([String(error)]))
          """)
      #expect(await shown.joined(separator: ";") == source.text)
    }
  }
}

/// An article of `DiffableWeb`.
struct Article {
  let text: String

  init(_ name: String) throws {
    text = try WebTests.text("Sources/DiffableWeb/DiffableWeb.docc/\(name).md")
  }

  /// The code of the first block of a language that has a text.
  func block(_ language: String, _ words: String) throws -> String {
    let blocks = text.split(separator: "\n```\(language)\n").dropFirst()
    let codes = blocks.compactMap { $0.split(separator: "\n```\n").first }
    return String(try #require(codes.first { $0.contains(words) }))
  }
}

/// The code that serves a page and the modules is that of a server.
@Test("A list in a page shows the server as it is")
func pageServer() throws {
  let article = try Article("AListInAPage").text
  let response = try text("Tests/Web/Sources/WebLists/ModuleResponse.swift")
  #expect(article.contains("```swift hummingbird\n\(response)```\n"))
  let file = try text("Tests/Web/Tests/WebTests/Pasted/PastedServer.swift")
  let code = try #require(file.firstMatch(of: /(?s)\n(struct Errand.*)/)?.1)
  #expect(article.contains("```swift hummingbird\n\(code)```\n"))
}
