import Diffable
import DiffableTesting
import Foundation
import ListSupport
import Testing

@Suite("Every refusal is typed, says what was wrong, and changes nothing")
struct SnapshotErrorTests {
  typealias List = Snapshot<String, String>
  typealias Edit = SnapshotEdit<String, String>

  static let unknownItems: [Edit] = [
    .insertItemsBefore(["x"], "?"), .insertItemsAfter(["x"], "?"), .moveItemBefore("?", "a"),
    .moveItemBefore("a", "?"), .moveItemAfter("?", "a"), .moveItemAfter("a", "?"),
    .moveItemAfter("?", "?"), .reloadItems(["a", "?"]), .reconfigureItems(["b", "?"]),
    .insertItemsBefore([], "?"), .insertItemsAfter(["?"], "?"), .moveItemInto("?", "a"),
    .moveItemInto("a", "?"), .moveItemToSection("?", "A"), .moveItemToSection("?", "B"),
    .replaceChildren("?", ["x"], []),
  ]

  static let unknownSections: [Edit] = [
    .insertSectionsBefore(["X"], "?"), .insertSectionsAfter(["X"], "?"),
    .insertSectionsAfter(["?"], "?"), .moveSectionBefore("?", "A"), .moveSectionBefore("A", "?"),
    .moveSectionAfter("?", "A"), .moveSectionAfter("A", "?"), .moveSectionBefore("?", "?"),
    .reloadSections(["A", "?"]), .appendItems(["x"], "?"), .appendItems([], "?"),
    .replaceItems("?", ["x"]), .keepLastItems(0, "?"), .moveItemToSection("a", "?"),
    .moveItemToSection("?", "?"),
  ]

  private func refusal(of edit: Edit, on start: List) -> SnapshotError? {
    var snapshot = start
    let error = #expect(throws: SnapshotError.self, "\(edit)") { try edit.apply(to: &snapshot) }
    #expect(snapshot == start)
    // The description shows the marks as well, which equality leaves out.
    #expect(snapshot.description == start.description)
    return error
  }

  @Test(arguments: unknownItems)
  func unknownItem(edit: Edit) {
    #expect(refusal(of: edit, on: List("A[a* b~] B[]")) == .unknownItem([AnyItemID("?")]))
  }

  @Test(arguments: unknownSections)
  func unknownSection(edit: Edit) {
    #expect(refusal(of: edit, on: List("A*[a] B[b]")) == .unknownSection([AnyItemID("?")]))
  }

  @Test("appending to the last section of none")
  func noSections() {
    #expect(refusal(of: .appendItems(["a"], nil), on: List()) == .noSections)
    #expect(refusal(of: .appendItems([], nil), on: List()) == .noSections)
  }

  @Test("all unknown identifiers of a call are named")
  func allNamed() {
    let error = refusal(of: .reloadItems(["x", "a", "y"]), on: List("A[a]"))
    #expect(error?.identifiers == [AnyItemID("x"), AnyItemID("y")])
  }

