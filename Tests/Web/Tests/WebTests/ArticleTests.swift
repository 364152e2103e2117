import Foundation
import Testing

/// The code of the server that the documentation shows is that of the server.
@Test("Following from elsewhere shows the handler as it is")
func handler() throws {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  let package = tests.deletingLastPathComponent().deletingLastPathComponent()
  let root = package.deletingLastPathComponent().deletingLastPathComponent()
  func text(_ path: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }
  let article = try text(
    "Sources/DiffableSync/DiffableSync.docc/FollowingFromElsewhere.md", in: root)
  for file in ["ListResponse", "ConnectionLimits"] {
    // What the handler is visible to is a matter of that package.
    let code = try text("Sources/WebLists/\(file).swift", in: package)
      .replacing("package ", with: "")
    #expect(article.contains("```swift hummingbird\n\(code)```\n"), "\(file)")
  }
}
