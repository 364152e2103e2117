import Diffable
import TestScope
import Testing

@Suite("Rows that a collapsed row hides count like all others", .deadline)
struct HiddenDuplicateTests {
  private typealias List = Snapshot<Int, Int>

  /// `0[1 3] 5[4 2]`: the second of the first section's roots hides 2, or the first one does.
  private func list(hiding parent: Int) throws -> List {
    var outline = try Outline([1, 3])
    try outline.append([2], to: parent)
    var list = List()
    list.appendSections([0, 5])
    try list.setOutline(outline, forSection: 0)
    try list.appendItems([4, 2], toSection: 5)
    return list
  }

  @Test("One that is also elsewhere is named at the row that hides it", arguments: [1, 3])
  func named(parent: Int) throws {
    let list = try list(hiding: parent)
    let error = #expect(throws: SnapshotError.self) { try list.validate() }
    #expect(
      error
        == .duplicateItems([
          .init(
            identifier: AnyItemID(2), places: [ItemPath(section: 1, item: 1)],
            hiddenPlaces: [ItemPath(section: 0, item: parent / 2)])
        ]))
  }

  @Test("Rows that share a hash are not the same", arguments: 1...3) func hashes(count: Int) throws
  {
    func item(_ number: Int) -> FewHashes { FewHashes(number: number, hashCount: count) }
    for size in [2, 3, 9, 20, 100] {
      var outline = Outline<FewHashes>()
      try outline.append([item(0)])
      try outline.append((1..<size).map(item), to: item(0))
      var list = FewHashesList()
      list.appendSections([item(0), item(1)])
      try list.setOutline(outline, forSection: item(0))
      try list.appendItems([item(size)], toSection: item(1))
      #expect(throws: Never.self) { try list.validate() }
      try list.appendItems([item(size - 1)], toSection: item(1))
      #expect(throws: SnapshotError.self) { try list.validate() }
    }
  }
}
