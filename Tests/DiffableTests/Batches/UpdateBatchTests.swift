import Diffable
import DiffableTesting
import Foundation
import Testing

@Suite("Batches are values that can be stored, compared and read")
struct UpdateBatchTests {
  typealias List = Snapshot<String, String>
  typealias Batch = UpdateBatch<String, String>

  private let epoch = Epoch()

  private func token(_ number: Int) -> ResumeToken {
    ResumeToken(epoch: epoch, revision: Revision(number))
  }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test("a batch that was written and read is cut into the same stages")
  func stagesSurvive() throws {
    var generator = SnapshotGenerator(seed: 3, section: { "s\($0)" }, item: { "i\($0)" })
    for change in SnapshotChange.allCases {
      let old = generator.snapshot(.uneven(sections: 4, items: 12))
      var batch = try UpdateBatch(from: old, to: generator.changing(old, by: change))
      batch.droppedItems = ["twice"]
      batch.droppedSections = ["again"]
      let copy = try roundTrip(batch)
      #expect(copy == batch)
      for profile in [ListProfile.collectionView, .tableView, .movesApart, .sequential] {
        #expect(copy.stages(for: profile) == batch.stages(for: profile), "\(change)")
      }
      for stage in batch.stages(for: .sequential) {
        let copy = try roundTrip(stage)
        #expect(copy == stage)
      }
    }
  }

  @Test("a reset survives as well")
  func resetSurvives() throws {
    let reset = Batch(
      epoch: Epoch(), base: nil, target: Revision(7), difference: SnapshotDifference(),
      previousSnapshot: nil, snapshot: List("A[a]"), presentation: .reset)
    let copy = try roundTrip(reset)
    #expect(copy == reset)
    #expect(reset.description == "reset→r7 ⇒ A[a]")
  }

  @Test(
    "data in which the difference does not lead to the snapshot is refused",
    arguments: [
      #""itemDeletes":[[0,1,2]]"#, #""itemDeletes":[[0,0,900000000000]]"#,
      #""sectionDeletes":[[-4,9000000000000]]"#, #""itemDeletes":[[0,2,1]]"#,
      #""sectionMoves":[{"from":0,"to":99}]"#,
    ])
  func refused(change: String) {
    let json = """
      {"base":"\(token(1))","target":"\(token(2))","difference":{\(change)},"presentation":"animated",
       "previousSnapshot":{"sections":[{"id":"A","items":["a","b"]}]},
       "snapshot":{"sections":[{"id":"A","items":["b"]}]}}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Batch.self, from: Data(json.utf8))
    }
  }

  @Test("data without the snapshot that the difference starts from is refused")
  func withoutPrevious() {
    let json = """
      {"base":"\(token(1))","target":"\(token(2))","presentation":"animated",
       "snapshot":{"sections":[]}}
      """
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Batch.self, from: Data(json.utf8))
    }
  }

  @Test("base and target are tokens of one life, and nothing else")
  func tokens() throws {
    func batch(_ base: String, _ target: String) throws -> Batch {
      let json = """
        {"base":\(base),"target":\(target),"presentation":"animated",
         \(base == "null" ? "" : #""previousSnapshot":{"sections":[]},"#)"snapshot":{"sections":[]}}
        """
      return try JSONDecoder().decode(Batch.self, from: Data(json.utf8))
    }
    let read = try batch("\"\(token(1))\"", "\"\(token(2))\"")
    #expect(read.baseToken == token(1) && read.token == token(2))
    #expect(read.epoch == epoch && read.base == Revision(1) && read.target == Revision(2))
    #expect(try batch("null", "\"\(token(2))\"").baseToken == nil)
    let foreign = ResumeToken(epoch: Epoch(), revision: Revision(1))
    for (base, target) in [
      ("1", "2"), ("\"r1\"", "\"\(token(2))\""), ("\"\(token(1))\"", "\"\""),
      ("\"\(foreign)\"", "\"\(token(2))\""),
    ] {
      #expect(throws: DecodingError.self) { try batch(base, target) }
    }
  }

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
  }
}