  @Test("duplicate items are named with all their places")
  func duplicateItems() {
    let error = #expect(throws: SnapshotError.self) {
      try List("A[a b a] B[b c]").validate()
    }
    #expect(
      error
        == .duplicateItems([
          .init(
            identifier: AnyItemID("a"),
            places: [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 2)]),
          .init(
            identifier: AnyItemID("b"),
            places: [ItemPath(section: 0, item: 1), ItemPath(section: 1, item: 0)]),
        ]))
    #expect(error?.code == "duplicateItems")
    #expect(error?.description.contains("“a” is at [0, 0] and [0, 2]") == true)
    #expect(error?.description.contains(". Nothing was changed. Keep each item once") == true)
  }

  @Test("duplicate sections are named with all their places, before any item is")
  func duplicateSections() {
    let error = #expect(throws: SnapshotError.self) {
      try List("A[a] B[] A[a] A[]").validate()
    }
    #expect(
      error == .duplicateSections([.init(identifier: AnyItemID("A"), places: [0, 2, 3])]))
    #expect(error?.code == "duplicateSections")
  }

  @Test("a difference that does not fit is refused")
  func inapplicable() {
    let (old, new) = (List("A[a b] B[]"), List("A[b] B[]"))
    var differences: [SnapshotDifference] = []
    func add(_ edit: (inout SnapshotDifference) -> Void) {
      var difference = SnapshotDifference()
      edit(&difference)
      differences.append(difference)
    }
    let (here, there) = (ItemPath(section: 0, item: 0), ItemPath(section: 7, item: 0))
    add { $0.itemDeletes = [ItemPath(section: 0, item: 2)] }
    add { $0.itemDeletes = [ItemPath(section: 0, item: -1)] }
    add { $0.itemDeletes = [there] }
    add { $0.itemInserts = [ItemPath(section: 0, item: 9)] }
    add { $0.itemInserts = [there] }
    add { $0.itemMoves = [Move(from: there, to: here)] }
    add { $0.itemMoves = [Move(from: here, to: there)] }
    add { $0.itemMoves = [Move(from: here, to: here), Move(from: here, to: here)] }
    add { $0.sectionDeletes.insert(contentsOf: 1..<3) }
    add { $0.sectionDeletes.insert(contentsOf: -1..<1) }
    add { $0.sectionInserts.insert(contentsOf: 4..<5) }
    add { $0.sectionMoves = [Move(from: 0, to: 2)] }
    add { $0.sectionMoves = [Move(from: 2, to: 0)] }
    add {
      $0.sectionDeletes.insert(contentsOf: 0..<1)
      $0.itemDeletes = [here]
    }
    add {
      $0.itemDeletes = [here]
      $0.itemMoves = [Move(from: here, to: here)]
    }
    for range in [-1..<1, 1..<3, Int.min..<Int.max] {
      add { $0.sectionReloads.insert(contentsOf: range) }
      add { $0.sectionReconfigures.insert(contentsOf: range) }
      add { $0.outlineChanges.insert(contentsOf: range) }
      add { $0.sectionInserts.insert(contentsOf: range) }
    }
    for path in [Int.min, -1, 2, Int.max].map({ ItemPath(section: 0, item: $0) }) + [there] {
      add { $0.itemReloads = [path] }
      add { $0.itemReconfigures = [path] }
      add { $0.itemRenames = [path] }
    }
    for difference in differences {
      let error = #expect(throws: SnapshotError.self, "\(difference)") {
        try old.applying(difference, insertsFrom: new)
      }
      #expect(error?.code == "inapplicableDifference")
    }
  }

  @Test("only what is inserted is read from the target")
  func readFromTarget() throws {
    let old = List("A[a b] B[c]")
    func replayed(on target: String, _ edit: (inout SnapshotDifference) -> Void) throws -> List {
      var difference = SnapshotDifference()
      edit(&difference)
      return try old.applying(difference, insertsFrom: List(target))
    }
    for target in ["", "X[x]", "A[a b] B[c]"] {
      #expect(
        try replayed(on: target) {
          $0.itemReconfigures = [ItemPath(section: 0, item: 1), ItemPath(section: 1, item: 0)]
          $0.itemReloads = [ItemPath(section: 0, item: 0)]
          $0.sectionReconfigures.insert(contentsOf: 1..<2)
          $0.sectionReloads.insert(contentsOf: 0..<1)
        } == old)
      #expect(
        try replayed(on: target) {
          $0.sectionMoves = [Move(from: 1, to: 0)]
          $0.itemDeletes = [ItemPath(section: 0, item: 0)]
          $0.itemMoves = [
            Move(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 0, item: 1))
          ]
          $0.itemReconfigures = [ItemPath(section: 0, item: 1)]
        } == List("B[c b] A[]"))
    }
    #expect(
      try replayed(on: "X[x]") { $0.itemInserts = [ItemPath(section: 0, item: 0)] }
        == List("A[x a b] B[c]"))
  }

  @Test("an error about a million rows stays readable")
  func longLists() throws {
    var snapshot = Snapshot<Int, Int>()
    snapshot.appendSections([0])
    try snapshot.appendItems(Array(0..<2_000) + Array(0..<2_000))
    let error = #expect(throws: SnapshotError.self) { try snapshot.validate() }
    #expect(error?.identifiers.count == 2_000)
    #expect((error?.description.count ?? 0) < 1_000)
  }
}
