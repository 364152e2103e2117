import Diffable
import DiffableTesting
import Testing

@Suite("A simulated view keeps a state and names what is wrong") struct ListSimulatorTests {
  typealias List = Snapshot<String, String>
  let old = List("A[a b]")
  let new = List("A[a b c]")

  private var insert: [ListOperation] { [.insertItem(ItemPath(section: 0, item: 2))] }

  @Test("C8: data that was switched before the update")
  func switchedEarly() {
    var view = ListSimulator(showing: old, profile: .collectionView)
    #expect(view.perform(insert, from: new, to: new).map(\.rule) == [.c8])
    #expect(view.shown == new)
  }

  @Test("C8: a batch that was meant for another state")
  func skippedBatch() throws {
    var view = ListSimulator(showing: old, profile: .collectionView)
    let later = try UpdateBatch(from: new, to: List("A[a b c d]"))
    let rules = view.perform(later).map(\.rule)
    #expect(rules.contains(.c8))
    #expect(rules.contains(.c6))
  }

  @Test("C8 accepts data that is switched inside the update")
  func switchedInside() {
    var view = ListSimulator(showing: old, profile: .collectionView)
    #expect(view.perform(insert, from: old, to: new).isEmpty)
  }

  @Test("S8: an update without a window or before the first layout, but a reset is accepted")
  func withoutWindow() {
    for prepare in [
      { (view: inout ListSimulator<String, String>) in view.isInWindow = false },
      { (view: inout ListSimulator<String, String>) in view.isLaidOut = false },
    ] {
      var view = ListSimulator(showing: old, profile: .tableView)
      prepare(&view)
      #expect(view.perform([UpdateStage(resettingTo: old)]).isEmpty)
      #expect(view.perform(insert, to: new).map(\.rule) == [.s8])
      view.isInWindow = true
      view.isLaidOut = true
      #expect(view.perform([], to: new).isEmpty)
    }
  }

  @Test("S9: the data has more sections than the view knows")
  func sectionCounts() {
    let longer = List("A[a b] B[]")
    var view = ListSimulator(showing: old, profile: .collectionView)
    let rules = view.perform([.insertSection(2)], from: longer, to: List("A[a b] B[] C[]"))
    #expect(rules.map(\.rule) == [.c8, .s9, .c4])
    #expect(view.perform([], from: view.shown, to: view.shown).isEmpty)
  }

  @Test("S12 counts all stages of a batch, and a limit in stages(for:) avoids it")
  func limits() throws {
    let limited = ListProfile.sequential.resetting(past: 2)
    let batch = try UpdateBatch(from: List("A[a b c]"), to: List("A[c x a]"))
    var view = ListSimulator(showing: List("A[a b c]"), profile: limited)
    #expect(view.perform(batch.stages(for: .sequential)).map(\.rule).contains(.s12))
    view.reset(to: List("A[a b c]"))
    #expect(view.perform(batch).isEmpty)
    #expect(batch.stages(for: limited).map(\.isReset) == [true])
  }

  @Test("S12 counts anew after a reset")
  func countAfterReset() {
    var (insert, delete) = (SnapshotDifference(), SnapshotDifference())
    insert.itemInserts = [ItemPath(section: 0, item: 2)]
    delete.itemDeletes = [ItemPath(section: 0, item: 2)]
    let stage = UpdateStage(difference: insert, snapshot: new)
    var view = ListSimulator(showing: old, profile: .collectionView.resetting(past: 1))
    #expect(view.perform([stage, UpdateStage(resettingTo: old), stage]).isEmpty)
    view.reset(to: old)
    let two = [stage, UpdateStage(difference: delete, snapshot: old)]
    #expect(view.perform(two).map(\.rule) == [.s12])
  }

