import Diffable
import DiffableTesting
import Testing

@Suite("Batches are values that can be compared and read")
struct UpdateBatchTests {
  typealias List = Snapshot<String, String>
  typealias Batch = UpdateBatch<String, String>

  @Test("batches differ when any part of them does")
  func equality() throws {
    let batch = try UpdateBatch(from: List("A[a]"), to: List("A[a b]"))
    let edits: [@Sendable (inout Batch) -> Void] = [
      { $0.epoch = Epoch() }, { $0.base = nil }, { $0.target = Revision(9) },
      {
        $0.difference.itemDeletes = []; $0.difference.itemInserts = []
      },
      { $0.previousSnapshot = nil }, { $0.snapshot = List() }, { $0.presentation = .immediate },
      { $0.droppedItems = ["x"] }, { $0.droppedSections = ["y"] },
      { $0.renamedItems = [ItemRename(old: "x", new: "a")] }, { $0.proposals = [WriteID()] },
      { $0.unconfirmedItems = ["a"] },
    ]
    #expect(batch == batch)
    for edit in edits {
      var other = batch
      edit(&other)
      #expect(other != batch)
    }
  }

  @Test("the description is one compact line")
  func descriptions() throws {
    var batch = try UpdateBatch(
      from: List("A[a b c] B[] C[] D[d]"), to: List("C[c] A[b~ a* x] B[]"))
    batch.difference.itemMoves = []
    batch.droppedItems = ["d"]
    batch.droppedSections = ["D"]
    #expect(
      batch.description
        == "r1→r2 -§3 §2→0 +1:2 *0:0 ~1:0 ⇒ C[c] A[b a x] B[], dropped: §D d")
    #expect(SnapshotDifference().description == "∅")
    #expect(try Batch(showing: List("A[a]"), target: Revision(7)).description == "reset→r7 ⇒ A[a]")
  }
}
