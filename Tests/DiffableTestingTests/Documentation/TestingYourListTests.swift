import Diffable
import DiffableTesting
import Foundation
import Testing

@Suite("The code of the article “Testing your list”")
struct TestingYourListTests {
  struct FileID: Hashable, Sendable {
    let path: String
    init(path: String) { self.path = path.lowercased() }
  }

  @Test("identifiers, data source, renderer")
  func article() async throws {
    let files = [FileID(path: "/Readme"), FileID(path: "/README"), FileID(path: "/License")]
    #expect(DifferenceLaw.identityViolations(among: files).isEmpty)
    var old = Snapshot<String, FileID>()
    old.appendSections(["files"])
    try old.appendItems(files.suffix(2))
    var new = old
    try new.moveItem(files[2], beforeItem: files[1])
    try DifferenceLaw.check(from: old, to: new)
    let source = DataSourceActor<String, FileID>()
    var view = ListSimulator<String, FileID>(profile: .collectionView)
    var batches = source.updates().makeAsyncIterator()
    for state in [old, new] {
      try await source.apply(state)
      if let batch = await batches.next() {
        let violations = view.perform(batch)
        #expect(violations.isEmpty, "\(violations)")
      }
    }
    #expect(view.shown == new)
    var screen = ListSimulator(showing: old, profile: .tableView)
    let last = ItemPath(section: 0, item: 1)
    let wrong = screen.perform([.deleteItem(last)], from: old, to: new)
    #expect(wrong.map(\.rule) == [.c6, .c7])
  }

  @Test("random states")
  func states() throws {
    for seed in 0..<20 as Range<UInt64> {
      var generator = SnapshotGenerator(
        seed: seed, section: { "section \($0)" }, item: { FileID(path: "/\($0)") })
      let before = generator.snapshot(.uneven(sections: 4, items: 20))
      let after = generator.changing(before, by: .mixed)
      let violations = try ListSimulator.violations(from: before, to: after, profile: .sequential)
      #expect(violations.isEmpty, "seed \(seed): \(violations)")
    }
  }

  @Test("random scripts")
  func scripts() throws {
    var generator = SnapshotGenerator<Int, Int>(seed: 7, section: { $0 }, item: { $0 })
    var snapshot = Snapshot<Int, Int>()
    var script: [SnapshotEdit<Int, Int>] = []
    for _ in 0..<30 {
      let edit = generator.edit(of: snapshot)
      script.append(edit)
      // One edit in eight names something that is not there and is refused.
      try? edit.apply(to: &snapshot)
    }
    #expect(throws: Never.self, "\(script.swiftCode())") { try snapshot.validate() }
  }

  @Test("the article says what is compiled here, line by line")
  func sameText() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appending(
        path: "Sources/DiffableTesting/DiffableTesting.docc/TestingYourList.md"),
      encoding: .utf8)
    let tests = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let compiled = unindented(tests)
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 6)
    for block in blocks {
      let code = unindented(block.components(separatedBy: "```")[0])
      #expect(compiled.contains(code), "\(code)")
    }
  }

  private func unindented(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.joined(separator: "\n")
  }
}
