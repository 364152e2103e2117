import Diffable
import DiffableTesting
import Foundation
import Testing

@Suite("A snapshot is a value: marks, equality, notation, coding")
struct SnapshotValueTests {
  typealias List = Snapshot<String, String>

  @Test("equality compares sections and items, not marks")
  func equality() {
    #expect(List("A[a* b~] B*[]") == List("A[a b] B[]") && List("A[a b]") != List("A[b a]"))
    #expect(List("A[a] B[]") != List("A[] B[a]") && List("A[a]") != List("B[a]"))
    #expect(List("A[]") != List())
  }

  @Test(
    "the description can be read back",
    arguments: [
      "main[a b* c~] archive*[]", "A[]", "A[a] B[b c] C[]", "A*[a* b*]",
    ])
  func notation(text: String) {
    #expect(List(text).description == text)
  }

  @Test("a reload mark wins over a reconfigure mark, whichever comes first")
  func strongerMark() throws {
    var snapshot = List("A[a b]")
    try snapshot.reconfigureItems(["a"])
    try snapshot.reloadItems(["a", "b"])
    try snapshot.reconfigureItems(["b"])
    #expect(snapshot.reloadedItemIdentifiers == ["a", "b"])
    #expect(snapshot.reconfiguredItemIdentifiers == [])
  }

  @Test("a mark goes with its item or section, and does not come back with it")
  func marksGo() throws {
    var snapshot = List("A*[a* b~] B*[c]")
    snapshot.deleteItems(["a"])
    snapshot.deleteSections(["B"])
    #expect(snapshot.description == "A*[b~]")
    snapshot.appendSections(["B"])
    try snapshot.appendItems(["a"])
    #expect(snapshot.description == "A*[b~] B[a]")
    try snapshot.replaceItems(inSection: "A", with: ["x"])
    try snapshot.replaceItems(inSection: "A", with: ["b"])
    #expect(snapshot.description == "A*[b] B[a]")
    snapshot.deleteSections(["A"])
    #expect(snapshot.reloadedSectionIdentifiers == [])
  }

  @Test("marks on what the same change inserts mean nothing")
  func marksOnNew() throws {
    let difference = try List("A[a x*] B*[y~]").difference(from: List("A[a]"))
    #expect(!difference.hasRefreshes)
  }

  @Test("marks become reloads by old and reconfigures by new positions")
  func markPositions() throws {
    let difference = try List("C[] B*[x b~] A[a*]").difference(from: List("B[b] A[y a]"))
    #expect(difference.itemReloads == [ItemPath(section: 1, item: 1)])
    #expect(difference.itemReconfigures == [ItemPath(section: 1, item: 1)])
    #expect(difference.sectionReloads.ranges.map(\.self) == [0..<1])
  }

  @Test("the format is the one that the command reads")
  func format() throws {
    let json = #"""
      {"sections":[{"id":"s","items":["a","b"]},{"id":"t","items":[]}],
       "reload":["a"],"reconfigure":["b"],"reloadSections":["t"]}
      """#
    let snapshot = try JSONDecoder().decode(List.self, from: Data(json.utf8))
    #expect(snapshot.description == "s[a* b~] t*[]")
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(
        List.self, from: Data(#"{"sections":[],"reload":["?"]}"#.utf8))
    }
  }
}