  @Test("a violation says which rule, call, place and identifier")
  func typedViolation() throws {
    var view = ListSimulator(showing: List("A[] B[a b]"), profile: .collectionView)
    let violations = view.perform(
      [.moveItem(Move(from: ItemPath(section: 1, item: 1), to: ItemPath(section: 1, item: 0)))],
      to: List("A[] B[a b]"))
    let violation = try #require(violations.first)
    #expect(violations.count == 2)
    #expect(violation.rule == .c7)
    #expect(violation.indexSpace == .new)
    #expect(violation.position == .item(ItemPath(section: 1, item: 0)))
    #expect(violation.identifier == AnyItemID("a"))
    #expect(
      violation.description
        == "stage 0, C7: move item [1, 1] to [1, 0]: The cell of “a” shows “b”.")
  }

  @Test("A row gets another name with a refresh of its cell, and in no other way")
  func renames() {
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    func rules(
      _ renamed: Int?, to new: String = "A[z b]", from model: String? = nil,
      _ edit: (inout SnapshotDifference) -> Void
    ) -> [ListRule] {
      var difference = SnapshotDifference()
      if let renamed { difference.itemRenames = [path(renamed)] }
      edit(&difference)
      var view = ListSimulator(showing: old, profile: .collectionView)
      let stage = UpdateStage(difference: difference, snapshot: List(new))
      return view.perform([stage], from: model.map { List($0) }).map(\.rule)
    }
    for refresh: (inout SnapshotDifference) -> Void in [
      { $0.itemReconfigures = [path(0)] }, { $0.itemReloads = [path(0)] },
    ] {
      #expect(rules(0, refresh) == [])
      #expect(rules(nil, refresh) == [.c7])
      // The other row.
      #expect(rules(1, refresh) == [.c7])
      // The data may have the name slightly earlier, and nothing else.
      #expect(rules(0, from: "A[z b]", refresh) == [])
      #expect(rules(0, from: "A[z x]", refresh) == [.c8])
      #expect(rules(nil, from: "A[z b]", refresh) == [.c8, .c7])
    }
    let inserted = rules(0, to: "A[z b c]") {
      $0.itemReconfigures = [path(0)]
      $0.itemInserts = [path(2)]
    }
    #expect(inserted == [.c7])
    #expect(rules(0) { $0.sectionReloads.insert(contentsOf: 0..<1) } == [])
    #expect(rules(nil) { $0.sectionReloads.insert(contentsOf: 0..<1) } == [.s10])
    #expect(rules(1) { $0.sectionReloads.insert(contentsOf: 0..<1) } == [.s10])
    // A row that was not there before.
    #expect(rules(2, to: "A[a b c]") { $0.sectionReloads.insert(contentsOf: 0..<1) } == [.s10])
  }

  @Test("stages carry their number into the violations")
  func stageNumbers() {
    var view = ListSimulator(showing: old, profile: .collectionView)
    var wrong = SnapshotDifference()
    wrong.itemDeletes = [ItemPath(section: 0, item: 9)]
    let violations = view.perform([
      UpdateStage(difference: SnapshotDifference(), snapshot: old),
      UpdateStage(difference: wrong, snapshot: old),
    ])
    #expect(violations.map(\.stage) == [1])
    #expect(violations.map(\.rule) == [.c1])
  }

  @Test("a difference that names a billion rows is judged at once")
  func hugeRanges() {
    var difference = SnapshotDifference()
    difference.sectionDeletes.insert(contentsOf: 1..<1_000_000_000)
    difference.itemInserts.append(section: 0, items: -5..<1_000_000_000)
    difference.itemRenames.append(section: 0, items: 0..<1_000_000_000)
    difference.itemMoves = [
      Move(from: ItemPath(section: -1, item: 0), to: ItemPath(section: .max, item: .min))
    ]
    var view = ListSimulator(showing: old, profile: .collectionView)
    let violations = view.perform([UpdateStage(difference: difference, snapshot: new)])
    #expect(violations.contains { $0.rule == .c1 })
    #expect(violations.count < 50)
  }

  @Test("the first batch is a reset")
  func reset() {
    let batch = UpdateBatch<String, String>(
      epoch: Epoch(), base: nil, target: Revision(1), difference: SnapshotDifference(),
      previousSnapshot: nil,
      snapshot: new, presentation: .reset)
    var view = ListSimulator<String, String>(profile: .sequential)
    #expect(view.perform(batch).isEmpty)
    #expect(view.shown == new)
  }
}
