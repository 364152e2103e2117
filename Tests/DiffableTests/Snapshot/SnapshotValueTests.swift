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

@Suite("No input traps")
struct SnapshotTotalityTests {
  typealias List = Snapshot<String, String>

  @Test("positions of every sign and size", arguments: [Int.min, -1, 0, 1, 2, 3, Int.max])
  func positions(index: Int) {
    for snapshot in [List(), List("A[]"), List("A[a] B[b c]")] {
      let sections = snapshot.sectionIdentifiers
      #expect(
        snapshot.sectionIdentifier(at: index)
          == (sections.indices.contains(index) ? sections[index] : nil))
      for item in [Int.min, -1, 0, 1, 2, Int.max] {
        let path = ItemPath(section: index, item: item)
        let expected =
          sections.indices.contains(index)
          ? snapshot.itemIdentifiers(inSection: sections[index]) : []
        #expect(
          snapshot.itemIdentifier(for: path)
            == (expected.indices.contains(item) ? expected[item] : nil))
      }
    }
  }

  @Test("empty arguments change nothing")
  func emptyArguments() throws {
    var snapshot = List("A[a] B[b]")
    let start = snapshot
    snapshot.appendSections([])
    try snapshot.insertSections([], beforeSection: "A")
    try snapshot.insertSections([], afterSection: "B")
    snapshot.deleteSections([])
    try snapshot.reloadSections([])
    try snapshot.appendItems([])
    try snapshot.appendItems([], toSection: "A")
    try snapshot.insertItems([], beforeItem: "a")
    try snapshot.insertItems([], afterItem: "b")
    snapshot.deleteItems([])
    snapshot.deleteItems { _ in false }
    try snapshot.reloadItems([])
    try snapshot.reconfigureItems([])
    #expect(snapshot == start)
    try snapshot.replaceItems(inSection: "A", with: [])
    #expect(snapshot == List("A[] B[b]"))
  }

  @Test("an anchor among the inserted makes a duplicate, which is found later")
  func anchorAmongInserted() throws {
    var snapshot = List("A[a b]")
    try snapshot.insertItems(["x", "a"], beforeItem: "a")
    #expect(snapshot.itemIdentifiers == ["x", "a", "a", "b"])
    let error = #expect(throws: SnapshotError.self) { try snapshot.validate() }
    #expect(error?.identifiers == [AnyItemID("a")])
  }

  @Test("unknown and repeated identifiers to delete are ignored")
  func deletes() {
    var snapshot = List("A[a b] B[c]")
    snapshot.deleteItems(["?", "a", "a"])
    snapshot.deleteSections(["?", "B", "B"])
    #expect(snapshot == List("A[b]"))
    snapshot.deleteAllItems()
    snapshot.deleteAllItems()
    #expect(snapshot == List())
    snapshot.deleteSections(["A"])
    #expect(snapshot.description == "∅")
  }

  @Test("a condition that throws while it deletes leaves a snapshot that answers")
  func throwingCondition() {
    struct Stop: Error {}
    var snapshot = List("A[a b c] B[d]")
    #expect(throws: Stop.self) {
      try snapshot.deleteItems { item in
        if item == "c" { throw Stop() }
        return true
      }
    }
    #expect(snapshot.numberOfItems == snapshot.itemIdentifiers.count)
    for item in snapshot.itemIdentifiers { #expect(snapshot.containsItem(item)) }
  }

  @Test(
    "any edits with few identifiers, so that nearly everything stands twice",
    arguments: 0..<20 as Range<UInt64>)
  func duplicatesEverywhere(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var snapshot = Snapshot<Int, Int>()
    for _ in 0..<80 {
      try? anyEdit(&random).apply(to: &snapshot)
      // What stands where, position by position.
      var places: [Int: [ItemPath]] = [:]
      var sections: [Int: [Int]] = [:]
      var count = 0
      while let section = snapshot.sectionIdentifier(at: count) {
        sections[section, default: []].append(count)
        var path = ItemPath(section: count, item: 0)
        while let item = snapshot.itemIdentifier(for: path) {
          places[item, default: []].append(path)
          path.item += 1
        }
        count += 1
      }
      #expect(snapshot.numberOfSections == count)
      #expect(snapshot.itemIdentifiers.count == snapshot.numberOfItems)
      for item in 0..<4 {
        #expect(snapshot.containsItem(item) == (places[item] != nil), "seed \(seed)")
        #expect(snapshot.itemPath(for: item).map { places[item]?.contains($0) == true } != false)
        #expect(snapshot.containsSection(item) == (sections[item] != nil))
        _ = snapshot.items(inSection: item).map(\.self)
      }
      #expect(
        error(of: snapshot) == expectedError(sections: sections, items: places), "seed \(seed)")
    }
  }

  private func error(of snapshot: Snapshot<Int, Int>) -> SnapshotError? {
    do throws(SnapshotError) {
      try snapshot.validate()
      return nil
    } catch {
      return error
    }
  }

  private func expectedError(
    sections: [Int: [Int]], items: [Int: [ItemPath]]
  ) -> SnapshotError? {
    let twice = sections.filter { $0.value.count > 1 }.sorted { $0.value[0] < $1.value[0] }
    guard twice.isEmpty else {
      return .duplicateSections(
        twice.map { .init(identifier: AnyItemID($0.key), places: $0.value) })
    }
    let items = items.filter { $0.value.count > 1 }.sorted { $0.value[0] < $1.value[0] }
    return items.isEmpty
      ? nil
      : .duplicateItems(items.map { .init(identifier: AnyItemID($0.key), places: $0.value) })
  }

  private func anyEdit(_ random: inout SplitMix64) -> SnapshotEdit<Int, Int> {
    let (id, other) = (random.number(below: 5), random.number(below: 5))
    let ids = (0..<random.number(below: 3)).map { _ in random.number(below: 4) }
    let edits: [SnapshotEdit<Int, Int>] = [
      .appendSections(ids), .insertSectionsBefore(ids, id), .insertSectionsAfter(ids, id),
      .deleteSections(ids), .moveSectionBefore(id, other), .moveSectionAfter(id, other),
      .reloadSections(ids), .reconfigureSections(ids), .appendItems(ids, nil),
      .appendItems(ids, id),
      .insertItemsBefore(ids, id), .insertItemsAfter(ids, id), .replaceItems(id, ids),
      .deleteItems(ids), .deleteItemsWhere(ids), .moveItemBefore(id, other),
      .moveItemAfter(id, other), .reloadItems(ids), .reconfigureItems(ids),
      .moveItemToSection(id, other), .keepLastItems(id - 1, other),
    ]
    return random.element(of: edits) ?? .deleteAllItems
  }
}
