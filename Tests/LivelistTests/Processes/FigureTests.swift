import Diffable
import Testing

@testable import livelist

@Suite("Figures") struct FigureTests {
  @Test(
    "Bytes are shown in the unit that keeps few digits",
    arguments: [
      (0, "–"), (1, "0.0 KiB"), (1024, "1.0 KiB"), (1023 << 10, "1023.0 KiB"), (1 << 20, "1.0 MiB"),
      (1536 << 20, "1.5 GiB"), (1 << 40, "1.0 TiB"), (1 << 50, "1024.0 TiB"),
    ])
  func bytes(_ count: Int, _ expected: String) {
    #expect(Figure.bytes(count) == expected)
  }

  @Test(
    "Times are shown in the unit that keeps few digits",
    arguments: [
      (Duration.zero, "0 µs"), (.nanoseconds(1999), "1 µs"), (.microseconds(9999), "9999 µs"),
      (.microseconds(10_000), "10 ms"), (.milliseconds(9999), "9999 ms"), (.seconds(10), "10 s"),
      (.seconds(7200), "7200 s"),
    ])
  func duration(_ duration: Duration, _ expected: String) {
    #expect(Figure.duration(duration) == expected)
  }

  @Test("A batch in one line says what changed and how much there is")
  func line() throws {
    var (old, new) = (Snapshot<String, Int>(), Snapshot<String, Int>())
    old.appendSections(["a", "b"])
    try old.appendItems([2, 1], toSection: "a")
    try old.appendItems([3], toSection: "b")
    new.appendSections(["a"])
    try new.appendItems([1, 2, 4], toSection: "a")
    let reset = UpdateBatch(
      epoch: Epoch(), base: nil, target: Revision(1), difference: SnapshotDifference(),
      previousSnapshot: nil,
      snapshot: old, presentation: .animated)
    #expect(
      BatchLine.text(for: reset, ("process", "processes"))
        == "r1: 3 processes in 2 sections")
    let change = UpdateBatch(
      epoch: Epoch(), base: Revision(1), target: Revision(2),
      difference: try new.difference(from: old),
      previousSnapshot: old, snapshot: new, presentation: .animated)
    #expect(
      BatchLine.text(for: change, ("process", "processes"))
        == "r1 → r2: 1 sections deleted, 1 inserted, 1 moved; 3 processes in 1 section")
  }

  @Test("A batch that only refreshes rows or sections says that in its line")
  func refreshes() throws {
    var snapshot = Snapshot<String, Int>()
    snapshot.appendSections(["a", "b"])
    try snapshot.appendItems([1, 2, 3], toSection: "a")
    func words(_ change: (inout SnapshotDifference) -> Void) -> String {
      var difference = SnapshotDifference()
      change(&difference)
      let batch = UpdateBatch(
        epoch: Epoch(), base: Revision(1), target: Revision(2), difference: difference,
        previousSnapshot: snapshot, snapshot: snapshot, presentation: .animated)
      return BatchLine.text(for: batch, ("process", "processes"))
        .replacing("r1 → r2: ", with: "").replacing("; 3 processes in 2 sections", with: "")
    }
    let (first, last) = (ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 2))
    #expect(words { _ in } == "nothing changed")
    #expect(words { $0.itemReloads = [first, last] } == "2 updated")
    #expect(words { ($0.itemReloads, $0.itemReconfigures) = ([first], [last]) } == "2 updated")
    #expect(words { $0.sectionReloads = RangeSet(0..<2) } == "2 sections updated")
    #expect(words { $0.sectionReconfigures = RangeSet(1..<2) } == "1 sections updated")
    #expect(words { $0.outlineChanges = RangeSet(0..<1) } == "only outlines changed")
  }
}
